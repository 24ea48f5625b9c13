// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Channels in real time` {
  private let air = SimulatedRadioEnvironment(mode: .realTime(speed: 500))

  /// Scans and connects.
  private func connect(_ central: CentralProbe) async throws -> CBPeripheral {
    await air.advance(by: .seconds(10_000)) { central.log.has("state poweredOn") }
    central.manager.scanForPeripherals(withServices: [CBUUID(string: "FFF0")])
    await air.advance(by: .seconds(10_000)) { central.log.has("discovered Meter") }
    central.manager.stopScan()
    let peripheral = try #require(central.peripherals.first)
    central.manager.connect(peripheral)
    await air.advance(by: .seconds(10_000)) { central.log.has("connected connected") }
    return peripheral
  }

  @Test func `channel: blocked threads exchange everything`() async throws {
    let central = CentralProbe(air.makeHost(named: "Phone"))
    let device = DeviceProbe(air.makeHost(named: "Meter"))
    let peripheral = try await connect(central)
    device.manager.publishL2CAPChannel(withEncryption: true)
    await air.advance(by: .seconds(10_000)) { !device.publishedNumbers.isEmpty }
    peripheral.openL2CAPChannel(try #require(device.publishedNumbers.first))
    await air.advance(by: .seconds(10_000)) {
      !central.channels.isEmpty && !device.channels.isEmpty
    }
    let pair = ChannelPair(
      near: try #require(central.channels.first), far: try #require(device.channels.first))
    pair.openStreams()
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 13 + $0 >> 8) }
    let (writer, reader) = (LoopThread(), LoopThread())

    writer.begin {
      var sent = 0
      while sent < bytes.count {
        let rest = Array(bytes[sent...].prefix(5_000))
        let count = pair.near.outputStream.write(rest, maxLength: rest.count)
        guard count > 0 else { break }
        sent += count
      }
      pair.near.inputStream.close()
      pair.near.outputStream.close()
    }
    let received = await reader.run { () -> [UInt8] in
      var result: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 3_000)
      var count = 1
      while count > 0 {
        count = pair.far.inputStream.read(&buffer, maxLength: buffer.count)
        result += buffer.prefix(max(0, count))
      }
      return result
    }

    #expect(received == bytes)
    #expect(pair.far.inputStream.streamStatus == .atEnd)
  }

  @Test func `channel: many threads at once leave no channel open`() async throws {
    let meter = air.makeHost(named: "Meter")
    let central = CentralProbe(air.makeHost(named: "Phone"))
    let device = DeviceProbe(meter)
    let peripheral = try await connect(central)
    for _ in 0..<3 { device.manager.publishL2CAPChannel(withEncryption: false) }
    await air.advance(by: .seconds(10_000)) { device.publishedNumbers.count == 3 }

    // Streams are used by one thread at a time.
    let (near, far) = (NSLock(), NSLock())
    await withTaskGroup { group in
      for number in 0..<4 {
        group.addTask { [air] in
          for round in 0..<40 {
            switch (number + round) % 4 {
            case 0: peripheral.openL2CAPChannel(0x80 + UInt16(round % 3))
            case 1: near.withLock { Self.exchange(on: central.channels) }
            case 2: far.withLock { Self.exchange(on: device.channels) }
            default: round % 8 < 4 ? central.forgetChannels() : device.forgetChannels()
            }
            try? await air.clock.sleep(for: .milliseconds(60))
          }
        }
      }
    }
    // The threads may have been faster than the air.
    await air.advance(by: .seconds(10_000)) {
      central.log.count("channel") + device.log.count("channel") > 0
    }
    let opened = central.log.count("channel") + device.log.count("channel")
    central.manager.cancelPeripheralConnection(peripheral)
    await air.advance(by: .seconds(10_000)) { meter.connectedPeers.isEmpty }

    #expect(opened > 0)
    for channel in central.channels + device.channels {
      #expect([.notOpen, .atEnd, .error].contains(channel.outputStream.streamStatus))
      #expect(!channel.outputStream.hasSpaceAvailable)
    }
  }

  private static func exchange(on channels: [CBL2CAPChannel]) {
    for channel in channels {
      channel.inputStream.open()
      channel.outputStream.open()
      _ = channel.inputStream.take(500)
      _ = channel.outputStream.put([UInt8](repeating: 1, count: 500))
    }
  }
}
