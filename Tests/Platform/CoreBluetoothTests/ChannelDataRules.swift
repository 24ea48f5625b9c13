// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Bytes on channels` {
  /// Bytes that differ from place to place, and from seed to seed.
  private static func bytes(_ count: Int, seed: Int = 0) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 &+ seed) &* 31 &+ $0 >> 8 &+ $0 >> 16) }
  }

  @Test func `channel: megabytes are transferred both ways unchanged`() async throws {
    let lab = Lab()
    lab.meter.link.connectionInterval = .milliseconds(15)
    lab.meter.link.packetsPerInterval = 6
    for host in [lab.meter, lab.phone] {
      host.channel.credits = 500
      host.channel.sendBuffer = 65_536
    }
    let link = try await lab.open()
    lab.central.manager.stopScan()
    let psm = try await lab.publishChannel()
    link.peripheral.openL2CAPChannel(psm)
    await lab.wait(for: "channel")
    let near = try #require(lab.central.channels.first)
    let far = try #require(lab.device.channels.first)
    let up = Self.bytes(2_097_152)
    let down = Self.bytes(1_048_576, seed: 7)
    let thread = LoopThread()
    let probes = [
      StreamProbe(), StreamProbe(writing: up), StreamProbe(), StreamProbe(writing: down),
    ]
    await thread.run {
      let streams: [Stream] = [
        near.inputStream, near.outputStream, far.inputStream, far.outputStream,
      ]
      for (stream, probe) in zip(streams, probes) {
        stream.delegate = probe
        stream.schedule(in: .current, forMode: .default)
        stream.open()
      }
    }

    for _ in 0..<2_000 where probes[2].received.count < up.count {
      await thread.turn()
      await lab.run(.milliseconds(200))
    }

    #expect(probes[2].received == up)
    #expect(probes[0].received == down)
    #expect(probes.allSatisfy { $0.log.all.first == "open" && $0.log.count("error") == 0 })
  }

  @Test func `channel: a data unit takes the time of its frames`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()

    // 245 + 247 + 247 + 247 + 14 bytes, of which each frame takes a quarter of 30 ms.
    #expect(pair.near.outputStream.put(Self.bytes(1_000)) == 1_000)
    await lab.run(.milliseconds(37))
    #expect(!pair.far.inputStream.hasBytesAvailable)
    await lab.run(.microseconds(500))
    #expect(pair.far.inputStream.take() == Self.bytes(1_000))

    #expect(pair.far.outputStream.put(Self.bytes(1_000, seed: 3)) == 1_000)
    await lab.run(.milliseconds(37))
    #expect(!pair.near.inputStream.hasBytesAvailable)
    await lab.run(.microseconds(500))
    #expect(pair.near.inputStream.take() == Self.bytes(1_000, seed: 3))
  }

  @Test func `channel: long frames take several packets`() async throws {
    let lab = Lab()
    lab.meter.channel.mps = 600
    let pair = try await lab.openChannel()

    // 598 bytes and 6 of headers are three packets; 402 bytes and 4 are two.
    #expect(pair.near.outputStream.put(Self.bytes(1_000)) == 1_000)
    await lab.run(.milliseconds(37))
    #expect(!pair.far.inputStream.hasBytesAvailable)
    await lab.run(.microseconds(500))
    #expect(pair.far.inputStream.take() == Self.bytes(1_000))
  }

  @Test func `channel: channels of one number share the link without mixing`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let psm = try await lab.publishChannel()
    let first = try await lab.openChannel(psm, to: link.peripheral)
    let second = try await lab.openChannel(psm, to: link.peripheral)

    #expect(first.near.outputStream.put(Self.bytes(1_000)) == 1_000)
    #expect(second.near.outputStream.put(Self.bytes(1_000, seed: 9)) == 1_000)
    await lab.run(.milliseconds(67))
    #expect(!first.far.inputStream.hasBytesAvailable)
    await lab.run(.microseconds(500))
    #expect(first.far.inputStream.take() == Self.bytes(1_000))
    #expect(!second.far.inputStream.hasBytesAvailable)
    await lab.run(.microseconds(7_500))
    #expect(second.far.inputStream.take() == Self.bytes(1_000, seed: 9))
  }

  @Test func `channel: clients on two hosts use one number`() async throws {
    let lab = Lab()
    let tablet = lab.air.makeHost(named: "Tablet", at: SimulatedPosition(y: 2))
    let other = CentralProbe(tablet, label: "other")
    let link = try await lab.open()
    let psm = try await lab.publishChannel()
    let pair = try await lab.openChannel(psm, to: link.peripheral)
    other.manager.scanForPeripherals(withServices: nil)
    await lab.air.advance(by: .seconds(9)) { !other.peripherals.isEmpty }
    let peripheral = try #require(other.peripherals.first)
    other.manager.connect(peripheral)
    await lab.air.advance(by: .seconds(9)) { peripheral.state == .connected }
    peripheral.openL2CAPChannel(psm)
    await lab.air.advance(by: .seconds(9)) { !other.channels.isEmpty }
    let second = ChannelPair(
      near: try #require(other.channels.first), far: try #require(lab.device.channels.last))
    second.openStreams()

    #expect(pair.near.outputStream.put([1, 2]) == 2)
    #expect(second.near.outputStream.put([3, 4]) == 2)
    await lab.run(.seconds(1))

    #expect(pair.far.inputStream.take() == [1, 2])
    #expect(second.far.inputStream.take() == [3, 4])
    #expect(pair.far.peer.identifier != second.far.peer.identifier)
  }

  @Test func `channel: a slow reader delays the writer`() async throws {
    let lab = Lab()
    lab.meter.channel.mtu = 100
    lab.meter.channel.mps = 50
    lab.meter.channel.credits = 4
    lab.phone.channel.sendBuffer = 200
    let pair = try await lab.openChannel()
    let bytes = Self.bytes(1_000)
    let output = try #require(pair.near.outputStream)

    // The first frame, of 48 bytes, leaves the buffer of 200 at once.
    #expect(output.put(bytes) == 248)
    #expect(!output.hasSpaceAvailable)
    await lab.run(.seconds(60))
    // A data unit has frames of 48, 50 and 2 bytes: with four credits 148 bytes go.
    #expect(output.put(Array(bytes[248...])) == 100)
    await lab.run(.seconds(60))
    #expect(!output.hasSpaceAvailable)

    #expect(pair.far.inputStream.take() == Array(bytes[..<100]))
    await lab.run(.seconds(60))
    // Three credits are back: 50 and 2 bytes of the second data unit, 48 of the third.
    #expect(output.put(Array(bytes[348...])) == 100)
    #expect(pair.far.inputStream.take() == Array(bytes[100..<200]))
  }

  @Test func `channel: a data unit larger than the credits still arrives`() async throws {
    let lab = Lab()
    lab.meter.channel.mtu = 1_000
    lab.meter.channel.mps = 23
    lab.meter.channel.credits = 1
    let pair = try await lab.openChannel()
    let bytes = Self.bytes(5_000)
    #expect(pair.near.outputStream.put(bytes) == 5_000)

    var received: [UInt8] = []
    for _ in 0..<10 {
      await lab.run(.seconds(2))
      received += pair.far.inputStream.take()
    }

    #expect(received == bytes)
  }

  @Test func `channel: reading a part returns no credit`() async throws {
    let lab = Lab()
    lab.meter.channel.mtu = 100
    lab.meter.channel.mps = 102
    lab.meter.channel.credits = 1
    let pair = try await lab.openChannel()
    #expect(pair.near.outputStream.put(Self.bytes(200)) == 200)
    await lab.run(.seconds(1))

    #expect(pair.far.inputStream.take(99) == Array(Self.bytes(99)))
    await lab.run(.seconds(1))
    #expect(pair.far.inputStream.take() == [Self.bytes(100)[99]])
    #expect(!pair.far.inputStream.hasBytesAvailable)
    await lab.run(.seconds(1))

    #expect(pair.far.inputStream.take() == Array(Self.bytes(200)[100...]))
  }

  @Test func `channel: without a signal bytes wait for it`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    lab.meter.position = SimulatedPosition(x: 900)
    #expect(pair.near.outputStream.put(Self.bytes(1_000)) == 1_000)
    await lab.run(.seconds(3))
    #expect(!pair.far.inputStream.hasBytesAvailable)

    lab.meter.position = SimulatedPosition(x: 2)
    await lab.run(.seconds(1))

    #expect(pair.far.inputStream.take() == Self.bytes(1_000))
  }

  @Test func `channel: settings are limited to their range`() async throws {
    let lab = Lab()
    lab.meter.channel.mtu = -5
    lab.meter.channel.mps = 0
    lab.meter.channel.credits = 1_000_000
    lab.phone.channel.mtu = .max
    lab.phone.channel.mps = .max
    lab.phone.channel.sendBuffer = 0
    let pair = try await lab.openChannel()

    // A buffer of one byte, from which a frame of one byte goes at once.
    #expect(pair.near.outputStream.put([1, 2, 3]) == 2)
    #expect(pair.far.outputStream.put(Self.bytes(8_000)) == 8_000)
    await lab.run(.seconds(60))

    #expect(pair.far.inputStream.take() == [1, 2])
    #expect(pair.near.inputStream.take() == Self.bytes(8_000))
  }
}
