// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Streams of channels on run loops` {
  private let thread = LoopThread()

  /// Gives a stream a delegate and schedules it on the thread.
  private func schedule(
    _ stream: Stream, _ probe: StreamProbe, _ mode: RunLoop.Mode = .default
  ) async {
    await thread.run {
      stream.delegate = probe
      stream.schedule(in: .current, forMode: mode)
    }
  }

  @Test func `channel: an opened stream reports its opening, then its readiness`() async throws {
    let lab = Lab()
    let pair = try await lab.openSilentChannel()
    let (reader, writer) = (StreamProbe(), StreamProbe())
    await schedule(pair.near.inputStream, reader)
    await schedule(pair.near.outputStream, writer)
    await thread.turn()
    #expect(reader.log.all == [])
    #expect(writer.log.all == [])

    pair.openStreams()
    await thread.turn()
    #expect(reader.log.all == ["open"])
    #expect(writer.log.all == ["open", "space"])
    #expect(pair.far.outputStream.put([1, 2, 3]) == 3)
    await lab.run(.seconds(1))
    await thread.turn()

    #expect(reader.log.all == ["open", "bytes"])
    #expect(reader.received == [1, 2, 3])
    #expect(writer.log.all == ["open", "space"])
  }

  @Test func `channel: bytes are reported once, and again after a read`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let probe = StreamProbe(reading: 0)
    await schedule(pair.near.inputStream, probe)
    for byte: UInt8 in 1...3 {
      #expect(pair.far.outputStream.put([byte]) == 1)
      await lab.run(.seconds(1))
      await thread.turn()
    }
    #expect(probe.log.all == ["open", "bytes"])

    #expect(await thread.run { pair.near.inputStream.take(1) } == [1])
    await thread.turn()

    #expect(probe.log.all == ["open", "bytes", "bytes"])
  }

  @Test func `channel: bytes left by a read are reported again`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let probe = StreamProbe(reading: 4)
    await schedule(pair.near.inputStream, probe)
    #expect(pair.far.outputStream.put(Array(1...10)) == 10)
    await lab.run(.seconds(1))
    await thread.turn()

    #expect(probe.log.all == ["open", "bytes", "bytes", "bytes"])
    #expect(probe.received == Array(1...10))
  }

  @Test func `channel: space is reported once, and again after a write`() async throws {
    let lab = Lab()
    lab.phone.channel.sendBuffer = 100
    let pair = try await lab.openChannel()
    let probe = StreamProbe()
    await schedule(pair.near.outputStream, probe)
    await thread.turn()
    await thread.turn()
    #expect(probe.log.all == ["open", "space"])

    #expect(pair.near.outputStream.put([1]) == 1)
    await thread.turn()
    #expect(probe.log.all == ["open", "space", "space"])
    // 100 bytes fill the buffer while the first frame is on the air.
    #expect(pair.near.outputStream.put([UInt8](repeating: 2, count: 500)) == 100)
    await thread.turn()
    #expect(probe.log.all == ["open", "space", "space"])
    await lab.run(.seconds(1))
    await thread.turn()

    #expect(probe.log.all == ["open", "space", "space", "space"])
  }

  @Test func `channel: a closed channel ends both streams`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let (reader, writer) = (StreamProbe(), StreamProbe())
    await schedule(pair.far.inputStream, reader)
    await schedule(pair.far.outputStream, writer)
    #expect(pair.near.outputStream.put([1, 2]) == 2)

    pair.near.inputStream.close()
    pair.near.outputStream.close()
    await lab.run(.seconds(1))
    await thread.turn()

    #expect(reader.log.all == ["open", "bytes", "end"])
    // The run loop did not turn before; now there is no room any more.
    #expect(writer.log.all == ["open", "end"])
  }

  @Test func `channel: a lost link is an error on both streams`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let (reader, writer) = (StreamProbe(), StreamProbe())
    await schedule(pair.near.inputStream, reader)
    await schedule(pair.near.outputStream, writer)
    await thread.turn()

    lab.meter.position = SimulatedPosition(x: 900)
    await lab.run(.seconds(10))
    await thread.turn()
    await thread.turn()

    #expect(reader.log.all == ["open", "error"])
    #expect(writer.log.all == ["open", "space", "error"])
  }

  @Test func `channel: a late delegate misses nothing`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let input = try #require(pair.near.inputStream)
    await thread.run { input.schedule(in: .current, forMode: .default) }
    #expect(pair.far.outputStream.put([1]) == 1)
    await lab.run(.seconds(1))
    await thread.turn()

    let probe = StreamProbe()
    input.delegate = probe
    #expect(input.delegate === probe)
    await thread.turn()

    #expect(probe.log.all == ["open", "bytes"])
  }

  @Test func `channel: delegates are weak`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    var probe: StreamProbe? = StreamProbe()
    pair.near.inputStream.delegate = probe
    pair.near.outputStream.delegate = probe

    probe = nil

    #expect(pair.near.inputStream.delegate == nil)
    #expect(pair.near.outputStream.delegate == nil)
  }

  @Test func `channel: a stream removed from the run loop delivers no events`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let input = try #require(pair.near.inputStream)
    let probe = StreamProbe()
    await schedule(input, probe)
    await thread.turn()
    await thread.run { input.remove(from: .current, forMode: .default) }
    #expect(pair.far.outputStream.put([1]) == 1)
    await lab.run(.seconds(1))
    await thread.turn()
    #expect(probe.log.all == ["open"])

    await schedule(input, probe)
    await thread.turn()

    #expect(probe.log.all == ["open", "bytes"])
  }

  @Test func `channel: a closed stream delivers no events`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let probe = StreamProbe()
    await schedule(pair.near.inputStream, probe)
    await schedule(pair.near.outputStream, probe)
    pair.near.inputStream.close()
    pair.near.outputStream.close()
    await lab.run(.seconds(1))
    await thread.turn()

    #expect(probe.log.all == [])
  }

  @Test func `channel: each mode of a run loop has its own streams`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let (reader, writer) = (StreamProbe(), StreamProbe())
    let dialog = RunLoop.Mode(rawValue: "dialog")
    await schedule(pair.near.inputStream, reader, dialog)
    await schedule(pair.near.outputStream, writer, .common)

    await thread.turn()
    #expect(reader.log.all == [])
    #expect(writer.log.all == ["open", "space"])
    await thread.turn(dialog)

    #expect(reader.log.all == ["open"])
  }

  @Test func `channel: a thread can schedule on another thread's run loop`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let (reader, removed) = (StreamProbe(), StreamProbe())
    let loop = await thread.loop
    pair.near.inputStream.delegate = reader
    pair.near.inputStream.schedule(in: loop, forMode: .default)
    pair.near.outputStream.delegate = removed
    pair.near.outputStream.schedule(in: loop, forMode: .default)
    pair.near.outputStream.remove(from: loop, forMode: .default)
    #expect(pair.far.outputStream.put([1]) == 1)
    await lab.run(.seconds(1))
    await thread.turn()

    #expect(reader.log.all == ["open", "bytes"])
    #expect(removed.log.all == [])
  }

  @Test func `channel: a run loop waits for a stream and wakes`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let probe = StreamProbe()
    await schedule(pair.near.inputStream, probe)
    await thread.turn()
    let log = EventLog()
    thread.begin {
      log.note("\(RunLoop.current.run(mode: .default, before: .distantFuture))")
    }

    #expect(pair.far.outputStream.put([1]) == 1)
    await lab.run(.seconds(1))
    await thread.run {}

    #expect(log.all == ["true"])
    await thread.turn()
    #expect(probe.received == [1])
  }

  @Test func `channel: the simulated clock waits for a running run loop`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let (caller, answerer) = (Echo(pair.near), Echo(pair.far))
    let core = await thread.run { CFRunLoopGetCurrent() }
    await thread.run {
      for (stream, echo) in [(pair.near.inputStream, caller), (pair.far.inputStream, answerer)] {
        stream?.delegate = echo
        stream?.schedule(in: .current, forMode: .default)
      }
    }
    let loop = await thread.loop
    thread.begin { CFRunLoopRun() }
    await withCheckedContinuation { continuation in
      loop.perform { continuation.resume() }
      CFRunLoopWakeUp(core)
    }

    #expect(pair.near.outputStream.put([1]) == 1)
    // There and back takes two quarters of 30 ms.
    await lab.run(.milliseconds(1_500))
    CFRunLoopStop(core)

    #expect(answerer.count == 100)
    #expect(caller.count == 100)
  }

  @Test func `channel: released streams leave the run loop`() async throws {
    let lab = Lab()
    let probe = StreamProbe()
    var pair: ChannelPair? = try await lab.openChannel()
    await schedule(try #require(pair?.near.inputStream), probe)
    await thread.turn()

    pair = nil
    lab.central.forgetChannels()
    lab.device.forgetChannels()
    await lab.run(.seconds(1))
    await thread.turn()

    // Without any source the run loop does not wait.
    #expect(
      await thread.run { RunLoop.current.run(mode: .default, before: .distantFuture) } == false)
    #expect(probe.log.all == ["open"])
  }

  /// Sends everything back at once.
  private final class Echo: StreamDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var bytes = 0
    private weak var channel: CBL2CAPChannel?

    init(_ channel: CBL2CAPChannel) {
      self.channel = channel
    }

    var count: Int {
      lock.lock()
      defer { lock.unlock() }
      return bytes
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
      guard eventCode == .hasBytesAvailable, let channel else { return }
      let received = channel.inputStream.take()
      lock.lock()
      bytes += received.count
      lock.unlock()
      _ = channel.outputStream.put(received)
    }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Streams of channels without run loops` {
  private let thread = LoopThread()

  @Test func `channel: a stream that is not open neither reads nor writes`() async throws {
    let lab = Lab()
    let pair = try await lab.openSilentChannel()
    let input = try #require(pair.near.inputStream)
    let output = try #require(pair.near.outputStream)
    var buffer: [UInt8] = [0]

    for _ in 0..<2 {
      #expect(!input.hasBytesAvailable)
      #expect(!output.hasSpaceAvailable)
      #expect(input.read(&buffer, maxLength: 1) == -1)
      #expect(output.write(buffer, maxLength: 1) == -1)
      #expect(input.streamError == nil)
      input.close()
      output.close()
      // A closed stream cannot be opened again.
      input.open()
      output.open()
      #expect(input.streamStatus == .closed)
      #expect(output.streamStatus == .closed)
    }
  }

  @Test func `channel: an open stream has a state and nothing else`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let input = try #require(pair.near.inputStream)
    let output = try #require(pair.near.outputStream)
    var buffer: [UInt8] = [0]
    var pointer: UnsafeMutablePointer<UInt8>?
    var length = 0

    for stream: Stream in [input, output] {
      #expect(stream.streamStatus == .open)
      #expect(stream.streamError == nil)
      #expect(stream.property(forKey: .fileCurrentOffsetKey) == nil)
      #expect(!stream.setProperty(nil, forKey: .fileCurrentOffsetKey))
    }
    #expect(!input.getBuffer(&pointer, length: &length))
    #expect(input.read(&buffer, maxLength: 0) == 0)
    #expect(output.write(buffer, maxLength: 0) == 0)
    #expect(input.read(&buffer, maxLength: -1) == 0)
    #expect(output.write(buffer, maxLength: -1) == 0)
  }

  @Test func `channel: a read waits for bytes`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let log = EventLog()
    thread.begin {
      var buffer = [UInt8](repeating: 0, count: 9)
      let count = pair.near.inputStream.read(&buffer, maxLength: 9)
      log.note("\(count) \(buffer[0]) \(buffer[1])")
    }

    #expect(pair.far.outputStream.put([7, 8]) == 2)
    await lab.run(.seconds(1))
    await thread.run {}

    #expect(log.all == ["2 7 8"])
  }

  @Test func `channel: a write waits for space and writes what fits`() async throws {
    let lab = Lab()
    lab.phone.channel.sendBuffer = 100
    lab.meter.channel.mtu = 100
    lab.meter.channel.credits = 1
    let pair = try await lab.openChannel()
    let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 * 3) }
    let log = EventLog()
    thread.begin {
      var sent = 0
      while sent < bytes.count {
        let rest = Array(bytes[sent...])
        let count = pair.near.outputStream.write(rest, maxLength: rest.count)
        if !(1...100).contains(count) { log.note("took \(count)") }
        guard count > 0 else { return }
        sent += count
      }
    }

    var received: [UInt8] = []
    while received.count < bytes.count {
      await lab.run(.seconds(1))
      received += pair.far.inputStream.take()
    }
    await thread.run {}

    #expect(received == bytes)
    #expect(log.all == [])
  }

  @Test func `channel: closing a stream ends a blocked read`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let log = EventLog()
    thread.begin {
      var byte: UInt8 = 0
      log.note("\(pair.near.inputStream.read(&byte, maxLength: 1))")
    }

    pair.near.inputStream.close()
    await thread.run {}

    #expect(log.all == ["-1"])
  }

  @Test func `channel: the channel's end ends blocked calls`() async throws {
    let lab = Lab()
    lab.meter.channel.mtu = 23
    lab.meter.channel.credits = 1
    lab.phone.channel.sendBuffer = 1
    let pair = try await lab.openChannel()
    let log = EventLog()
    let other = LoopThread()
    thread.begin {
      var byte: UInt8 = 0
      log.note("read \(pair.near.inputStream.read(&byte, maxLength: 1))")
    }
    other.begin {
      var count = 1
      while count > 0 { count = pair.near.outputStream.write([1], maxLength: 1) }
      log.note("write \(count)")
    }

    lab.meter.disconnectAll()
    await thread.run {}
    await other.run {}

    #expect(log.all.sorted() == ["read -1", "write -1"])
  }

  @Test func `channel: a channel made by the app is not connected`() throws {
    let channel = CBL2CAPChannel()

    #expect(channel.peer == nil)
    #expect(channel.inputStream == nil)
    #expect(channel.outputStream == nil)
    #expect(channel.psm == 0)
  }

  @Test func `channel: an output stream made by its class is at the end`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let stream = type(of: try #require(pair.near.outputStream)).init(toMemory: ())

    stream.open()

    #expect(stream.streamStatus == .atEnd)
    #expect(stream.write([1], maxLength: 1) == -1)
  }
}
