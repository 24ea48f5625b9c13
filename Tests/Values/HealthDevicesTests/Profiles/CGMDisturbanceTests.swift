// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import TestSupport
import Testing

@Suite struct `CGM driver and disturbances` {
  @Test func `reads a damaged value again, three times in all`() throws {
    var sensor = CGMDialogue()
    _ = sensor.hear(.begun)
    _ = try sensor.hear(.cgmFeature, "001000 59 F049")

    #expect(try sensor.hear(.cgmStatus, "3C00 000000 6893") == [.read(.cgmStatus)])
    #expect(try sensor.hear(.cgmStatus, "3D00 000000 6993") == [.read(.cgmStatus)])
    #expect(try sensor.hear(.cgmStatus, "3C00 000000 6993") == [.read(.cgmSessionStartTime)])

    // Without its check.
    #expect(
      try sensor.hear(.cgmSessionStartTime, "EA07031D0B0000 00 00") == [.read(.cgmSessionStartTime)]
    )
    #expect(
      try sensor.hear(.cgmSessionStartTime, "EA07031D0B") == [.read(.cgmSessionStartTime)])
    #expect(try sensor.hear(.cgmSessionStartTime, "").failureKind == .communication)
  }

  @Test func `goes on without a feature that stays damaged`() throws {
    var sensor = CGMDialogue()
    _ = sensor.hear(.begun)

    #expect(try sensor.hear(.cgmFeature, "001000 59 0000") == [.read(.cgmFeature)])
    #expect(try sensor.hear(.cgmFeature, "001000 59 0000") == [.read(.cgmFeature)])
    #expect(try sensor.hear(.cgmFeature, "001000 59 0000") == [.read(.cgmStatus)])
  }

  @Test func `rejects a damaged record, comes no further, and asks for it again`() throws {
    var sensor = CGMDialogue()
    _ = try sensor.prepare(
      feature: "001000 59 F049", status: "3C00 000000 6993", start: "EA07031D0B0000 00 00 467B")
    let first = try sensor.hear(.cgmMeasurement, "08 00 5F00 0500 7F30")
    let damaged = try sensor.hear(.cgmMeasurement, "08 00 6900 0A00 64A8")
    let third = try sensor.hear(.cgmMeasurement, "08 00 7600 0F00 3FBB")
    _ = try sensor.hear(.cgmRecordAccess, "06 00 01 01")
    #expect(!sensor.isComplete)

    #expect(first.reached == [5])
    #expect(damaged.delivered.map(\.rejection?.reason) == [.malformed])
    #expect(damaged.delivered.first?.payload == (try bytes("08 00 6900 0A00 64A8")))
    #expect(third.minutes == [15])
    #expect(third.reached.isEmpty)
    #expect(sensor.hear(.timeReached, at: 1) == (try cgmRequest("01 03 01 0500")))
    let again = try sensor.hear(
      .cgmMeasurement, "08 00 5F00 0500 7F30 08 00 6800 0A00 64A8")
    #expect(again.minutes == [10])
    #expect(try sensor.hear(.cgmMeasurement, "08 00 7600 0F00 3FBB").reached == [15])
    _ = try sensor.hear(.cgmRecordAccess, "06 00 01 01")
    #expect(sensor.hear(.timeReached, at: 2) == [.finish])
  }

  @Test func `passes a record that is damaged in the sensor itself`() throws {
    var sensor = CGMDialogue()
    _ = try sensor.prepare()
    let damaged = "08 00 6900 0A00 64A8"
    #expect(try sensor.hear(.cgmMeasurement, damaged).delivered.count == 1)
    _ = try sensor.hear(.cgmRecordAccess, "06 00 01 01")
    _ = sensor.hear(.timeReached, at: 1)

    #expect(try sensor.hear(.cgmMeasurement, damaged).isEmpty)
    #expect(try sensor.hear(.cgmMeasurement, "06 00 7600 0F00").reached == [15])
    _ = try sensor.hear(.cgmRecordAccess, "06 00 01 01")
    #expect(sensor.hear(.timeReached, at: 2) == [.finish])
  }

  @Test func `gives up when records arrive damaged time and again`() throws {
    var sensor = CGMDialogue()
    _ = try sensor.prepare()
    var last: [DriverAction] = []
    for round in 1...4 {
      _ = try sensor.hear(.cgmMeasurement, "08 00 6900 0A00 000\(round)")
      _ = try sensor.hear(.cgmRecordAccess, "06 00 01 01")
      last = sensor.hear(.timeReached, at: Double(round))
      #expect((last.failureKind == .communication) == (round == 4))
    }
    #expect(last.count == 1)
  }

  @Test func `rejects a record without a check of a sensor that sends checks`() throws {
    var sensor = CGMDialogue()
    _ = try sensor.prepare(
      feature: "001000 59 F049", status: "3C00 000000 6993", start: "EA07031D0B0000 00 00 467B")
    let actions = try sensor.hear(.cgmMeasurement, "06 00 5F00 0500")

    #expect(actions.delivered.map(\.rejection?.reason) == [.malformed])
    #expect(actions.count == 1)
  }

  @Test func `takes what is measured meanwhile, and asks for what may lie before it`() throws {
    var sensor = CGMDialogue()
    _ = try sensor.prepare()
    let stored = try sensor.hear(.cgmMeasurement, "06 00 5F00 0500")
    let measured = try sensor.hear(.cgmMeasurement, "06 00 8000 3E00")
    let last = try sensor.hear(.cgmMeasurement, "06 00 7F00 3C00")
    _ = try sensor.hear(.cgmRecordAccess, "06 00 01 01")

    #expect(stored.reached == [5])
    #expect(measured.minutes == [62])
    #expect(measured.reached.isEmpty)
    #expect(last.minutes == [60])
    #expect(!sensor.isComplete)
    #expect(sensor.hear(.timeReached, at: 1) == (try cgmRequest("01 03 01 0500")))
    let missing = try sensor.hear(
      .cgmMeasurement, "06 00 7F00 3C00 06 00 8100 3D00 06 00 8000 3E00")
    #expect(missing.minutes == [61])
    #expect(missing.reached == [60, 61])
    _ = try sensor.hear(.cgmRecordAccess, "06 00 01 01")
    #expect(sensor.isComplete)
    let end = sensor.hear(.timeReached, at: 2)
    #expect(end.reached == [62])
    #expect(end.last == .finish)
  }

  @Test func `holds what is measured before it knows the session`() throws {
    var sensor = CGMDialogue()
    _ = sensor.hear(.begun)
    #expect(try sensor.hear(.cgmMeasurement, "06 00 8000 3C00").isEmpty)
    _ = try sensor.hear(.cgmFeature, "000000 59 FFFF")
    _ = try sensor.hear(.cgmStatus, "3C00 000000")
    _ = try sensor.hear(.cgmSessionStartTime, "EA07031D0B0000 00 00")
    _ = sensor.hear(.subscribed(.cgmMeasurement))
    let actions = sensor.hear(.subscribed(.cgmRecordAccess))

    #expect(actions.minutes == [60])
    #expect(actions.reached.isEmpty)
    #expect(actions.writes == (try cgmRequest("01 01")))
  }

  @Test func `takes back how far it came when an older record follows`() throws {
    var sensor = CGMDialogue()
    _ = try sensor.prepare()
    _ = try sensor.hear(.cgmMeasurement, "06 00 6800 0A00")
    let older = try sensor.hear(.cgmMeasurement, "06 00 5F00 0500")
    let newer = try sensor.hear(.cgmMeasurement, "06 00 7600 0F00")
    _ = try sensor.hear(.cgmRecordAccess, "06 00 01 01")

    #expect(older.minutes == [5])
    #expect(older.reached == [-1])
    #expect(newer.reached.isEmpty)
    #expect(sensor.hear(.timeReached, at: 1).reached == [15])

    var next = CGMDialogue(checkpoints: older.checkpoints)
    #expect(try next.prepare().writes == (try cgmRequest("01 01")))
  }

  @Test func `keeps how far it came when the sensor falls silent`() throws {
    var sensor = CGMDialogue()
    _ = try sensor.prepare()
    #expect(sensor.deadline == .seconds(30))
    #expect(try sensor.hear(.cgmMeasurement, CGMDialogue.twoRecords).reached == [5, 10])

    #expect(sensor.hear(.timeReached, at: 29).isEmpty)
    let actions = sensor.hear(.timeReached, at: 30)
    #expect(actions.failureKind == .timeout)
    #expect(actions.count == 1)
  }

  @Test func `keeps the end of a transfer whose link is lost after the end was reported`() throws {
    var sensor = CGMDialogue()
    _ = try sensor.prepare(status: "0A00 000000")
    #expect(try sensor.hear(.cgmMeasurement, CGMDialogue.twoRecords).reached == [5])
    #expect(sensor.hear(.ended).isEmpty)
    _ = try sensor.hear(.cgmRecordAccess, "06 00 01 01")

    #expect(sensor.hear(.ended).reached == [10])
  }

  @Test func `subscribes anew, in order, when the sensor has lost its subscriptions`() throws {
    var sensor = CGMDialogue()
    _ = try sensor.prepare()

    #expect(
      sensor.hear(.writeFailed(.cgmRecordAccess, RequestFailure(code: 0xFD))) == [
        .subscribe(.cgmMeasurement), .subscribe(.cgmRecordAccess),
      ])
    #expect(sensor.hear(.subscribed(.cgmMeasurement)).isEmpty)
    #expect(sensor.hear(.subscribed(.cgmRecordAccess)) == (try cgmRequest("01 01")))
  }

  @Test func `aborts a request in progress and asks again`() throws {
    var sensor = CGMDialogue()
    _ = try sensor.prepare()

    #expect(
      sensor.hear(.writeFailed(.cgmRecordAccess, RequestFailure(code: 0xFE)), at: 1)
        == (try cgmRequest("03 00")))
    #expect(try sensor.hear(.cgmRecordAccess, "06 00 03 01").isEmpty)
    #expect(sensor.hear(.timeReached, at: 3) == (try cgmRequest("01 01")))
  }

  @Test func `fails without its subscriptions, and without a bond`() throws {
    var sensor = CGMDialogue()
    _ = try sensor.prepare()
    #expect(
      sensor.hear(.writeFailed(.cgmRecordAccess, RequestFailure(code: 0x0F))).failureKind
        == .notPaired)

    var other = CGMDialogue()
    _ = other.hear(.begun)
    _ = try other.hear(.cgmFeature, "000000 59 FFFF")
    _ = try other.hear(.cgmStatus, "3C00 000000")
    _ = try other.hear(.cgmSessionStartTime, "EA07031D0B0000 00 00")
    #expect(
      other.hear(.subscriptionFailed(.cgmMeasurement, RequestFailure(code: 0x05))).failureKind
        == .communication)
  }
}
