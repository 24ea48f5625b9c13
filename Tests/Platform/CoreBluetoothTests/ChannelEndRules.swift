// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `The end of channels` {
  private static let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 * 7) }

  /// The code of a stream's error; nil without one.
  private static func code(_ stream: Stream) -> CBError.Code? {
    (stream.streamError as? CBError)?.code
  }

  private static func expectClosed(
    _ channel: CBL2CAPChannel, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for stream: Stream in [channel.inputStream, channel.outputStream] {
      #expect(stream.streamStatus == .atEnd, sourceLocation: sourceLocation)
      #expect(stream.streamError == nil, sourceLocation: sourceLocation)
    }
    var buffer: [UInt8] = [0]
    #expect(
      channel.inputStream.read(&buffer, maxLength: 1) == 0, sourceLocation: sourceLocation)
    #expect(
      channel.outputStream.write(buffer, maxLength: 1) == -1, sourceLocation: sourceLocation)
  }

  private static func expectFailed(
    _ channel: CBL2CAPChannel, _ code: CBError.Code,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for stream: Stream in [channel.inputStream, channel.outputStream] {
      #expect(stream.streamStatus == .error, sourceLocation: sourceLocation)
      #expect(Self.code(stream) == code, sourceLocation: sourceLocation)
    }
    var buffer: [UInt8] = [0]
    #expect(
      channel.inputStream.read(&buffer, maxLength: 1) == -1, sourceLocation: sourceLocation)
    #expect(
      channel.outputStream.write(buffer, maxLength: 1) == -1, sourceLocation: sourceLocation)
  }

  // MARK: - Closing

  @Test func `channel: releasing it closes it after everything written`() async throws {
    let lab = Lab()
    var pair: ChannelPair? = try await lab.openChannel()
    let far = try #require(pair?.far)
    #expect(pair?.near.outputStream.put(Self.bytes) == 1_000)

    pair = nil
    lab.central.forgetChannels()
    await lab.run(.seconds(1))

    #expect(far.inputStream.streamStatus == .open)
    #expect(far.inputStream.take() == Self.bytes)
    Self.expectClosed(far)
  }

  @Test func `channel: closing waits for a frame in transmission`() async throws {
    let lab = Lab()
    lab.meter.channel.mps = 2_000
    let pair = try await lab.openChannel()
    #expect(pair.near.outputStream.put(Self.bytes) == 1_000)
    #expect(pair.near.outputStream.hasSpaceAvailable)

    // Nothing is left to be sent, but the frame takes the time of five packets.
    pair.near.inputStream.close()
    pair.near.outputStream.close()
    await lab.run(.milliseconds(20))
    #expect(pair.far.inputStream.streamStatus == .open)
    await lab.run(.milliseconds(30))

    #expect(pair.far.inputStream.take() == Self.bytes)
    Self.expectClosed(pair.far)
  }

  @Test func `channel: a device closes, too`() async throws {
    let lab = Lab()
    var pair: ChannelPair? = try await lab.openChannel()
    let near = try #require(pair?.near)
    #expect(pair?.far.outputStream.put(Self.bytes) == 1_000)

    pair = nil
    lab.device.forgetChannels()
    await lab.run(.seconds(1))

    #expect(near.inputStream.take() == Self.bytes)
    Self.expectClosed(near)
    #expect(lab.central.peripherals.first?.state == .connected)
  }

  @Test func `channel: streams that outlive it are at the end`() async throws {
    let lab = Lab()
    var pair: ChannelPair? = try await lab.openChannel()
    let input = try #require(pair?.near.inputStream)
    let output = try #require(pair?.near.outputStream)

    pair = nil
    lab.central.forgetChannels()

    #expect(input.streamStatus == .atEnd)
    #expect(output.streamStatus == .atEnd)
    #expect(!output.hasSpaceAvailable)
  }

  @Test func `channel: closing both streams closes it, closing one does not`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()

    pair.near.inputStream.close()
    pair.near.inputStream.close()
    await lab.run(.seconds(1))
    #expect(pair.far.outputStream.streamStatus == .open)
    #expect(pair.near.outputStream.put(Self.bytes) == 1_000)
    pair.near.outputStream.close()
    await lab.run(.seconds(1))

    #expect(pair.far.inputStream.take() == Self.bytes)
    Self.expectClosed(pair.far)
    #expect(pair.near.outputStream.streamStatus == .closed)
  }

  @Test func `channel: a reader that never reads does not block closing`()
    async throws
  {
    let lab = Lab()
    lab.meter.channel.mtu = 100
    lab.meter.channel.credits = 1
    let pair = try await lab.openChannel()
    #expect(pair.near.outputStream.put(Self.bytes) == 1_000)
    pair.near.inputStream.close()
    pair.near.outputStream.close()
    await lab.run(.seconds(60))
    #expect(pair.far.outputStream.streamStatus == .open)

    var received: [UInt8] = []
    for _ in 0..<10 {
      received += pair.far.inputStream.take()
      await lab.run(.seconds(1))
    }

    #expect(received == Self.bytes)
    Self.expectClosed(pair.far)
  }

  @Test func `channel: it closes if the delegate does not retain it`() async throws {
    let lab = Lab()
    lab.device.keepsChannels = false
    let link = try await lab.open()
    link.peripheral.openL2CAPChannel(try await lab.publishChannel())
    await lab.run(.seconds(1))

    let near = try #require(lab.central.channels.first)
    near.inputStream.open()
    near.outputStream.open()
    Self.expectClosed(near)
  }

  @Test func `channel: a peripheral lives as long as its channel`() async throws {
    let lab = Lab()
    var link: OpenLink? = try await lab.open()
    link?.peripheral.openL2CAPChannel(try await lab.publishChannel())
    await lab.wait(for: "channel")

    link = nil
    lab.central.forgetPeripherals()
    await lab.run(.seconds(1))
    #expect(lab.meter.connectedPeers.count == 1)
    lab.central.forgetChannels()
    await lab.run(.seconds(1))

    #expect(lab.meter.connectedPeers.isEmpty)
  }

  @Test func `channel: ending the publication closes only its channels`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let psm = try await lab.publishChannel()
    let ended = try await lab.openChannel(psm, to: link.peripheral)
    let other = try await lab.openChannel(
      try await lab.publishChannel(), to: link.peripheral)
    #expect(ended.far.outputStream.put(Self.bytes) == 1_000)

    lab.device.manager.unpublishL2CAPChannel(psm)
    await lab.run(.seconds(1))

    #expect(ended.near.inputStream.take() == Self.bytes)
    Self.expectClosed(ended.near)
    Self.expectClosed(ended.far)
    #expect(other.near.inputStream.streamStatus == .open)
    #expect(other.far.inputStream.streamStatus == .open)
  }

  // MARK: - The link

  @Test func `channel: cancelling the connection ends it`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let peripheral = try #require(lab.central.peripherals.first)

    lab.central.manager.cancelPeripheralConnection(peripheral)
    await lab.run(.seconds(1))

    Self.expectClosed(pair.near)
    Self.expectFailed(pair.far, .peripheralDisconnected)
  }

  @Test func `channel: a device that disconnects ends it`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()

    lab.meter.disconnectAll()
    await lab.run(.seconds(1))

    Self.expectFailed(pair.near, .peripheralDisconnected)
    Self.expectFailed(pair.far, .peripheralDisconnected)
  }

  @Test func `channel: a lost link is an error after received bytes`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    #expect(pair.near.outputStream.put(Self.bytes) == 1_000)
    await lab.run(.milliseconds(40))
    // Of these a part is on its way when the signal goes; it is not a whole data unit.
    #expect(pair.near.outputStream.put(Self.bytes) == 1_000)
    await lab.run(.milliseconds(20))

    lab.meter.position = SimulatedPosition(x: 900)
    await lab.run(.seconds(3))
    #expect(pair.near.outputStream.streamStatus == .open)
    await lab.run(.seconds(2))

    #expect(pair.far.inputStream.streamStatus == .open)
    #expect(pair.far.inputStream.take() == Self.bytes)
    Self.expectFailed(pair.far, .connectionTimeout)
    Self.expectFailed(pair.near, .connectionTimeout)
  }

  @Test func `channel: frames count as packets for faults`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    lab.meter.dropLink(afterPackets: 2)

    #expect(pair.near.outputStream.put(Self.bytes) == 1_000)
    await lab.run(.milliseconds(22))
    #expect(lab.central.log.count("disconnected") == 0)
    await lab.run(.milliseconds(1))

    #expect(lab.central.log.all.last == "disconnected disconnected CBErrorDomain 6")
    Self.expectFailed(pair.near, .connectionTimeout)
    Self.expectFailed(pair.far, .connectionTimeout)
  }

  // MARK: - Hosts

  @Test func `channel: powering off ends it on both sides`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    lab.phone.state = .poweredOff
    await lab.run(.seconds(1))
    Self.expectFailed(pair.near, .notConnected)
    Self.expectFailed(pair.far, .peripheralDisconnected)

    let other = Lab()
    let second = try await other.openChannel()
    other.meter.state = .poweredOff
    await other.run(.seconds(1))
    Self.expectFailed(second.near, .peripheralDisconnected)
    Self.expectFailed(second.far, .notConnected)
  }

  @Test func `channel: after a reset the other side waits for the supervision timeout`()
    async throws
  {
    let lab = Lab()
    let pair = try await lab.openChannel()

    lab.meter.state = .resetting
    await lab.run(.seconds(1))
    Self.expectFailed(pair.far, .notConnected)
    #expect(pair.near.outputStream.streamStatus == .open)
    await lab.run(.seconds(4))

    Self.expectFailed(pair.near, .connectionTimeout)
  }

  @Test func `channel: it ends with the program of the central`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()

    lab.central.dropManager()
    await lab.run(.seconds(1))

    Self.expectClosed(pair.near)
    Self.expectFailed(pair.far, .peripheralDisconnected)
  }

  @Test func `channel: it ends with the program of the device`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()

    lab.device.dropManager()
    await lab.run(.seconds(1))

    Self.expectFailed(pair.near, .peripheralDisconnected)
    Self.expectClosed(pair.far)
  }

  @Test func `channel: it ends with the process, even if the link is kept`() async throws {
    let lab = Lab(restoring: true)
    let pair = try await lab.openChannel()

    lab.phone.application.terminate()
    await lab.run(.seconds(1))

    Self.expectClosed(pair.far)
    #expect(lab.meter.connectedPeers.count == 1)
  }

  @Test func `channel: apps on one host have separate channels`() async throws {
    let lab = Lab()
    let pair = try await lab.openChannel()
    let other = CentralProbe(lab.phone, label: "other")
    await lab.powerUp()
    let peripheral = try #require(
      other.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "FFF0")]).first)
    other.keep(peripheral)
    other.manager.connect(peripheral)
    await lab.air.advance(by: .seconds(9)) { peripheral.state == .connected }
    peripheral.openL2CAPChannel(0x80)
    await lab.air.advance(by: .seconds(9)) { !other.channels.isEmpty }
    let second = ChannelPair(
      near: try #require(other.channels.first), far: try #require(lab.device.channels.last))
    second.openStreams()

    other.manager.cancelPeripheralConnection(peripheral)
    await lab.run(.seconds(1))

    Self.expectClosed(second.near)
    Self.expectClosed(second.far)
    #expect(pair.near.outputStream.put(Self.bytes) == 1_000)
    await lab.run(.seconds(1))
    #expect(pair.far.inputStream.take() == Self.bytes)
  }
}
