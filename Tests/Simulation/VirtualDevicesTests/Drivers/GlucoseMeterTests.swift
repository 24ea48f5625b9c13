// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing
import VirtualDevices
import HealthRecords

@Suite struct `Driver of the Glucose Profile` {
  @Test func `reads a meter's memory and reports results that are not readings`() throws {
    var bench = DriverBench(.glucoseProfile, .glucoseMeter)
    let result = bench.run()

    #expect(result.readings.map(\.sequenceNumber) == [3, 7, 9, 11, 13, 14])
    #expect(
      result.readings.map(\.rejection?.reason)
        == [nil, nil, .control, nil, .failedMeasurement, nil])
    #expect(result.accepted.map { $0[.bloodGlucose] } == [88, 600, nil, 99.09])
    #expect(result.accepted[1].values.first?.bound == .above)
    #expect(result.accepted[2].values == [Metric(.bloodGlucose, absent: .aboveRange)])
    #expect(result.accepted.map(\.mealRelationship) == [nil, .fasting, nil, .before])
    #expect(result.accepted[1].findings.contains(.init("out_of_bounds_blood_glucose", "high")))
    #expect(result.end == .finish)
    #expect(!result.isReady)
    #expect(result.events.contains(.transferred(measurements: 6)))
  }

  @Test func `delivers the user's time, and uses the base time for the identity`() throws {
    var bench = DriverBench(.glucoseProfile, .glucoseMeter)
    let first = try #require(bench.run().readings.first)

    #expect(
      first.clock
        == .local(LocalDateTime(year: 2024, month: 2, day: 29, hour: 0, minute: 5, second: 0)))
    #expect(
      first.identityTime
        == LocalDateTime(year: 2024, month: 2, day: 28, hour: 23, minute: 50, second: 0))
    #expect(
      first.findings == [
        .init("sample_type", "capillary_whole_blood"), .init("sample_location", "finger"),
      ])
  }

  @Test func `subscribes before requests, and reports facts before readings`() throws {
    var bench = DriverBench(
      .glucoseProfile, .glucoseMeter, clock: VirtualClock(offsetSeconds: -300))
    let result = bench.run()

    #expect(result.facts.contains(.serialNumber("GLP1-000417")))
    #expect(result.facts.suffix(2) == [.clockDrift(seconds: -300), .clockSet])
    #expect(
      result.writes.map(\.bytes) == [
        [0xEA, 0x07, 3, 29, 14, 0, 0, 7, 0, 1], [0x01, 0x01],
      ])
    #expect(result.events.first == .subscribed)
    #expect(result.events.contains(.clockSet))
  }

  @Test func `does not set a correct clock`() {
    var bench = DriverBench(.glucoseProfile, .glucoseMeter, clock: VirtualClock(offsetSeconds: 9))
    let result = bench.run()

    #expect(result.facts.contains(.clockDrift(seconds: 9)))
    #expect(!result.events.contains(.clockSet))
  }

  @Test func `transfers only new records`() throws {
    var bench = DriverBench(.glucoseProfile, .glucoseMeter)
    _ = bench.run()
    let idle = bench.run()
    bench.press(.measure(number: 1))
    bench.press(.measure(number: 2))
    let second = bench.run()
    let third = bench.run()

    #expect(idle.readings.isEmpty)
    #expect(idle.writes.last?.bytes == [0x01, 0x03, 0x01, 14, 0])
    #expect(second.readings.map(\.sequenceNumber) == [15, 16])
    #expect(second.readings.map { $0[.bloodGlucose] } == [95, 108])
    #expect(second.events.contains(.transferred(measurements: 3)))
    #expect(third.readings.isEmpty)
    #expect(third.writes.last?.bytes == [0x01, 0x03, 0x01, 16, 0])
    #expect(third.end == .finish)
  }

  @Test func `reads everything again when readings were not stored`() {
    var bench = DriverBench(.glucoseProfile, .glucoseMeter)
    bench.canStore = false
    let first = bench.run()
    bench.canStore = true
    let second = bench.run()

    #expect(first.readings.count == 6)
    #expect(first.checkpoints.isEmpty)
    #expect(second.readings == first.readings)
    #expect(second.checkpoints.map(\.sequenceNumber) == [14])
  }

  @Test func `continues after a lost link without gap or repetition`() throws {
    var bench = DriverBench(.glucoseProfile, .trueMetrixAir)
    bench.press(.remember(try Self.frames(5...304)))
    bench.fault = .cut(afterValues: 110)
    var numbers: [Int?] = []
    for _ in 0..<2 {
      let result = bench.run()
      #expect(result.end == nil)
      numbers += result.readings.map(\.sequenceNumber)
    }
    bench.fault = nil
    let last = bench.run()
    numbers += last.readings.map(\.sequenceNumber)

    #expect(numbers == Array(1...304))
    #expect(last.checkpoints.map(\.sequenceNumber) == [304])
    #expect(last.end == .finish)
  }

  @Test func `reads a cleared memory completely`() throws {
    let old = try Self.measurement(20, hour: 6).checkpoint(key: CheckpointKey())
    var bench = DriverBench(
      .glucoseProfile, VirtualDeviceModel.trueMetrixAir.make(VirtualClock()), checkpoints: [old])
    let result = bench.run()

    #expect(result.writes.map(\.bytes) == [[0x01, 0x03, 0x01, 20, 0], [0x01, 0x01]])
    #expect(result.readings.map(\.sequenceNumber) == [1, 2, 3, 4])
    #expect(result.checkpoints.map(\.sequenceNumber) == [4])
  }

  @Test func `reads a cleared and refilled memory completely`() throws {
    let old = try Self.measurement(2, hour: 23).checkpoint(key: CheckpointKey())
    var bench = DriverBench(
      .glucoseProfile, VirtualDeviceModel.trueMetrixAir.make(VirtualClock()), checkpoints: [old])
    let result = bench.run()

    #expect(result.writes.map(\.bytes) == [[0x01, 0x03, 0x01, 2, 0], [0x01, 0x01]])
    #expect(result.readings.map(\.sequenceNumber) == [1, 2, 3, 4])
  }

  @Test func `has nothing to read in an empty memory`() {
    var model = VirtualGlucoseMeter.Model(
      manufacturer: "", model: "", serialNumber: "1", firmwareRevision: "", memory: .empty)
    model.clock = .none
    var bench = DriverBench(
      .glucoseProfile, VirtualGlucoseMeter(model, clock: VirtualClock()))
    let result = bench.run()

    #expect(result.readings.isEmpty)
    #expect(result.checkpoints.isEmpty)
    #expect(result.end == .finish)
  }

  @Test func `continues from number 65535 to 0`() throws {
    var model = VirtualGlucoseMeter.Model(
      manufacturer: "", model: "", serialNumber: "1", firmwareRevision: "", memory: .empty)
    model.clock = .none
    var bench = DriverBench(
      .glucoseProfile, VirtualGlucoseMeter(model, clock: VirtualClock()))
    bench.press(.remember(try Self.frames(65_530...65_534)))
    let first = bench.run()
    bench.press(.remember(try Self.frames(65_535...65_537)))
    let second = bench.run()
    let third = bench.run()

    #expect(first.readings.map(\.sequenceNumber) == [65_530, 65_531, 65_532, 65_533, 65_534])
    #expect(second.readings.map(\.sequenceNumber) == [65_535, 0, 1])
    #expect(second.checkpoints.map(\.sequenceNumber) == [1])
    #expect(third.readings.isEmpty)
  }

  @Test func `pairs by asking for the number of records`() {
    var bench = DriverBench(.glucoseProfile, .glucoseMeter, purpose: .pair)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.writes.map(\.bytes).last == [0x04, 0x01])
    #expect(result.readings.isEmpty)
    #expect(result.checkpoints.isEmpty)
    #expect(result.end == .finish)
    #expect(result.elapsed == .seconds(4))
  }

  static func frames(_ numbers: ClosedRange<Int>) throws -> [[UInt8]] {
    try numbers.map { try measurement(UInt16(truncatingIfNeeded: $0), hour: 8).payload }
  }

  static func measurement(_ number: UInt16, hour: Int) throws -> GlucoseMeasurement {
    let time = LocalDateTime(year: 2026, month: 3, day: 20, hour: hour, minute: 0, second: 0)
    return GlucoseMeasurement(
      sequenceNumber: number, baseTime: Timestamp(time),
      sample: GlucoseSample(concentration: try MedicalFloat16(0.001, exponent: -5)))
  }
}

@Suite struct `Drivers of glucose meters` {
  @Test(arguments: [
    (VirtualDeviceModel.glucoseMeter, DriverModel.glucoseProfile),
    (.trueMetrixAir, .glucoseProfile), (.accuChekGuide, .accuChek), (.contourNextOne, .contour),
    (.careSensNPremier, .careSens), (.beurerGL49, .beurerGlucose),
  ])
  func `find as many readings as a meter reports`(
    virtual: VirtualDeviceModel, driver: DriverModel
  ) {
    var bench = DriverBench(driver, virtual)
    let first = bench.run()
    let second = bench.run()

    #expect(first.accepted.count == virtual.readingCount)
    #expect(first.end == .finish)
    #expect(first.facts.contains { if case .serialNumber = $0 { true } else { false } })
    #expect(second.readings.isEmpty)
    #expect(second.end == .finish)
  }

  @Test(arguments: [
    (VirtualDeviceModel.glucoseMeter, DriverModel.glucoseProfile),
    (.trueMetrixAir, .glucoseProfile), (.accuChekGuide, .accuChek), (.contourNextOne, .contour),
    (.careSensNPremier, .careSens), (.beurerGL49, .beurerGlucose),
  ])
  func `pair with a meter`(virtual: VirtualDeviceModel, driver: DriverModel) {
    var bench = DriverBench(driver, virtual, purpose: .pair)
    let result = bench.run()

    #expect(result.isPaired)
    #expect(result.end == .finish)
  }

  @Test func `reject an Accu-Chek's unlisted results, and recognise HI and LO`() throws {
    var bench = DriverBench(.accuChek, .accuChekGuide, clock: VirtualClock(offsetSeconds: 120))
    let result = bench.run()

    #expect(result.readings.map(\.sequenceNumber) == [4392, 4393, 4394, 4395, 4396])
    #expect(result.readings.map(\.rejection?.reason) == [nil, .control, nil, nil, nil])
    #expect(result.accepted.map { $0[.bloodGlucose] } == [110, 600, 10, 148])
    #expect(
      result.accepted.map { $0.findings.first { $0.name == "out_of_bounds_blood_glucose" }?.value }
        == [nil, "high", "low", nil])
    #expect(result.accepted.last?.mealRelationship == .after)
    #expect(result.accepted.last?.findings.contains(.init("carbohydrate_grams", "45")) == true)
    #expect(result.facts.contains(.clockDrift(seconds: 120)))
    #expect(result.writes.first?.bytes == [0xEA, 0x07, 3, 29, 14, 0, 0])
  }

  @Test func `set a Contour's clock in universal time, and request records by number`() throws {
    var bench = DriverBench(.contour, .contourNextOne, clock: VirtualClock(offsetSeconds: 999))
    let result = bench.run()
    bench.press(.measure(number: 1))
    let second = bench.run()

    #expect(
      result.writes.map(\.bytes) == [
        [0x01, 0xEA, 0x07, 3, 29, 12, 0, 0, 120, 0], [0x01, 0x03, 0x01, 0, 0],
      ])
    #expect(result.accepted.map { $0[.bloodGlucose] } == [91, 161, 104])
    #expect(result.readings.map(\.rejection?.reason) == [nil, nil, .control, nil])
    #expect(
      result.accepted.first?.clock
        == .local(LocalDateTime(year: 2026, month: 3, day: 12, hour: 6, minute: 58, second: 0)))
    #expect(
      second.accepted.map(\.clock) == [
        .local(LocalDateTime(year: 2026, month: 3, day: 29, hour: 14, minute: 0, second: 0))
      ])
  }

  @Test func `read a CareSens's clock and distinguish glucose and ketone`() throws {
    var bench = DriverBench(.careSens, .careSensNPremier, clock: VirtualClock(offsetSeconds: -60))
    let result = bench.run()

    #expect(
      result.writes.map(\.bytes) == [
        [0xC0, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0], [0xC0, 3, 1, 0, 0xEA, 0x07, 3, 29, 14, 0, 0],
        [0x01, 0x01],
      ])
    #expect(result.facts.contains(.clockDrift(seconds: -60)))
    #expect(result.readings.map(\.rejection?.reason) == [nil, nil, nil, .control, nil])
    #expect(
      result.accepted.map(\.values) == [
        [.init(.bloodGlucose, 105)], [.init(.bloodKetone, 1.2)],
        [.init(.bloodKetone, 8, bound: .above)],
        [.init(.bloodGlucose, 123)],
      ])
    #expect(
      result.accepted[2].findings.contains(.init("out_of_bounds_blood_ketone", "high")))
  }

  @Test func `wait until a Beurer accepts requests`() throws {
    var bench = DriverBench(.beurerGlucose, .beurerGL49)
    let result = bench.run()
    var impatient = DriverBench(.glucoseProfile, .beurerGL49)
    let unheard = impatient.run()

    #expect(result.accepted.map { $0[.bloodGlucose] } == [97.28, 147.73])
    #expect(unheard.readings.isEmpty)
    guard case .fail(let failure) = unheard.end else {
      Issue.record("it ended with \(String(describing: unheard.end))")
      return
    }
    #expect(failure.kind == .timeout)
  }
}
