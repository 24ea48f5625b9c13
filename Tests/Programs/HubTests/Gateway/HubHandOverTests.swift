// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthRecords
import SantorioBluetooth
import SantorioCore
import SantorioSQLite
import TestSupport
import Testing
import VirtualDevices

@testable import Hub

/// Devices that have changed hands, restarts, and decisions that were cut off.
@Suite(.timeLimit(.minutes(15))) struct `A device that has changed hands` {
  private let room: HubRoom
  private static let codes = ["bed-1": "4711", "bed-2": "4712"]

  init() throws { room = try HubRoom() }

  private func gateway() async throws -> HubGateway {
    let gateway = try room.gateway(room.text(codes: Self.codes))
    await gateway.start()
    return gateway
  }

  private func decisions(of alias: String, in gateway: HubGateway) async -> [HubStatus.Decision] {
    await gateway.update()
    return await gateway.status().patients.first { $0.alias == alias }?.decisions ?? []
  }

  /// A monitor that was bed-1's, and then nobody's.
  private func leftMonitor(in gateway: HubGateway) async throws -> RoomDevice {
    let device = room.device(.ua651BLE(memory: []))
    try await room.enroll(device, for: "bed-1", in: gateway)
    room.skip(3600)
    _ = await gateway.ask(.forget(device.identifier, patient: nil))
    return device
  }

  @Test func `keeps what was noted of it since, over a restart`() async throws {
    let device = room.device(.accuChekGuide)
    device.device.eraseMeasurements()
    let first = try await gateway()
    try await room.enroll(device, for: "bed-1", in: first)
    room.skip(3600)
    _ = await first.ask(.forget(device.identifier, patient: nil))
    try await room.enroll(device, for: "bed-2", in: first)
    func start(_ gateway: HubGateway) async -> OwnershipStart? {
      await gateway.sessions["bed-2"]?.receiver?.ownership(of: device.identifier)
    }
    device.device.measure(VirtualMeasurement(.glucose(milligramsPerDeciliter: 101)))
    #expect(try await room.advance(first) { await start(first)?.readToEnd != nil })
    let before = await start(first)
    await room.stop(first)
    let next = try await gateway()
    await room.advance(next, by: 5)
    #expect(await start(next) == before)
    await room.stop(next)
  }

  @Test func `releases no reading in bulk of the time in which it was nobody's`() async throws {
    let gateway = try await gateway()
    let device = try await leftMonitor(in: gateway)
    device.device.measure(pressure(171), at: room.now() + 3600)
    room.skip(7200)
    try await room.enroll(device, for: "bed-2", in: gateway)
    #expect(
      try await room.advance(gateway) { await decisions(of: "bed-2", in: gateway).count == 1 })
    #expect(await gateway.ask(.release(.patient("bed-2"))) == .released(0, left: 1))
    await room.stop(gateway)
  }

  @Test func `gives a reading to one patient where its release is cut off`() async throws {
    let gateway = try await gateway()
    let device = try await leftMonitor(in: gateway)
    device.device.measure(pressure(155), at: room.now() - 120)
    try await room.enroll(device, for: "bed-2", in: gateway)
    #expect(
      try await room.advance(gateway) { await decisions(of: "bed-2", in: gateway).count == 1 })
    let reading = try #require(await decisions(of: "bed-2", in: gateway).first)
    let database = try SQLiteDatabase(path: room.folder.path("hub/bed-2/outbox.sqlite"))
    try database.execute(
      "CREATE TRIGGER failing BEFORE UPDATE ON q WHEN new.held = 2 "
        + "BEGIN SELECT RAISE(ABORT, 'failing'); END")
    _ = await gateway.ask(.release(.records([reading.record], patient: "bed-1")))
    #expect(try await room.advance(gateway) { try await room.count(of: "bed-1") == 1 })
    try database.execute("DROP TRIGGER failing")
    let answer = await gateway.ask(.release(.records([reading.record], patient: "bed-2")))
    guard case .failed(let fault) = answer else { throw Unexpected(answer) }
    #expect(fault.message.contains("was being released to bed-1 when that was cut off"))
    #expect(await gateway.ask(.release(.patient("bed-2"))) == .released(0, left: 1))
    #expect(
      await gateway.ask(.release(.records([reading.record], patient: "bed-1"))) == .released(1))
    await room.advance(gateway, by: 30)
    #expect(try await room.count(of: "bed-1") == 1)
    #expect(try await room.count(of: "bed-2") == 0)
    #expect(gateway.memory.current.deciding.isEmpty)
    await room.stop(gateway)
  }

  @Test func `hands nothing out of one with another's serial number, once that is forgotten`()
    async throws
  {
    let (first, second) = (room.device(.bm54(memory: [])), room.device(.bm54(memory: [])))
    let gateway = try await gateway()
    try await room.enroll(first, for: "bed-1", slot: 1, in: gateway)
    try await room.enroll(first, for: "bed-2", slot: 2, in: gateway)
    try await room.enroll(second, for: "bed-2", slot: 1, in: gateway)
    try await room.enroll(second, for: "bed-1", slot: 2, in: gateway)
    let slots = try #require(DeviceModel(id: sharedCuff)).slots
    for device in [first, second] {
      device.device.measure(pressure(120, user: slots[0]))
      await room.advance(gateway, by: 60)
    }
    room.skip(4000)
    second.device.measure(pressure(133, user: slots[0]))
    #expect(
      try await room.advance(gateway) {
        await decisions(of: HubStatus.Patient.shared, in: gateway).contains {
          $0.values.first?.contains("133") == true
        }
      })
    _ = await gateway.ask(.forget(second.identifier, patient: nil))
    await room.advance(gateway, by: 60)
    #expect(try await room.readings(of: "bed-1").systolic.contains(133) == false)
    await room.stop(gateway)
  }

  private struct Unexpected: Error {
    let answer: HubAnswer
    init(_ answer: HubAnswer) { self.answer = answer }
  }
}
