// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords

@Suite struct `Driver of the Weight Scale Profile` {
  @Test func `reads a UC-352BLE and reports a failed weighing`() throws {
    var bench = DriverBench(
      .weightScaleProfile, .uc352BLE, clock: VirtualClock(offsetSeconds: -7))
    let result = bench.run()

    #expect(result.readings.map(\.rejection?.reason) == [nil, .failedMeasurement, nil])
    #expect(result.accepted.map { $0[.bodyWeight] } == [79.4, 79.3])
    #expect(
      result.accepted.first?.clock
        == .local(LocalDateTime(year: 2024, month: 3, day: 9, hour: 7, minute: 30, second: 0)))
    #expect(result.facts.first == .clockDrift(seconds: -7))
    #expect(result.writes.map(\.attribute) == [.weightScaleDateTime])
    #expect(result.end == .finish)
    #expect(result.elapsed == .seconds(4))
  }

  @Test func `reads the first generation of the UC-352BLE in steps of 0.1 kg and lb`() {
    var bench = DriverBench(.aAndDWeightScale, .uc352BLEOwnService)
    let result = bench.run()

    #expect(result.accepted.map { $0[.bodyWeight] } == [79.4, 78.88])
    #expect(result.end == .finish)
  }

  @Test func `reads pounds, index and height as kilograms and centimetres`() throws {
    let measurement = try WeightMeasurement(
      payload: [0x0D, 0x48, 0x3C, 0x02, 0xE3, 0x00, 0xB2, 0x02])
    let reading = DeviceReading(
      weight: measurement.weight, measurement, payload: measurement.payload)

    #expect(
      reading.values == [
        .init(.bodyWeight, 69.998), .init(.bodyHeight, 175.26), .init(.bmi, 22.7),
      ])
    #expect(reading.userSlot == 2)
  }
}

@Suite struct `A scale with users` {
  private static let user = DeviceUser(
    dateOfBirth: DateComponents(year: 1987, month: 7, day: 4),
    sex: .female, heightCentimeters: 170)

  @Test func `registers a new user, reports it once, and joins weight and composition`() throws {
    var bench = DriverBench(
      .weightScaleProfile, VirtualDeviceModel.bf720.make(VirtualClock(offsetSeconds: 3600)),
      user: Self.user)
    let result = bench.run()

    // Code 4324 is made of the time: 1774785600000 ms modulo 9973, plus 1.
    #expect(
      result.writes.map(\.bytes) == [
        [0x01, 0xE4, 0x10], [0x02, 0x01, 0xE4, 0x10], [0xC3, 0x07, 0x07, 0x04], [0x01],
        [0xAA, 0x00], [0x01, 0x00, 0x00, 0x00], [0xEA, 0x07, 3, 29, 14, 0, 0, 7, 0, 1],
      ])
    #expect(result.secrets == [.consent: [0x01, 0xE4, 0x10]])
    #expect(result.accepted.count == 2)
    #expect(
      result.accepted.first?.values == [
        .init(.bodyWeight, 79.96), .init(.bodyHeight, 183), .init(.bmi, 23.8),
        .init(.bodyFat, 19.7), .init(.bodyMuscle, 38), .init(.softLeanMass, 60.46),
        .init(.bodyWaterMass, 41.54), .init(.bodyImpedance, 469),
        .init(.basalMetabolicRate, 1690.25),
      ])
    #expect(result.accepted.first?.userSlot == 1)
    #expect(result.accepted.last?[.bodyWeight] == 80.11)
    #expect(result.accepted.last?[.bodyFat] == nil)
    #expect(result.facts.contains(.clockDrift(seconds: 3600)))
    #expect(result.end == .finish)
  }

  @Test func `asks for consent in each later session and registers nobody again`() {
    var bench = DriverBench(.weightScaleProfile, .bf720)
    _ = bench.run()
    bench.press(.measure(number: 1))
    let second = bench.run()

    #expect(second.writes.map(\.bytes.first) == [0x02])
    #expect(second.accepted.map { $0[.bodyWeight] } == [79.925])
    #expect(second.accepted.first?[.basalMetabolicRate] == 1690.25)
    #expect(second.accepted.first?[.bodyImpedance] == 469)
    #expect(second.accepted.first?.userSlot == 1)
  }

  @Test func `reads several users one after the other`() {
    var bench = DriverBench(.weightScaleProfile, .bf720)
    _ = bench.run()
    bench.press(.measure(number: 1))
    var both = DriverBench(
      .weightScaleProfile, bench.deviceNow, secrets: [.consent: [2, 0xD2, 0x04, 1, 0xE4, 0x10]])
    let result = both.run()

    #expect(result.accepted.map { $0[.bodyWeight] } == [70, 79.925])
    #expect(result.accepted.map(\.userSlot) == [2, 1])
    #expect(result.end == .finish)
    #expect(result.elapsed == .seconds(8))
  }

  @Test func `reads the other users when one code is wrong, and says so at the end`() {
    var bench = DriverBench(
      .weightScaleProfile, VirtualDeviceModel.bf720.make(VirtualClock()),
      secrets: [.consent: [2, 0, 0, 2, 0xD2, 0x04]])
    let result = bench.run()

    #expect(result.accepted.map { $0[.bodyWeight] } == [70])
    guard case .fail(let failure)? = result.end else {
      Issue.record("not told")
      return
    }
    #expect(failure.kind == .notAuthorized)
  }

  @Test func `does not read with a wrong code`() {
    var bench = DriverBench(
      .weightScaleProfile, VirtualDeviceModel.bf720.make(VirtualClock()),
      secrets: [.consent: [2, 0, 0]])
    let result = bench.run()

    #expect(result.readings.isEmpty)
    guard case .fail(let failure)? = result.end else {
      Issue.record("not refused")
      return
    }
    #expect(failure.kind == .notAuthorized)
    #expect(result.writes.map(\.bytes) == [[0x02, 2, 0, 0]])
  }

  @Test func `registers a new user when the old code is wrong`() {
    var bench = DriverBench(
      .weightScaleProfile, VirtualDeviceModel.bf720.make(VirtualClock()), purpose: .pair,
      secrets: [.consent: [2, 0, 0]])
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.secrets == [.consent: [0x01, 0xE4, 0x10]])
    #expect(result.end == .finish)
  }

  @Test func `gets a user's missing data again`() {
    var bench = DriverBench(
      .weightScaleProfile, VirtualDeviceModel.bf720.make(VirtualClock()),
      secrets: [.consent: [2, 0xD2, 0x04]], user: Self.user)
    let first = bench.run()
    bench.press(.measure(number: 1))
    let second = bench.run()

    #expect(
      first.writes.map(\.attribute) == [
        .userControlPoint, .dateOfBirth, .gender, .height, .databaseChangeIncrement,
      ])
    #expect(second.writes.map(\.attribute) == [.userControlPoint])
  }

  @Test func `sends everything again after a lost link`() {
    var bench = DriverBench(.weightScaleProfile, .bf720)
    bench.fault = .cut(afterValues: 4)
    #expect(bench.run().readings.isEmpty)
    bench.fault = nil

    #expect(bench.run().accepted.count == 2)
  }

  @Test func `reads a Renpho ES-WBE28 in steps of 0.05 kg, subscribing last`() throws {
    var bench = DriverBench(.renphoESWBE28, .esWBE28)
    let result = bench.run()

    #expect(
      result.writes.map(\.bytes) == [
        [0x10, 0x01, 0x00, 0x11], [0x03, 0x00, 0x01, 0x04], [0x19, 0x00, 0x19],
        [0x02, 0xAA, 0x0F, 0x27],
      ])
    #expect(result.accepted.map { $0[.bodyWeight] } == [94.9])
    #expect(result.accepted.first?.userSlot == nil)
    #expect(
      result.accepted.first?.clock
        == .local(LocalDateTime(year: 2026, month: 7, day: 4, hour: 12, minute: 26, second: 6)))
    #expect(result.secrets.isEmpty)
    #expect(result.end == .finish)
  }

  /// A driver that subscribes first gets nothing from it.
  @Test func `an ES-WBE28 stays silent to a plain driver`() {
    var bench = DriverBench(
      .weightScaleProfile, VirtualDeviceModel.esWBE28.make(VirtualClock()),
      secrets: [.consent: [0xAA, 0x0F, 0x27]])
    let result = bench.run()

    #expect(result.readings.isEmpty)
    guard case .fail(let failure)? = result.end else {
      Issue.record("no end")
      return
    }
    #expect(failure.kind == .timeout)
    #expect(result.elapsed == .seconds(30))
  }
}

@Suite struct `A scale that does something else` {
  private static let attributes: Set<GATTAttribute> = [
    .weightMeasurement, .bodyCompositionMeasurement,
  ]
  private var driver = ScaleDriver(DriverContext(attributes: attributes))

  private mutating func begin() {
    _ = driver.report(.begun, at: 0)
    _ = driver.report(.subscribed(.weightMeasurement), at: 0)
    #expect(driver.report(.subscribed(.bodyCompositionMeasurement), at: 0) == [.ready])
  }

  @Test mutating func `may disconnect while a weight waits for its composition`() {
    begin()
    #expect(driver.report(.value(.weightMeasurement, [0x00, 0x78, 0x3E]), at: 1) == [])

    #expect(driver.isComplete)
    guard case .deliver(let reading)? = driver.report(.ended, at: 1).first else {
      Issue.record("nothing delivered")
      return
    }
    #expect(reading[.bodyWeight] == 79.96)
  }

  @Test mutating func `may refuse its composition after it has sent a weight`() {
    _ = driver.report(.begun, at: 0)
    _ = driver.report(.subscribed(.weightMeasurement), at: 0)
    #expect(driver.report(.value(.weightMeasurement, [0x00, 0x78, 0x3E]), at: 0) == [])

    let failure = RequestFailure(code: 0x05)
    let actions = driver.report(
      .subscriptionFailed(.bodyCompositionMeasurement, failure), at: 0)

    #expect(refusals(in: actions) == [nil])
    #expect(actions.last?.failure == .communication)
  }

  @Test mutating func `may refuse its second user after it has sent a weight`() {
    driver = ScaleDriver(
      DriverContext(
        attributes: Self.attributes.union([GATTAttribute.userControlPoint]),
        secrets: [.consent: [1, 0, 0, 2, 0, 0]]))
    _ = driver.report(.begun, at: 0)
    for attribute in [
      GATTAttribute.userControlPoint, .weightMeasurement, .bodyCompositionMeasurement,
    ] { _ = driver.report(.subscribed(attribute), at: 0) }
    #expect(driver.report(.value(.userControlPoint, [0x20, 0x02, 0x01]), at: 0) == [.ready])
    #expect(driver.report(.timeReached, at: 4) == [.write(.userControlPoint, [0x02, 2, 0, 0])])
    #expect(driver.report(.value(.weightMeasurement, [0x00, 0x78, 0x3E]), at: 5) == [])

    let actions = driver.report(.value(.userControlPoint, [0x20, 0x02, 0x05]), at: 5)

    #expect(refusals(in: actions) == [nil])
    #expect(actions.last?.failure == .notAuthorized)
  }

  @Test mutating func `may send garbage`() {
    begin()
    for attribute in [GATTAttribute.weightMeasurement, .bodyCompositionMeasurement] {
      guard case .deliver(let reading)? = driver.report(.value(attribute, [0x0F]), at: 1).first
      else {
        Issue.record("nothing delivered")
        return
      }
      #expect(reading.rejection?.reason == .malformed)
    }
    #expect(driver.report(.timeReached, at: 5) == [.finish])
    #expect(driver.report(.timeReached, at: 9) == [])
  }

  @Test mutating func `may send a weight with a failed composition`() {
    begin()
    _ = driver.report(.value(.weightMeasurement, [0x00, 0x78, 0x3E]), at: 1)
    let actions = driver.report(
      .value(.bodyCompositionMeasurement, [0x00, 0x00, 0xFF, 0xFF]), at: 1)

    guard case .deliver(let reading)? = actions.first else {
      Issue.record("nothing delivered")
      return
    }
    #expect(reading.values == [.init(.bodyWeight, 79.96)])
    #expect(reading.findings == [.init("body_composition_failed")])
  }

  @Test mutating func `may send neither weight nor composition`() {
    begin()
    _ = driver.report(.value(.weightMeasurement, [0x00, 0xFF, 0xFF]), at: 1)
    let actions = driver.report(
      .value(.bodyCompositionMeasurement, [0x00, 0x00, 0xFF, 0xFF]), at: 1)

    guard case .deliver(let reading)? = actions.first else {
      Issue.record("nothing delivered")
      return
    }
    #expect(reading.rejection?.reason == .failedMeasurement)
  }

  @Test mutating func `may refuse to send its measurements`() {
    _ = driver.report(.begun, at: 0)

    let actions = driver.report(
      .subscriptionFailed(.weightMeasurement, RequestFailure(code: 0x05)), at: 0)

    guard case .fail(let failure)? = actions.last else {
      Issue.record("not refused")
      return
    }
    #expect(failure.kind == .communication)
    #expect(driver.report(.value(.userControlPoint, [0x20]), at: 1) == [])
  }
}
