// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import HealthRecords
import TestSupport
import Testing

@Suite struct `CGM driver` {
  @Test func `reads what the sensor says, subscribes, and asks for all records`() throws {
    var sensor = CGMDialogue()
    let request = try sensor.prepare()

    #expect(request == [.fact(.clockDrift(seconds: 0))] + (try cgmRequest("01 01")))
    #expect(sensor.hear(.written(.cgmRecordAccess)).isEmpty)
    let records = try sensor.hear(.cgmMeasurement, CGMDialogue.twoRecords)
    #expect(records.minutes == [5, 10])
    #expect(records.delivered.map { $0[.bloodGlucose] } == [95, 104])
    #expect(records.reached == [5, 10])
    #expect(try sensor.hear(.cgmRecordAccess, "06 00 01 01").isEmpty)
    #expect(sensor.isComplete)
    #expect(sensor.hear(.timeReached, at: 1) == [.finish])
    #expect(sensor.deadline == nil)
    #expect(sensor.hear(.timeReached, at: 9).isEmpty)
  }

  @Test func `reads the run time of a sensor that says it`() throws {
    var sensor = CGMDialogue(hasRunTime: true)
    _ = sensor.hear(.begun)
    _ = try sensor.hear(.cgmFeature, "000000 59 FFFF")
    _ = try sensor.hear(.cgmStatus, "3C00 000000")

    #expect(
      try sensor.hear(.cgmSessionStartTime, "EA07031D0B0000 00 00") == [.read(.cgmSessionRunTime)])
    #expect(try sensor.hear(.cgmSessionRunTime, "5001") == [.subscribe(.cgmMeasurement)])
  }

  @Test func `keeps the start of the session before the first record of it`() throws {
    var sensor = CGMDialogue()
    _ = try sensor.prepare()
    let first = try sensor.hear(.cgmMeasurement, "06 00 5F00 0500").checkpoints
    let second = try sensor.hear(.cgmMeasurement, "06 00 6800 0A00").checkpoints

    #expect(first == CGMDialogue.checkpoints(95, at: 5))
    #expect(first.map(\.memory) == ["session, universal", ""])
    #expect(first.first?.sequenceNumber == 1_774_782_000)
    #expect(second == [CGMDialogue.checkpoints(104, at: 10)[1]])
  }

  @Test func `asks for the last record read and those after it, and delivers these`() throws {
    var sensor = CGMDialogue(checkpoints: CGMDialogue.checkpoints(95, at: 5))

    #expect(try sensor.prepare().writes == (try cgmRequest("01 03 01 0500")))
    let actions = try sensor.hear(.cgmMeasurement, CGMDialogue.twoRecords)
    #expect(actions.minutes == [10])
    #expect(actions.reached == [10])
    _ = try sensor.hear(.cgmRecordAccess, "06 00 01 01")
    #expect(sensor.hear(.timeReached, at: 1) == [.finish])
  }

  @Test func `begins anew with another session`() throws {
    var sensor = CGMDialogue(checkpoints: CGMDialogue.checkpoints(95, at: 5))

    // It began at 11:50.
    let actions = try sensor.prepare(status: "0A00 000000", start: "EA07031D0B3200 00 00")
    #expect(actions.writes == (try cgmRequest("01 01")))
    let records = try sensor.hear(.cgmMeasurement, "06 00 5F00 0500")
    #expect(records.minutes == [5])
    #expect(records.checkpoints.first?.sequenceNumber == 1_774_785_000)
  }

  @Test func `knows a session again whose start has moved by some seconds`() throws {
    var sensor = CGMDialogue(checkpoints: CGMDialogue.checkpoints(95, at: 5))

    // It began at 11:00:50.
    let actions = try sensor.prepare(start: "EA07031D0B0032 00 00")
    #expect(actions.writes == (try cgmRequest("01 03 01 0500")))
    let reading = try #require(
      try sensor.hear(.cgmMeasurement, CGMDialogue.twoRecords).delivered.first)
    #expect(reading.identityTime?.description == "2026-03-29T11:00:00")
    #expect(reading.clock == .universal(1_774_782_600))
  }

  @Test func `asks for everything when the last record read is gone`() throws {
    var sensor = CGMDialogue(checkpoints: CGMDialogue.checkpoints(95, at: 5))
    _ = try sensor.prepare()
    // Another glucose at the same minute.
    let before = try sensor.hear(.cgmMeasurement, "06 00 6000 0500 06 00 6800 0A00")
    _ = try sensor.hear(.cgmRecordAccess, "06 00 01 01")
    #expect(!sensor.isComplete)

    #expect(before.minutes == [5, 10])
    #expect(before.reached.isEmpty)
    #expect(sensor.hear(.timeReached, at: 1) == (try cgmRequest("01 01")))
    let after = try sensor.hear(.cgmMeasurement, "06 00 5A00 0100 06 00 6000 0500")
    #expect(after.minutes == [1])
    #expect(after.reached == [1, 5])
    let rest = try sensor.hear(.cgmMeasurement, "06 00 6800 0A00")
    #expect(rest.minutes == [])
    #expect(rest.reached == [10])
  }

  @Test func `asks for everything when there are no records from the last one on`() throws {
    var sensor = CGMDialogue(checkpoints: CGMDialogue.checkpoints(95, at: 5))
    _ = try sensor.prepare()

    #expect(try sensor.hear(.cgmRecordAccess, "06 00 01 06") == (try cgmRequest("01 01")))
    #expect(try sensor.hear(.cgmRecordAccess, "06 00 01 06") == [.finish])
  }

  @Test func `asks for everything where the sensor does not know the filter`() throws {
    var sensor = CGMDialogue(checkpoints: CGMDialogue.checkpoints(95, at: 5))
    _ = try sensor.prepare()

    #expect(try sensor.hear(.cgmRecordAccess, "06 00 01 09") == (try cgmRequest("01 01")))
    #expect(try sensor.hear(.cgmMeasurement, CGMDialogue.twoRecords).minutes == [10])
  }

  @Test func `has nothing to read in an empty memory`() throws {
    var sensor = CGMDialogue()
    _ = try sensor.prepare()

    #expect(try sensor.hear(.cgmRecordAccess, "06 00 01 06") == [.finish])
  }

  @Test func `fails where the sensor does not support requests for records`() throws {
    var sensor = CGMDialogue()
    _ = try sensor.prepare()

    #expect(try sensor.hear(.cgmRecordAccess, "06 00 01 02").failureKind == .communication)
  }

  @Test func `says that the battery is low`() throws {
    var sensor = CGMDialogue()

    #expect(try sensor.prepare(status: "3C00 020000").first == .fact(.batteryLow))
  }

  @Test(
    arguments: [
      ("3B00", 0), ("3C00", 0), ("3D00", 60), ("0F00", -2640), ("5A00", 1800),
    ] as [(String, Double)])
  func `reports how far the sensor's minutes are off`(offset: String, drift: Double) throws {
    var sensor = CGMDialogue()

    #expect(try sensor.prepare(status: "\(offset) 000000").drift == drift)
  }
}

@Suite struct `CGM driver while pairing` {
  @Test func `gives the time, and is paired when a request is accepted`() throws {
    var sensor = CGMDialogue(purpose: .pair)
    #expect(try sensor.prepare(start: CGMDialogue.unset) == (try cgmTime("EA07031D0C0000 00 00")))
    _ = sensor.hear(.written(.cgmSessionStartTime))
    let request = try sensor.hear(.cgmSessionStartTime, "EA07031D0B0000 00 00")

    #expect(request.writes == (try cgmRequest("04 01")))
    #expect(!sensor.isComplete)
    #expect(sensor.hear(.written(.cgmRecordAccess)) == [.paired])
    #expect(sensor.isComplete)
    #expect(sensor.hear(.timeReached, at: 3.9).isEmpty)
    #expect(sensor.hear(.timeReached, at: 4) == [.finish])
  }

  @Test func `delivers what is measured meanwhile, and comes no further`() throws {
    var sensor = CGMDialogue(purpose: .pair)
    _ = try sensor.prepare()
    _ = sensor.hear(.written(.cgmRecordAccess))
    let actions = try sensor.hear(.cgmMeasurement, CGMDialogue.twoRecords)

    #expect(actions.minutes == [5, 10])
    #expect(actions.checkpoints.isEmpty)
    #expect(sensor.hear(.timeReached, at: 4) == [.finish])
  }

  @Test func `is paired with a sensor whose session has ended, whenever it began`() throws {
    var sensor = CGMDialogue(purpose: .pair)

    #expect(
      try sensor.prepare(status: "3C00 010100", start: CGMDialogue.unset)
        == (try cgmRequest("04 01")))
    #expect(sensor.hear(.written(.cgmRecordAccess)) == [.paired])
    #expect(sensor.hear(.timeReached, at: 4) == [.finish])
  }

  @Test func `is not paired without a bond`() throws {
    var sensor = CGMDialogue(purpose: .pair)
    _ = try sensor.prepare()

    #expect(
      sensor.hear(.writeFailed(.cgmRecordAccess, RequestFailure(code: 0x05))).failureKind
        == .notPaired)
  }
}
