// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Channels of apps that do not run` {
  private let thread = LoopThread()

  /// Gives both streams of a channel a delegate each, on the thread, which tells that they are
  /// open.
  private func listen(
    to channel: CBL2CAPChannel
  ) async -> (reader: StreamProbe, writer: StreamProbe) {
    let (reader, writer) = (StreamProbe(), StreamProbe())
    await thread.run {
      channel.inputStream.delegate = reader
      channel.inputStream.schedule(in: .current, forMode: .default)
      channel.outputStream.delegate = writer
      channel.outputStream.schedule(in: .current, forMode: .default)
    }
    await thread.turn()
    return (reader, writer)
  }

  @Test(arguments: [SimulatedApplication.State.foreground, .background])
  func `channel: a suspended app is notified of bytes once, when it runs again`(
    next: SimulatedApplication.State
  ) async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let (reader, _) = await listen(to: pair.near)
    lab.phone.application.state = .suspended

    for byte: UInt8 in 1...3 {
      #expect(pair.far.outputStream.put([byte]) == 1)
      await lab.run(.seconds(1))
      await thread.turn()
    }
    #expect(reader.log.all == ["open"])
    #expect(lab.phone.application.state == .suspended)
    lab.phone.application.state = next
    await lab.run(.milliseconds(1))
    await thread.turn()

    #expect(reader.log.all == ["open", "bytes"])
    #expect(reader.received == [1, 2, 3])
    #expect(pair.far.outputStream.put([4]) == 1)
    await lab.run(.seconds(1))
    await thread.turn()
    #expect(reader.log.all == ["open", "bytes", "bytes"])
  }

  @Test func `channel: a suspended app is notified of space when it runs again`() async throws {
    let lab = Lab()
    lab.meter.channel.sendBuffer = 100
    let pair = try await lab.openChannel()
    let (_, writer) = await listen(to: pair.far)
    // The buffer fills up while the first frame is on the air.
    #expect(pair.far.outputStream.put([1]) == 1)
    await thread.turn()
    #expect(pair.far.outputStream.put([UInt8](repeating: 2, count: 500)) == 100)
    await thread.turn()
    #expect(writer.log.all == ["open", "space", "space"])

    lab.meter.application.state = .suspended
    await lab.run(.seconds(1))
    await thread.turn()
    #expect(pair.near.inputStream.take().count == 101)
    #expect(writer.log.all == ["open", "space", "space"])
    lab.meter.application.state = .foreground
    await lab.run(.milliseconds(1))
    await thread.turn()

    #expect(writer.log.all == ["open", "space", "space", "space"])
  }

  @Test func `channel: without the background mode only a foreground app is notified`() async throws
  {
    let lab = Lab()
    lab.phone.application.backgroundModes = [.peripheral]
    let pair = try await lab.openChannel()
    let (reader, _) = await listen(to: pair.near)

    lab.phone.application.state = .background
    #expect(pair.far.outputStream.put([1]) == 1)
    await lab.run(.seconds(1))
    await thread.turn()
    #expect(reader.log.all == ["open"])
    lab.phone.application.backgroundModes = [.central]
    await lab.run(.milliseconds(1))
    await thread.turn()

    #expect(reader.log.all == ["open", "bytes"])
  }

  @Test func `channel: an event that wakes an app also delivers the channel's end`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let (reader, writer) = await listen(to: pair.near)
    lab.phone.application.state = .suspended
    #expect(pair.far.outputStream.put([1]) == 1)
    await lab.run(.seconds(1))

    lab.meter.disconnectAll()
    await lab.run(.seconds(1))
    await thread.turn()

    #expect(lab.phone.application.state == .background)
    #expect(lab.central.log.count("disconnected") == 1)
    #expect(reader.log.all == ["open", "bytes", "error"])
    #expect(reader.received == [1])
    #expect(writer.log.all == ["open", "space", "error"])
  }

  @Test(arguments: [false, true])
  func `channel: an ended process is not notified`(isSuspended: Bool) async throws {
    let lab = Lab(restoring: true)
    let pair = try await lab.openChannel()
    let (reader, writer) = await listen(to: pair.near)
    if isSuspended { lab.phone.application.state = .suspended }
    #expect(pair.far.outputStream.put([1]) == 1)
    if isSuspended { await lab.run(.seconds(1)) }

    lab.phone.application.terminate()
    await lab.run(.seconds(1))
    await thread.turn()
    lab.phone.application.state = .foreground
    await lab.run(.seconds(1))
    // Something stirs the run loop.
    await thread.run { pair.near.inputStream.delegate = reader }
    await thread.run { pair.near.outputStream.delegate = writer }
    await thread.turn()

    #expect(pair.far.inputStream.streamStatus == .atEnd)
    #expect(reader.log.all == ["open"])
    #expect(writer.log.all == ["open", "space"])
  }

  @Test func `channel: the app on the other host continues`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let (reader, _) = await listen(to: pair.far)
    lab.phone.application.state = .suspended

    #expect(pair.near.outputStream.put([1]) == 1)
    await lab.run(.seconds(1))
    await thread.turn()

    #expect(reader.received == [1])
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Streams of channels on a slow run loop` {
  /// Something that takes some ten milliseconds.
  private static func work() -> Int {
    (0..<100_000).reduce(0) { $0 ^ ($1 &* 31) }
  }

  @Test func `channel: the clock waits for a run loop between two iterations`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let probe = StreamProbe()
    let isOver = EventLog()
    let thread = LoopThread()
    await thread.run {
      pair.near.inputStream.delegate = probe
      pair.near.inputStream.schedule(in: .current, forMode: .default)
    }
    thread.begin {
      while isOver.all.isEmpty {
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
        _ = Self.work()
      }
    }

    for byte: UInt8 in 1...20 {
      #expect(pair.far.outputStream.put([byte]) == 1)
      await lab.run(.milliseconds(100))
      #expect(probe.received.count == Int(byte))
    }
    isOver.note("over")
  }
}
