// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioCore
import Testing

extension [BluetoothEvent] {
  fileprivate func values(_ type: MetricType) -> [Double] {
    records.compactMap { $0.value(type) }
  }

  /// What the device's clock showed.
  fileprivate var times: [String?] { records.map { $0.time.deviceTime?.description } }

  fileprivate func tags(_ name: String) -> [String?] {
    records.map { record in record.tags.first { $0.name == name }?.value }
  }
}

extension LabPeer {
  /// The request that a glucose meter's control point was written last, when there were so many.
  fileprivate func request(_ count: Int) async throws -> String? {
    let event = try await ask("wait", "asked", "\(count)")["event"] as? [String: Any]
    return event?["value"] as? String
  }
}

/// A glucose meter and a thermometer of another stack, whose memories are written out in
/// Tests/BlueZLab/peers/devices.py.
@Suite(.serialized, .enabled(if: LabGuest.isHere), .timeLimit(.minutes(2)))
struct `Meters with BlueZ` {
  private func pair(
    _ peripheral: DeviceModel, _ session: SantorioSession
  ) async -> [BluetoothEvent] {
    let controller = BluetoothPeripheralController.lab(session: session)
    #expect(controller.startPairing(peripheral))
    return await controller.eventsUntilEnd()
  }

  /// Reads with a controller of its own, as in another process: only the session's folder knows
  /// what was read before.
  private func read(
    _ peripheral: DeviceModel, _ identifier: UUID, _ session: SantorioSession
  ) async -> [BluetoothEvent] {
    let controller = BluetoothPeripheralController.lab(session: session)
    #expect(controller.startReading(from: peripheral, only: [identifier]))
    return await controller.eventsUntilEnd()
  }

  @Test func `a glucose meter gives all its records, and later only the new ones`() async throws {
    let meter = try await LabPeer("meter", ["glucose", "--name", "Lab meter"])
    let session = try await SantorioSession.lab()
    let identifier = try await pair(.genericGlucose, session).paired
    // How many records there are is reported to bonded devices only.
    #expect(try await meter.request(1) == "0401")
    try await meter.ask("wait", "disconnected", "1")

    let all = await read(.genericGlucose, identifier, session)
    #expect(try await meter.request(2) == "0101")
    #expect(all.failure == nil && all.refusals == [.control])
    #expect(all.values(.bloodGlucose) == [88, 99.09, 100, 600])
    #expect(
      all.times == [
        "2024-02-29T00:05:00", "2026-08-12T07:05:00", "2026-08-12T07:05:00", "2026-03-01T00:10:00",
      ])
    #expect(all.records.map(\.glucoseRange) == [nil, nil, nil, .high])
    #expect(all.records.last?.metrics.first?.bound == .above)
    #expect(all.records.map(\.mealRelationship) == [nil, nil, nil, .fasting])
    try await meter.ask("wait", "disconnected", "2")

    // The same time and value as number 8 has.
    try await meter.ask("measure", "020b00ea07080c07050001d011")
    let new = await read(.genericGlucose, identifier, session)
    #expect(try await meter.request(3) == "0103010a00")
    #expect(new.failure == nil && new.refusals == [])
    #expect(new.values(.bloodGlucose) == [100] && new.times == ["2026-08-12T07:05:00"])
    try await meter.ask("wait", "disconnected", "3")

    let none = await read(.genericGlucose, identifier, session)
    #expect(try await meter.request(4) == "0103010b00")
    #expect(none.failure == nil && none.records == [])

    let pending = try await session.pendingRecords()
    #expect(pending.count { $0.kind != .rejected } == 5)
    // The control solution is kept as what it is.
    #expect(pending.count == 6 && Set(pending.map(\.logID)).count == 6)
    #expect(try await meter.count("pairing-started") == 1)
    try await meter.stop()
  }

  @Test func `a thermometer indicates what it has stored, once`() async throws {
    let thermometer = try await LabPeer(
      "thermometer", ["thermometer", "--name", "Lab thermometer"])
    let session = try await SantorioSession.lab()
    let stored = await pair(.genericThermometer, session)
    let identifier = try stored.paired
    #expect(stored.failure == nil && stored.values(.bodyTemperature) == [36.97, 37.2, 36.6])
    #expect(stored.times == ["2020-05-21T10:30:45", "2026-09-17T08:00:00", nil])
    // The last one has no place of its own: it is that of the Temperature Type.
    #expect(stored.tags("measurement_location") == ["armpit", "armpit", "body"])
    #expect(try await thermometer.count("confirmed") == 3)
    try await thermometer.ask("wait", "disconnected", "1")

    // 98.88 °F
    try await thermometer.ask("measure", "01a02600fe")
    let later = await read(.genericThermometer, identifier, session)
    #expect(later.failure == nil && later.values(.bodyTemperature) == [37.16])

    let pending = try await session.pendingRecords()
    #expect(pending.count == 4 && Set(pending.map(\.logID)).count == 4)
    #expect(try await thermometer.count("pairing-started") == 1)
    try await thermometer.stop()
  }
}
