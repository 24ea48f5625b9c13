// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import TestSupport
import Testing

@Suite struct `CGM driver and the time` {
  @Test func `gives it to a sensor that has none, and reads back when the session began`() throws {
    var sensor = CGMDialogue(utcOffsetSeconds: 7200)

    #expect(
      try sensor.prepare(status: "3C00 000100", start: CGMDialogue.unset)
        == (try cgmTime("EA07031D0E0000 08 00")))
    #expect(sensor.hear(.written(.cgmSessionStartTime)) == [.read(.cgmSessionStartTime)])
    let request = try sensor.hear(.cgmSessionStartTime, "EA07031D0D0000 08 00")
    #expect(request == [.fact(.clockDrift(seconds: 0))] + (try cgmRequest("01 01")))
    let reading = try #require(
      try sensor.hear(.cgmMeasurement, CGMDialogue.twoRecords).delivered.first)
    #expect(reading.clock == .universal(1_774_782_300))
    #expect(reading.identityTime?.description == "2026-03-29T11:00:00")
  }

  @Test func `gives it to a sensor that asks for it, though it has one`() throws {
    var sensor = CGMDialogue()

    #expect(
      try sensor.prepare(status: "3C00 000100") == (try cgmTime("EA07031D0C0000 00 00")))
  }

  @Test func `does not touch that of a sensor that has one`() throws {
    var sensor = CGMDialogue()

    // Off by a day.
    let actions = try sensor.prepare(start: "EA07031C0B0000 00 00")
    #expect(actions.drift == -86_340)
    #expect(actions.writes == (try cgmRequest("01 01")))
  }

  @Test func `gives it with a check to a sensor that wants one`() throws {
    var protected = CGMDialogue()
    #expect(
      try protected.prepare(
        feature: "001000 59 F049", status: "3C00 000100 B18A", start: "\(CGMDialogue.unset) 184E")
        == (try cgmTime("EA07031D0C0000 00 00 9A4B")))

    // Its feature could not be read, so that the check is missing at first.
    var silent = CGMDialogue()
    _ = silent.hear(.begun)
    _ = silent.hear(.readFailed(.cgmFeature, RequestFailure(code: 0x02)))
    _ = try silent.hear(.cgmStatus, "3C00 000100 B18A")
    _ = try silent.hear(.cgmSessionStartTime, "\(CGMDialogue.unset) 184E")
    _ = silent.hear(.subscribed(.cgmMeasurement))
    #expect(
      silent.hear(.subscribed(.cgmRecordAccess)) == (try cgmTime("EA07031D0C0000 00 00")))
    #expect(
      silent.hear(.writeFailed(.cgmSessionStartTime, RequestFailure(code: 0x80)))
        == (try cgmTime("EA07031D0C0000 00 00 9A4B")))
    #expect(
      silent.hear(.writeFailed(.cgmSessionStartTime, RequestFailure(code: 0x81))).writes
        == (try cgmRequest("01 01")))
  }

  @Test func `counts back from now where the sensor does not take it`() throws {
    var sensor = CGMDialogue()
    _ = try sensor.prepare(status: "3C00 000000", start: CGMDialogue.unset)

    let actions = sensor.hear(
      .writeFailed(.cgmSessionStartTime, RequestFailure(code: 0x03)), at: 30)
    #expect(actions.writes == (try cgmRequest("01 01")))
    let first = try sensor.hear(.cgmMeasurement, CGMDialogue.twoRecords)
    #expect(first.delivered.first?.clock == .universal(1_774_782_330))

    // The next reading counts from the same start.
    var next = CGMDialogue(
      checkpoints: Array(first.checkpoints.suffix(1) + first.checkpoints.prefix(1)))
    _ = try next.prepare(status: "3C00 000000", start: CGMDialogue.unset)
    let again = next.hear(.writeFailed(.cgmSessionStartTime, RequestFailure(code: 0x03)), at: 1)
    #expect(again.writes == (try cgmRequest("01 03 01 0A00")))
  }

  @Test func `counts back from now where the time is not kept`() throws {
    var sensor = CGMDialogue()
    _ = try sensor.prepare(start: CGMDialogue.unset)
    _ = sensor.hear(.written(.cgmSessionStartTime))

    #expect(
      try sensor.hear(.cgmSessionStartTime, CGMDialogue.unset).writes == (try cgmRequest("01 01")))
    #expect(
      try sensor.hear(.cgmMeasurement, CGMDialogue.twoRecords).delivered.first?.clock
        == .universal(1_774_782_300))
  }

  @Test func `fails where nothing says when a session began that has ended`() throws {
    var sensor = CGMDialogue()

    #expect(
      try sensor.prepare(status: "3C00 010100", start: CGMDialogue.unset).failureKind
        == .communication)
    #expect(sensor.hear(.timeReached, at: 100).isEmpty)
  }

  @Test func `reads a session that has ended, without a word about its clock`() throws {
    var sensor = CGMDialogue()
    let actions = try sensor.prepare(status: "1E00 010000")

    #expect(actions == (try cgmRequest("01 01")))
    #expect(try sensor.hear(.cgmMeasurement, CGMDialogue.twoRecords).minutes == [5, 10])
  }

  @Test func `keeps the local time of a sensor that does not say its zone`() throws {
    var sensor = CGMDialogue(utcOffsetSeconds: 7200)
    let actions = try sensor.prepare(start: "EA07031D0D0000 80 00")

    #expect(actions.drift == 0)
    let reading = try #require(
      try sensor.hear(.cgmMeasurement, CGMDialogue.twoRecords).delivered.first)
    #expect(
      reading.clock
        == .local(LocalDateTime(year: 2026, month: 3, day: 29, hour: 13, minute: 5, second: 0)))
  }
}
