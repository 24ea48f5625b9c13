// SPDX-License-Identifier: Apache-2.0

import AppleHealthExport
import Testing

@Suite struct `Elements of an export` {
  @Test func `reads a quantity record`() throws {
    let reading = try Reading(SampleDocument.document(SampleDocument.steps))
    let record = try #require(reading.found.records.first)
    let sample = record.sample
    #expect(reading[sample.type] == "HKQuantityTypeIdentifierStepCount")
    #expect(reading[sample.source] == "Phone")
    #expect(reading[sample.sourceVersion] == "12.3")
    #expect(
      reading[sample.device]
        == "name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone10,4, software:12.3")
    #expect(reading[record.unit] == "count")
    #expect(record.value == .number(417))
    // `date -u -d '2019-05-15 00:37:51' +%s` less 978307200.
    #expect(sample.created == ExportedInstant(seconds: 579_573_471, utcOffsetSeconds: -14_400))
    #expect(sample.start == ExportedInstant(seconds: 579_572_797, utcOffsetSeconds: -14_400))
    #expect(sample.end == ExportedInstant(seconds: 579_573_247, utcOffsetSeconds: -14_400))
    #expect(sample.metadata.isEmpty && record.beats.isEmpty && !record.isNested)
    let bytes = Array(SampleDocument.document(SampleDocument.steps).utf8)
    #expect(String(decoding: bytes[sample.offset...].prefix(12), as: UTF8.self) == "<Record type")
  }

  @Test func `reads a category record with metadata`() throws {
    let reading = try Reading(SampleDocument.document(SampleDocument.inBed))
    let record = try #require(reading.found.records.first)
    #expect(reading[record.sample.source] == "Sam’s Apple\u{A0}Watch")
    guard case .name(let name) = record.value else {
      Issue.record("the value is no name")
      return
    }
    #expect(reading[name] == "HKCategoryValueSleepAnalysisInBed")
    #expect(record.unit == nil && record.sample.device == nil)
    #expect(record.sample.metadata.map(\.value) == ["Europe/Zurich"])
    #expect(reading[record.sample.metadata.first?.key] == "HKTimeZone")
  }

  @Test func `reads a record without a value`() throws {
    let reading = try Reading(SampleDocument.document(SampleDocument.mindful))
    #expect(reading.found.records.map(\.value) == [.none])
    #expect(reading.problems.count == 0)
  }

  @Test func `reads the beats of a heart rate variability`() throws {
    let reading = try Reading(SampleDocument.document(SampleDocument.variability))
    let beats = try #require(reading.found.records.first).beats
    #expect(beats.map(\.beatsPerMinute) == [72, 68, 67])
    let times = beats.map { $0.timeOfDay.map { ($0 * 100).rounded() } }
    #expect(times == [7_126_186, 7_127_378, nil])
  }

  @Test func `keeps the records of a correlation together`() throws {
    let reading = try Reading(SampleDocument.document(SampleDocument.pressure))
    #expect(reading.found.records.isEmpty)
    let pressure = try #require(reading.found.correlations.first)
    #expect(reading[pressure.sample.type] == "HKCorrelationTypeIdentifierBloodPressure")
    #expect(pressure.sample.metadata.count == 1)
    #expect(pressure.records.map(\.value) == [.number(136), .number(69)])
    #expect(pressure.records.map(\.isNested) == [true, true])
    #expect(pressure.records.map(\.sample.metadata.count) == [1, 0])
    #expect(reading.counts.nestedRecords == 2 && reading.counts.records == 0)
  }

  @Test func `reads a workout of an old export`() throws {
    let reading = try Reading(SampleDocument.document(SampleDocument.oldWorkout))
    let workout = try #require(reading.found.workouts.first)
    #expect(reading[workout.sample.type] == "HKWorkoutActivityTypeRunning")
    #expect(workout.duration?.value == 5.19412346680959)
    #expect(reading[workout.duration?.unit] == "min")
    #expect(workout.totalDistance?.value == 0.4971749504535062)
    #expect(workout.totalEnergyBurned?.value == 48.74499999999999)
    #expect(reading[workout.totalEnergyBurned?.unit] == "kcal")
    #expect(workout.totalFlightsClimbed == nil && workout.statistics.isEmpty)
    #expect(workout.events.map { reading[$0.type] } == ["HKWorkoutEventTypePause"])
    #expect(workout.sample.metadata.map(\.value) == ["56 degF"])
    #expect(workout.locationCount == 2 && reading.counts.locations == 2)
  }

  @Test func `reads a workout of several activities`() throws {
    let reading = try Reading(SampleDocument.document(SampleDocument.newWorkout))
    let workout = try #require(reading.found.workouts.first)
    #expect(workout.sample.metadata.map(\.value) == ["0"])
    let event = try #require(workout.events.first)
    #expect(workout.events.count == 1)
    #expect(event.duration?.value == 2.5 && event.metadata.map(\.value) == ["41"])
    let activity = try #require(workout.activities.first)
    #expect(activity.identifier == "6E7E5D6C-0000-4000-8000-000000000001")
    #expect(activity.end?.seconds == 768_415_800)
    #expect(activity.statistics.map(\.sum) == [750])
    #expect(activity.events.map { reading[$0.type] } == ["HKWorkoutEventTypeLap"])
    #expect(activity.metadata.map(\.value) == ["25 m"])
    let rate = try #require(workout.statistics.first)
    #expect(workout.statistics.count == 1)
    #expect(rate.average == 92.5 && rate.minimum == 65 && rate.maximum == 125 && rate.sum == nil)
    #expect(workout.routePaths == ["/workout-routes/route_2025-06-07_11.59am.gpx"])
    #expect(reading.counts.routes == 1)
  }

  @Test(arguments: ["appleMoveTime", "appleMoveMinutes"])
  func `reads an activity summary`(name: String) throws {
    let text = SampleDocument.summary.split(separator: "appleMoveTime").joined(separator: name)
    let summary = try #require(try Reading(SampleDocument.document(text)).found.summaries.first)
    #expect(summary.day == ExportedDay(year: 2016, month: 11, day: 15))
    #expect(summary.activeEnergy == .init(amount: 590.252, goal: 630))
    #expect(summary.moveTime == .init(amount: 12, goal: 0))
    #expect(summary.exerciseTime == .init(amount: 68, goal: 30))
    #expect(summary.standHours == .init(amount: 13, goal: 12))
  }

  @Test func `counts what it does not read`() throws {
    let reading = try Reading(SampleDocument.document(SampleDocument.others))
    let counts = reading.counts
    #expect(counts.clinicalRecords == 1 && counts.audiograms == 1)
    #expect(counts.visionPrescriptions == 1)
    #expect(counts.unknown == ["StateOfMind": 1])
    #expect(reading.position.elements == 4)
    #expect(reading.problems.count == 0 && reading.found.records.isEmpty)
  }

  @Test func `delivers the header once before the samples`() throws {
    let reading = try Reading(SampleDocument.document(SampleDocument.steps))
    let header = try #require(reading.found.headers.first)
    #expect(reading.found.headers.count == 1)
    #expect(header.version == 14 && header.locale == "en_US")
    #expect(header.exported == ExportedInstant(seconds: 771_850_800, utcOffsetSeconds: 3600))
    #expect(header.characteristics.count == 5)
    #expect(
      header.characteristics["HKCharacteristicTypeIdentifierDateOfBirth"] == "1995-01-15")
  }

  @Test func `delivers the header of an export without samples`() throws {
    #expect(try Reading(SampleDocument.document("")).found.headers.count == 1)
  }

  @Test(arguments: [8, 11, 12, 14, nil])
  func `reads every version of the format`(version: Int?) throws {
    let content = SampleDocument.steps + SampleDocument.pressure
    let reading = try Reading(SampleDocument.document(version: version, content))
    #expect(reading.header.version == version)
    #expect(reading.counts.records == 1 && reading.counts.correlations == 1)
    #expect(reading.isComplete && reading.problems.count == 0)
    #expect(reading.counts.unknown.isEmpty)
  }

  @Test func `gives equal strings equal numbers`() throws {
    let reading = try Reading(SampleDocument.document(SampleDocument.steps + SampleDocument.steps))
    let records = reading.found.records
    #expect(records.count == 2)
    #expect(records.first?.sample.type == records.last?.sample.type)
    #expect(Set(reading.strings).count == reading.strings.count)
  }

  @Test func `takes the pointer out of a device`() throws {
    let other = SampleDocument.steps
      .split(separator: "0x282e19d10", omittingEmptySubsequences: false).joined(separator: "0x1")
    let reading = try Reading(SampleDocument.document(SampleDocument.steps + other))
    #expect(Set(reading.found.records.map(\.sample.device)).count == 1)
    #expect(!reading.strings.contains { $0.contains("0x") })
  }
}

@Suite struct `Properties of a device` {
  @Test func `keeps commas within a value`() {
    let device = ExportedDevice(
      "name:Apple Watch, manufacturer:Apple, Inc., model:Watch, hardware:Watch6,2, software:10.1")
    #expect(device.name == "Apple Watch")
    #expect(device.manufacturer == "Apple, Inc.")
    #expect(device.hardware == "Watch6,2")
    #expect(device.software == "10.1")
    #expect(device.firmware == nil)
  }

  @Test func `reads identifiers and passes over what is not a property of HealthKit's`() {
    let device = ExportedDevice(
      "name:Cuff, firmware:1.2, localIdentifier:A-1, UDIDeviceIdentifier:(01)1, creation date:1")
    #expect(device.firmware == "1.2")
    #expect(device.localIdentifier == "A-1")
    #expect(device.udi == "(01)1")
  }

  @Test(arguments: ["", "an unknown text", ", :, name", "name"])
  func `reads nothing from other texts`(text: String) {
    #expect(ExportedDevice(text).name == nil)
  }
}
