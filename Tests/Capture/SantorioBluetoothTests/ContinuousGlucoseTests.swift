// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore
import Testing
import VirtualDevices

/// A sensor that is replaced before its next measurement when the test says so.
private struct WornSensor: VirtualDeviceLogic {
  private var sensor: any VirtualDeviceLogic
  private let isReplaced: Locked<Bool>

  init(_ sensor: any VirtualDeviceLogic, isReplaced: Locked<Bool>) {
    self.sensor = sensor
    self.isReplaced = isReplaced
  }

  var services: [VirtualService] { sensor.services }
  var isAdvertising: Bool { sensor.isAdvertising }
  var deadline: Duration? { sensor.deadline }

  mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    if case .measure = input, isReplaced.withLock({ $0 }) {
      isReplaced.withLock { $0 = false }
      _ = sensor.handle(.subscribed(.cgmSpecificOps), at: time)
      // Stop the session, start another one.
      for request in [[0x1B], [0x1A]] as [[UInt8]] {
        _ = sensor.handle(.written(.cgmSpecificOps, request), at: time)
      }
      _ = sensor.handle(.unsubscribed(.cgmSpecificOps), at: time)
    }
    return sensor.handle(input, at: time)
  }

  static func model(isReplaced: Locked<Bool>) -> VirtualDeviceModel {
    let sensor = VirtualDeviceModel.cgmSensor
    return VirtualDeviceModel(
      id: "worn-sensor", summary: "A sensor that is replaced.", peripheralID: sensor.peripheralID,
      advertisedName: sensor.advertisedName, advertisedServices: sensor.advertisedServices,
      readingCount: sensor.readingCount
    ) { clock in WornSensor(sensor.make(clock), isReplaced: isReplaced) }
  }
}

extension [BluetoothEvent] {
  fileprivate var records: [HealthRecord] { compactMap(\.record) }

  fileprivate var glucose: [Double] {
    records.flatMap(\.series).flatMap(\.readingLog).compactMap(\.value)
  }

  /// Minutes from the time of the room.
  fileprivate var minutes: [Int] {
    records.map { Int($0.time.start.timeIntervalSince(Room.now) / 60) }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Continuous glucose monitor` {
  private let isReplaced: Locked<Bool>
  private let room: Room

  init() {
    let isReplaced = Locked(false)
    self.isReplaced = isReplaced
    room = Room(WornSensor.model(isReplaced: isReplaced))
  }

  private func pair(_ controller: BluetoothPeripheralController) async {
    room.monitor.enterPairingMode()
    #expect(controller.startPairing(.genericContinuousGlucose))
    let events = await room.events(of: controller)
    #expect(events.allSatisfy { $0.error == nil })
  }

  /// Reads a sensor that advertises, if need be because its user wants it to.
  private func read(_ controller: BluetoothPeripheralController) async -> [BluetoothEvent] {
    room.monitor.enterPairingMode()
    #expect(controller.startReading(from: .genericContinuousGlucose))
    let events = await room.events(of: controller)
    #expect(events.allSatisfy { $0.error == nil })
    return events
  }

  @Test func `is read to the last record, and gives nothing twice`() async throws {
    let offline = try await Offline()
    let controller = room.controller(session: offline.session)
    await pair(controller)
    let first = await read(controller)
    let second = await read(controller)

    #expect(first.glucose == [95, 104, 118, 54, 400, 122])
    // The session is an hour old.
    #expect(first.minutes == [-55, -50, -45, -35, -30, -25, -20])
    #expect(first.compactMap(\.refusal?.reason) == [.failedMeasurement])
    // The sensor showed HI without a number.
    #expect(
      first.records.flatMap(\.series).flatMap(\.readingLog).compactMap(\.absence) == [.aboveRange])
    #expect(first.records.allSatisfy { $0.kind == .cgm && $0.source.device?.peripheralID == 8000 })
    #expect(second.records.isEmpty)
    #expect(second.compactMap(\.refusal).isEmpty)
    let pending = try await offline.session.pendingRecords()
    #expect(
      pending.map(\.kind) == [.cgm, .cgm, .cgm, .rejected] + [RecordKind](repeating: .cgm, count: 4)
    )
  }

  @Test func `is read on, also when another session has begun`() async throws {
    let offline = try await Offline()
    let controller = room.controller(session: offline.session)
    await pair(controller)
    _ = await read(controller)
    room.monitor.measure()
    let second = await read(controller)
    isReplaced.withLock { $0 = true }
    room.monitor.measure()
    room.monitor.measure()
    let third = await read(controller)
    let fourth = await read(controller)

    #expect(second.glucose == [95])
    #expect(second.minutes == [0])
    #expect(third.glucose == [108, 121])
    #expect(fourth.records.isEmpty)
    let records = try await offline.session.pendingRecords()
    #expect(records.filter { $0.kind == .cgm }.count == 10)
    #expect(records.filter { $0.kind == .rejected }.count == 1)
    #expect(Set(records.map(\.logID)).count == 11)
  }

  @Test func `gives each receiver the same records`() async throws {
    let here = try await Offline()
    let there = try await Offline()
    let phone = room.controller(session: here.session)
    await pair(phone)
    let first = await read(phone)
    let second = await read(room.controller(session: there.session))

    #expect(first.records.count == 7)
    #expect(second.records.map(\.logID) == first.records.map(\.logID))
    #expect(second.records.map(\.series) == first.records.map(\.series))
  }
}
