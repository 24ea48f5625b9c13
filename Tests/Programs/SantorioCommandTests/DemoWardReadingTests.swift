// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
import Testing
import VirtualDevices

@testable import santorio

/// The ward and a gateway, on a clock that the test moves.
private struct Visit: Sendable {
  /// What came of a reading of all devices, by the number of their models.
  struct Found: Sendable {
    var records: [Int: [String: HealthRecord]] = [:]
    var rejected: [String] = []
    var errors: [String] = []

    mutating func take(_ event: BluetoothEvent, of model: DeviceModel) {
      switch event {
      case .reading(let record): records[model.id, default: [:]][record.logID] = record
      case .rejected(let rejected): self.rejected.append("\(model.name): \(rejected)")
      case .ended(.failed(let error, _)):
        // Some send all when they are paired, and are silent then.
        if error.code != .connectionTimeout { errors.append("\(model.name): \(error)") }
      default: break
      }
    }
  }

  let air = SimulatedRadioEnvironment(seed: 7)
  let ward: DemoWard
  let now: @Sendable () -> Date
  private let central: BluetoothCentral
  private let receiver: BluetoothReceiver

  init(at start: Date) {
    let clock = air.clock
    let begin = clock.now
    let now: @Sendable () -> Date = {
      start.addingTimeInterval(begin.duration(to: clock.now) / .seconds(1))
    }
    self.now = now
    var settings = BluetoothSettings()
    settings.clock = clock
    settings.now = now
    settings.takesEveryUser = true
    central = BluetoothCentral(managerOptions: air.makeHost(named: "Gateway").managerOptions)
    receiver = BluetoothReceiver(session: nil, settings: settings)
    ward = DemoWard(in: air, now: now)
    ward.switchOn()
  }

  /// Pairs the devices that need it, and reads all at the same time.
  func readAll(isFirst: Bool = true) async -> Found {
    let found = Locked(Found())
    await withTaskGroup { group in
      let time = Task {
        while !Task.isCancelled {
          await air.advance(by: .milliseconds(250))
          await Task.yield()
        }
      }
      for model in ward.devices.map(\.model) {
        group.addTask {
          if isFirst, model.requiresPairing {
            await report(central.pair([model], for: receiver), of: model, to: found)
          }
          await report(central.read([model], for: receiver), of: model, to: found)
        }
      }
      await group.waitForAll()
      time.cancel()
      await time.value
    }
    return found.withLock { $0 }
  }

  private func report(
    _ operation: DeviceOperation, of model: DeviceModel, to found: Locked<Found>
  ) async {
    for await event in operation.events { found.withLock { $0.take(event, of: model) } }
  }

  /// Lets the ward measure for a while.
  func measure(for duration: Duration) async {
    let running = Task { await ward.run() }
    // The first pause has to begin before time passes.
    for _ in 0..<100 { await Task.yield() }
    for _ in 0..<Int(duration / .seconds(1)) {
      await air.advance(by: .seconds(1))
      for _ in 0..<10 { await Task.yield() }
    }
    running.cancel()
    await air.advance(by: .seconds(1))
    await running.value
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Reading the ward of the demonstration` {
  private static let afternoon = Date(timeIntervalSince1970: 1_774_364_400)
  private static let night = Date(timeIntervalSince1970: 1_774_397_100)

  @Test(arguments: [afternoon, night])
  func `finds what was expected, and nothing else`(start: Date) async throws {
    let visit = Visit(at: start)
    let found = await visit.readAll()

    #expect(found.rejected == [])
    #expect(found.errors == [])
    var counts: [String?: Int] = [:]
    for placed in visit.ward.devices {
      let records = try #require(found.records[placed.model.id], "\(placed.model.name)").values
      for record in records {
        counts[try owner(of: record, by: placed), default: 0] += 1
        check(record, at: visit.now())
      }
    }
    #expect(counts == visit.ward.expectedReadings)
    #expect(counts[nil] == 1)
    #expect(counts.values.reduce(0, +) > 400)
  }

  /// Whose a reading is, by what the device says of its user.
  private func owner(of record: HealthRecord, by placed: DemoWard.Placed) throws -> String? {
    guard placed.owners.count > 1 else { return placed.owners.first?.patient }
    let numbering = try #require(placed.model.userNumbering)
    let label = record.source.device?.userSlot.flatMap(numbering.label)
    // Of one whom the device does not know the setting has decided.
    #expect((label == nil) == (record.userDecision != nil) && !record.isOfUnknownUser)
    return placed.owners.first { $0.slot == label }?.patient
  }

  private func check(_ record: HealthRecord, at now: Date) {
    #expect(record.kind != .rejected)
    let glucose = record.series.flatMap(\.readingLog).compactMap { $0.value }
    #expect(record.metrics.allSatisfy { $0.isPlausible }, "\(record)")
    #expect(glucose.allSatisfy { (70...260).contains($0) }, "\(record)")
    #expect(record.metrics.count + record.series.count > 0)
    #expect(record.sanityWarnings(now: now) == [], "\(record)")
    let age = now.timeIntervalSince(record.time.start)
    #expect((0...(22 * 86_400)).contains(age), "\(record)")
    if let systolic = record.value(.systolic), let diastolic = record.value(.diastolic) {
      #expect(diastolic < systolic)
    }
  }

  @Test func `finds the values of the stories, on the devices' clocks`() async throws {
    let visit = Visit(at: Self.afternoon)
    let found = await visit.readAll()
    let kinds = WardDevice.all(of: WardStory(calendar: WardCalendar(now: Self.afternoon)))
    for kind in kinds where kind.past.count > 1 {
      let records = try #require(found.records[kind.model.peripheralID]?.values)
      let dates = records.map(\.time.start).sorted()
      // To the minute, by some; and a slow clock is believed unless it was read soon afterwards.
      let corrected = records.count { $0.time.origin == .deviceCorrected }
      #expect(corrected == (kind.clockOffsetSeconds == 0 ? 0 : 1), "\(kind.model.id)")
      for (index, (date, taken)) in zip(dates, kind.past).enumerated() {
        let offset = index < dates.count - corrected ? kind.clockOffsetSeconds : 0
        let error = date.timeIntervalSince(taken.date) - offset
        #expect(abs(error) <= 61, "\(kind.model.id) \(date) \(taken.date)")
      }
      #expect(records.map(main).sorted() == kind.past.map(main).sorted(), "\(kind.model.id)")
    }
  }

  @Test func `finds a low battery and a slow clock`() async throws {
    let visit = Visit(at: Self.afternoon)
    let found = await visit.readAll()
    let batteries = found.records.mapValues { records in
      Set(records.values.compactMap(\.source.device?.batteryPercent))
    }
    #expect(batteries[VirtualDeviceModel.ut201BLE.peripheralID] == [8])
    #expect(batteries.values.filter { $0.contains { $0 < 20 } }.count == 1)
    let slow = VirtualDeviceModel.taiDocBloodPressure.peripheralID
    for (id, records) in found.records {
      for record in records.values {
        let drift = record.time.clockDriftSeconds ?? 0
        #expect(abs(drift - (id == slow ? -840 : 0)) < 61, "\(record)")
      }
    }
  }

  @Test func `finds new measurements later, which are of the past, too`() async throws {
    let visit = Visit(at: Self.afternoon)
    let first = await visit.readAll()
    await visit.measure(for: .seconds(900))
    let second = await visit.readAll(isFirst: false)
    #expect(second.rejected == [])
    for placed in visit.ward.devices {
      let known = Set(first.records[placed.model.id]?.keys.map(\.self) ?? [])
      let records = (second.records[placed.model.id] ?? [:]).filter { !known.contains($0.key) }
      // What broadcasts while nobody listens is lost.
      guard placed.model.id != VirtualDeviceModel.miScale.peripheralID else { continue }
      #expect(records.count >= 1, "\(placed.model.name): \(second.errors)")
      for record in records.values {
        check(record, at: visit.now())
        #expect(visit.now().timeIntervalSince(record.time.start) < 1800 + 900, "\(record)")
      }
    }
  }

  /// The first value of a reading.
  private func main(_ record: HealthRecord) -> Double {
    record.metrics.first?.value ?? record.series.first?.readingLog.first?.value ?? 0
  }

  private func main(_ taken: WardDevice.Taken) -> Double {
    switch taken.measurement.values {
    case .bloodPressure(let systolic, _, _): Double(systolic)
    case .glucose(let milligrams, _): Double(milligrams)
    case .temperature(let celsius): celsius
    case .weight(let kilograms, _): kilograms
    case .oximetry(let saturation, _): Double(saturation)
    case .heartRate(let rate): Double(rate)
    }
  }
}
