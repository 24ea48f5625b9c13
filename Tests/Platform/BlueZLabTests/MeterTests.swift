// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Testing

extension CBUUID {
  fileprivate static let glucose = CBUUID(string: "2A18")
  fileprivate static let recordAccess = CBUUID(string: "2A52")
  fileprivate static let temperature = CBUUID(string: "2A1C")
}

extension LabLink {
  fileprivate func characteristic(_ uuid: CBUUID) throws -> CBCharacteristic {
    let all = (peripheral.services ?? []).flatMap { $0.characteristics ?? [] }
    guard let found = all.first(where: { $0.uuid == uuid }) else {
      throw LabCentral.Missing(description: "no characteristic \(uuid)")
    }
    return found
  }

  /// Subscribes; bluetoothd pairs where the device wants that.
  fileprivate func subscribe(_ uuid: CBUUID) async throws {
    let (characteristic, peripheral) = (try characteristic(uuid), peripheral)
    let event = try await central.wait(
      for: "the subscription to \(uuid)",
      after: { _ in peripheral.setNotifyValue(true, for: characteristic) },
      { $0.first { $0.kind == .notifying && $0.attribute == uuid } })
    if let error = event.error { throw error }
  }

  /// Asks the Record Access Control Point, and gives what comes until its answer, in order.
  fileprivate func records(_ request: [UInt8]) async throws -> (records: [Data], answer: Data) {
    let (point, peripheral) = (try characteristic(.recordAccess), peripheral)
    return try await central.wait(
      for: "the answer to \(request)",
      after: { _ in peripheral.writeValue(Data(request), for: point, type: .withResponse) },
      { events in
        guard let answer = Self.values(of: .recordAccess, from: peripheral, in: events).first
        else { return nil }
        return (Self.values(of: .glucose, from: peripheral, in: events), answer)
      })
  }

  fileprivate func close() async throws {
    let peripheral = peripheral
    try await central.wait(
      for: "the end", after: { $0.cancelPeripheralConnection(peripheral) },
      { $0.first { $0.kind == .disconnected && $0.peripheral === peripheral } })
  }
}

/// What a glucose meter and a thermometer have stored, as their services hand it over; what it means
/// is for their codecs to say.
@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(1)))
struct `Meters with BlueZ` {
  private func number(_ record: Data) -> Int { Int(record[1]) | Int(record[2]) << 8 }

  @Test func `a glucose meter gives all its records, and later only the new ones`() async throws {
    let meter = try await LabPeer("meter", ["glucose", "--name", "Lab meter"])
    let central = try await LabCentral.ready()
    let link = try await LabLink.open("Lab meter", with: central)
    try await link.subscribe(.glucose)
    try await link.subscribe(.recordAccess)

    let all = try await link.records([1, 1])
    #expect(all.records.map(number) == [3, 7, 8, 9, 10])
    #expect(all.records.first == Data([3, 3, 0, 0xE8, 7, 2, 28, 23, 50, 0, 15, 0, 0x58, 0xB0, 17]))
    #expect(all.answer == Data([6, 0, 1, 1]))

    try await link.close()
    try await meter.ask("wait", "disconnected")
    try await meter.ask("measure", "020b00ea07080c07050001d011")
    let again = try await LabLink.open(link.peripheral, with: central)
    try await again.subscribe(.glucose)
    try await again.subscribe(.recordAccess)

    let new = try await again.records([1, 3, 1, 11, 0])
    #expect(new.records.map(number) == [11])
    let none = try await again.records([1, 3, 1, 12, 0])
    #expect(none.records == [] && none.answer == Data([6, 0, 1, 6]))
    #expect(try await meter.count("pairing-started") == 1)
    try await meter.stop()
  }

  @Test func `a thermometer indicates what it has stored, once`() async throws {
    let thermometer = try await LabPeer(
      "thermometer", ["thermometer", "--name", "Lab thermometer"])
    let central = try await LabCentral.ready()
    let link = try await LabLink.open("Lab thermometer", with: central)
    try await link.subscribe(.temperature)
    try await thermometer.ask("wait", "sent-all")
    let peripheral = link.peripheral
    let values = try await central.wait(for: "three temperatures") { _ in
      let values = LabLink.values(of: .temperature, from: peripheral, in: central.events)
      return values.count >= 3 ? values : nil
    }
    #expect(values.map(\.count) == [13, 13, 5])
    #expect(values.first == Data([6, 0x71, 0x0E, 0, 0xFE, 0xE4, 7, 5, 21, 10, 30, 45, 1]))

    try await link.close()
    let again = try await LabLink.open(peripheral, with: central)
    try await thermometer.ask("measure", "01a02600fe")
    let characteristic = try again.characteristic(.temperature)
    let later = try await central.wait(
      for: "the new temperature",
      after: { _ in peripheral.setNotifyValue(true, for: characteristic) },
      { LabLink.values(of: .temperature, from: peripheral, in: $0).first })
    #expect(later == Data([1, 0xA0, 0x26, 0, 0xFE]))
    #expect(try await thermometer.count("pairing-started") == 1)
    try await thermometer.stop()
  }
}
