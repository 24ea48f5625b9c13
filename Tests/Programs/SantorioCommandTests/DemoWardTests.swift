// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing
import VirtualDevices

@testable import santorio

@Suite struct `The ward of the demonstration` {
  /// Noon, after midnight, before midnight, and the day on which summer time begins in Europe.
  static let beginnings = [1_774_353_600, 1_774_397_100, 1_774_396_500, 1_774_785_600]
    .map { Date(timeIntervalSince1970: $0) }

  private func kinds(_ now: Date) -> [WardDevice] {
    WardDevice.all(of: WardStory(calendar: WardCalendar(now: now)))
  }

  private func values(_ measurement: VirtualMeasurement) -> [(MetricType, Double)] {
    switch measurement.values {
    case .bloodPressure(let systolic, let diastolic, let pulse):
      [(.systolic, Double(systolic)), (.diastolic, Double(diastolic)), (.pulse, Double(pulse))]
    case .glucose(let milligrams, _): [(.bloodGlucose, Double(milligrams))]
    case .temperature(let celsius): [(.bodyTemperature, celsius)]
    case .weight(let kilograms, let fat):
      [(.bodyWeight, kilograms)] + (fat.map { [(.bodyFat, $0)] } ?? [])
    case .oximetry(let saturation, let pulse):
      [(.oxygenSaturation, Double(saturation)), (.pulse, Double(pulse))]
    case .heartRate(let rate): [(.pulse, Double(rate))]
    }
  }

  /// What is measured in the weeks before, and in the hours after.
  private func taken(_ kind: WardDevice, _ now: Date) -> [WardDevice.Taken] {
    kind.past
      + stride(from: 0, through: 36, by: 0.25).map { hours in
        kind.next(now.addingTimeInterval(hours * 3600))
      }
  }

  @Test(arguments: beginnings) func `has plausible values only`(now: Date) throws {
    for kind in kinds(now) {
      for taken in taken(kind, now) {
        for (type, value) in values(taken.measurement) {
          let definition = try #require(type.definition)
          #expect(definition.plausible.contains(value), "\(kind.model.id): \(type) \(value)")
        }
        guard case .bloodPressure(let systolic, let diastolic, _) = taken.measurement.values
        else { continue }
        #expect((20...80).contains(systolic - diastolic), "\(systolic)/\(diastolic)")
      }
    }
  }

  @Test(arguments: beginnings) func `has measured in the last three weeks`(now: Date) {
    for kind in kinds(now) {
      let dates = kind.past.map(\.date)
      #expect(dates == dates.sorted())
      #expect(dates.allSatisfy { (0...(22 * 86_400)).contains(now.timeIntervalSince($0)) })
      #expect(Set(dates).count == dates.count, "\(kind.model.id) has measured twice at a time")
      #expect(kind.past.count + kind.recordings.count > 0, "\(kind.model.id) has nothing to send")
    }
  }

  @Test func `has the same past all day`() {
    let morning = Self.beginnings[0].addingTimeInterval(-3600)
    for (kind, later) in zip(kinds(morning), kinds(Self.beginnings[0])) {
      // What has no memory measures when it is asked.
      guard kind.past.count > 1, kind.model.id != "cgm-sensor" else { continue }
      // The newest one may be of a fixed time before.
      let (past, laterPast) = (kind.past.dropLast(), later.past.prefix(kind.past.count - 1))
      #expect(past.map(\.measurement) == laterPast.map(\.measurement), "\(kind.model.id)")
      #expect(past.map(\.date) == laterPast.map(\.date), "\(kind.model.id)")
    }
  }

  @Test func `has another past on another day`() {
    let next = Self.beginnings[0].addingTimeInterval(86_400)
    for (kind, later) in zip(kinds(Self.beginnings[0]), kinds(next)) where kind.past.count > 5 {
      #expect(kind.past.map(\.measurement) != later.past.map(\.measurement), "\(kind.model.id)")
    }
  }

  @Test func `has four patients and a dozen devices, one of them shared`() {
    let kinds = kinds(Self.beginnings[0])
    #expect(kinds.count == 13)
    #expect(Set(kinds.map(\.model.id)).count == 13)
    #expect(
      DemoWard.patients.map(\.alias) == ["bed-1", "bed-2", "bed-3", "bed-4"]
        && DemoWard.patients.map(\.uid).first == "ward-7-bed-1")
    let owners = kinds.map { Set($0.owners.map(\.patient)) }
    #expect(owners.filter { $0.count > 1 } == [["bed-1", "bed-3"]])
    #expect(owners.reduce(into: Set()) { $0.formUnion($1) } == Set(DemoWard.patients.map(\.alias)))
    #expect(DemoWard.list.split(separator: "\n").count == 13)
  }

  @Test(arguments: beginnings) func `tells of a pressure that falls`(now: Date) throws {
    let monitor = try #require(kinds(now).first { $0.model.id == "bm54" })
    let pressures = monitor.past.filter { $0.patient == "bed-1" }.compactMap { taken in
      if case .bloodPressure(let upper, let lower, _) = taken.measurement.values {
        (upper, lower)
      } else {
        nil
      }
    }
    #expect((35...60).contains(pressures.count))
    let (first, last) = (pressures.prefix(6), pressures.suffix(6))
    #expect((155...169).contains(first.map(\.0).reduce(0, +) / 6))
    #expect((93...104).contains(first.map(\.1).reduce(0, +) / 6))
    #expect((130...142).contains(last.map(\.0).reduce(0, +) / 6))
    #expect((80...91).contains(last.map(\.1).reduce(0, +) / 6))
    #expect(monitor.past.filter { $0.patient == nil }.map(\.measurement.user) == [0xFF])
  }

  @Test(arguments: beginnings) func `tells of water and of a fever`(now: Date) throws {
    let scale = try #require(kinds(now).first { $0.model.id == "uc-352ble" })
    let weights = scale.past.compactMap { taken in
      if case .weight(let kilograms, _) = taken.measurement.values { kilograms } else { nil }
    }
    let before = try #require(weights.dropLast(6).last)
    #expect((1.2...2.5).contains(try #require(weights.last) - before))

    let thermometer = try #require(kinds(now).first { $0.model.id == "ut-201ble" })
    let temperatures = thermometer.past.compactMap { taken in
      if case .temperature(let celsius) = taken.measurement.values { celsius } else { nil }
    }
    #expect((38.3...39.8).contains(try #require(temperatures.first)))
    #expect((36.3...37.8).contains(try #require(temperatures.last)))
    #expect(thermometer.batteryPercent == 8)
  }

  @Test func `keeps as much as the devices can`() {
    // By the manufacturers' manuals: measurements of a user, or of all.
    let sizes = [
      "bm54": 120, "ua-651ble": 30, "accu-chek-guide": 720, "onetouch-verio-flex": 500,
      "uc-352ble": 25, "bf720": 30, "ut-201ble": 90, "o2ring": 4,
    ]
    for kind in kinds(Self.beginnings[2]) {
      guard let size = sizes[kind.model.id] else { continue }
      #expect(kind.past.count + kind.recordings.count <= size, "\(kind.model.id)")
    }
  }
}
