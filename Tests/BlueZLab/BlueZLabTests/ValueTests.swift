// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Testing

@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(1)))
struct `Values with BlueZ` {
  @Test func `reports the maximum value length`() async throws {
    _ = try await LabPeer.bench()
    let link = try await LabLink.open(with: try await LabCentral.ready())

    // The bench takes an MTU of 517 bytes, and bluetoothd offers as much.
    #expect(link.peripheral.maximumWriteValueLength(for: .withoutResponse) == 514)
    #expect(link.peripheral.maximumWriteValueLength(for: .withResponse) == 512)
  }

  @Test func `finds services, characteristics with properties, and descriptors`() async throws {
    _ = try await LabPeer.bench()
    let link = try await LabLink.open(with: try await LabCentral.ready())

    let long = try link.characteristic(1)
    try await link.central.wait(
      for: .descriptors, after: { _ in link.peripheral.discoverDescriptors(for: long) })
    let text = try await link.central.wait(for: .descriptorValue) { _ in
      for descriptor in long.descriptors ?? [] { link.peripheral.readValue(for: descriptor) }
    }

    let uuids = (link.peripheral.services ?? []).map(\.uuid.uuidString)
    #expect(uuids == [LabLink.bench.uuidString, "180A", "180F"])
    #expect(long.service?.characteristics?.count == 12)
    #expect(long.properties == [.read, .write])
    #expect(try link.characteristic(2).properties == .writeWithoutResponse)
    #expect(try link.characteristic(7).properties == .indicate)
    #expect(try link.characteristic(12).properties == [.notify, .indicate])
    #expect(long.descriptors?.map(\.uuid.uuidString) == ["2901"])
    #expect(text.attribute == CBUUID(string: "2901"))
    #expect(text.value == Data("long value".utf8))
  }

  @Test func `reads and writes 512 bytes, and refuses one more`() async throws {
    let bench = try await LabPeer.bench()
    let link = try await LabLink.open(with: try await LabCentral.ready())
    let value = Data((0..<512).map { UInt8($0 & 0xFF) })
    let reversed = Data(value.reversed())

    let read = try await link.read(1)
    try await link.write(reversed, 1)
    let readAgain = try await link.read(1)
    let refused = try await refusal { try await link.write(reversed + [0], 1) }

    #expect(read == value)
    #expect(readAgain == reversed)
    #expect(refused == .invalidAttributeValueLength)
    #expect(try await bench.count("written") == 1)
  }

  @Test func `passes the device's errors on`() async throws {
    _ = try await LabPeer.bench()
    let link = try await LabLink.open(with: try await LabCentral.ready())

    let read = try await refusal { _ = try await link.read(9) }
    var written: [Int?] = []
    let codes = [
      0x01, 0x02, 0x03, 0x04, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0D, 0x0E, 0x11, 0x80, 0x9F,
      0xFC, 0xFD, 0xFE, 0xFF,
    ]
    for code in codes {
      let refused = try await refusal { try await link.write(Data([UInt8(code)]), 9) }
      written.append(refused?.rawValue)
    }

    #expect(read?.rawValue == 0x80)
    #expect(written == codes)
  }

  @Test func `reports operations that the device does not allow`() async throws {
    _ = try await LabPeer.bench()
    let link = try await LabLink.open(with: try await LabCentral.ready())

    #expect(try await refusal { _ = try await link.read(2) } == .readNotPermitted)
    #expect(try await refusal { try await link.write(Data([1]), 4) } == .writeNotPermitted)
    #expect(try await refusal { try await link.notify(true, 1) } == .requestNotSupported)
  }

  @Test func `sends a thousand commands in order, as space allows`() async throws {
    let bench = try await LabPeer.bench()
    let link = try await LabLink.open(with: try await LabCentral.ready())
    let (peripheral, command) = (link.peripheral, try link.characteristic(2))

    // Looked at once to begin with, and then with each event, `ready` among them.
    var sent: UInt32 = 0
    let pauses = try await link.central.wait(for: "room for 1,000 commands") { events in
      while sent < 1000, peripheral.canSendWriteWithoutResponse {
        let number = withUnsafeBytes(of: sent.littleEndian) { Data($0) }
        peripheral.writeValue(number + Data(count: 196), for: command, type: .withoutResponse)
        sent += 1
      }
      return sent == 1000 ? events.count { $0.kind == .ready } : nil
    }
    let count = try await link.read(4)

    #expect(pauses >= 1)
    #expect(count.prefix(4) == Data([0xE8, 0x03, 0, 0]))
    let state = try await bench.ask("stats")
    #expect(state["commands"] as? Int == 1000)
    #expect(state["bytes"] as? Int == 200_000)
    #expect(state["out-of-order"] as? Int == 0)
  }

  @Test func `a request does not overtake commands`() async throws {
    _ = try await LabPeer.bench()
    let link = try await LabLink.open(with: try await LabCentral.ready())
    let (peripheral, command) = (link.peripheral, try link.characteristic(2))
    let counter = try link.characteristic(4)

    var counts: [UInt8] = []
    for _ in 0..<20 {
      let event = try await link.central.wait(for: .value) { _ in
        for _ in 0..<10 {
          peripheral.writeValue(Data(count: 200), for: command, type: .withoutResponse)
        }
        peripheral.readValue(for: counter)
      }
      counts.append(event.value?.first ?? 0)
    }

    #expect(counts == [UInt8](stride(from: 10, through: 200, by: 10)))
  }
}
