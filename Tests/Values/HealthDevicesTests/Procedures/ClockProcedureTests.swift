// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import TestSupport
import Testing

/// 2026-03-29 12:00:00 UTC, two hours ahead of it.
private let noon = DriverTime(
  elapsed: .zero, secondsSince1970: 1_774_785_600, utcOffsetSeconds: 7200)

private func later(_ seconds: Int) -> DriverTime {
  DriverTime(
    elapsed: .seconds(seconds), secondsSince1970: 1_774_785_600 + Double(seconds),
    utcOffsetSeconds: 7200)
}

private let ignored = RequestFailure(code: 0x80)

@Suite struct `Clock procedure` {
  @Test func `sets a clock that is off`() throws {
    var clock = ClockProcedure(.standard(.currentTime))

    #expect(clock.begin(at: noon) == [.read(.currentTime)])
    #expect(
      clock.handle(
        .value(.currentTime, try bytes("EA07 03 1D 0D 3A 00 07 00 00")), at: noon) == [
          .fact(.clockDrift(seconds: -120)),
          .write(.currentTime, try bytes("EA07 03 1D 0E 00 00 07 00 01")),
        ])
    #expect(!clock.isDone)
    #expect(clock.handle(.written(.currentTime), at: noon) == [.fact(.clockSet)])
    #expect(clock.isDone)
  }

  @Test func `leaves a clock alone that is right`() throws {
    var clock = ClockProcedure(.standard(.glucoseDateTime, tolerance: 600))

    #expect(clock.begin(at: noon) == [.read(.glucoseDateTime)])
    #expect(
      clock.handle(.value(.glucoseDateTime, try bytes("EA07 03 1D 0E 0A 00")), at: noon)
        == [.fact(.clockDrift(seconds: 600))])
    #expect(clock.isDone)
  }

  @Test func `takes Data Field Ignored and any other refusal for no failure`() throws {
    for code in [0x80, 0x03, 0x0E] as [UInt8] {
      var clock = ClockProcedure(.standard(.glucoseDateTime))
      _ = clock.begin(at: noon)
      _ = clock.handle(.value(.glucoseDateTime, try bytes("E807 01 01 00 00 00")), at: noon)

      #expect(
        clock.handle(.writeFailed(.glucoseDateTime, RequestFailure(code: code)), at: noon).isEmpty)
      #expect(clock.isDone)
    }
  }

  @Test func `sets a clock that cannot be read, shows no time, or was never set`() throws {
    let setting = DriverAction.write(.glucoseDateTime, try bytes("EA07 03 1D 0E 00 00"))
    let answers: [(DriverEvent, [DriverAction])] = [
      (.readFailed(.glucoseDateTime, ignored), [setting]),
      (.value(.glucoseDateTime, [0xFF]), [setting]),
      (
        .value(.glucoseDateTime, [UInt8](repeating: 0, count: 7)),
        [.fact(.clockNotSet), setting]
      ),
    ]
    for (event, actions) in answers {
      var clock = ClockProcedure(.standard(.glucoseDateTime))
      _ = clock.begin(at: noon)
      #expect(clock.handle(event, at: noon) == actions)
    }
  }

  @Test func `lets a device begin that wants to, and only then sets it`() throws {
    var clock = ClockProcedure(
      .standard(.currentTime, reading: .notification, tolerance: 600))

    #expect(clock.begin(at: noon) == [.subscribe(.currentTime)])
    #expect(clock.handle(.subscribed(.currentTime), at: noon).isEmpty)
    #expect(clock.deadline == .seconds(5))
    #expect(
      clock.handle(
        .value(.currentTime, try bytes("EA07 03 1D 0E 0A 06 07 00 00")), at: later(5)) == [
          .fact(.clockDrift(seconds: 601)),
          .write(.currentTime, try bytes("EA07 03 1D 0E 00 05 07 00 01")),
        ])
  }

  @Test func `does not set a device that has not begun`() {
    var clock = ClockProcedure(.standard(.currentTime, reading: .notification))
    _ = clock.begin(at: noon)
    _ = clock.handle(.subscribed(.currentTime), at: noon)

    #expect(clock.handle(.timeReached, at: later(4)).isEmpty)
    #expect(!clock.isDone)
    #expect(clock.handle(.timeReached, at: later(5)).isEmpty)
    #expect(clock.isDone)
  }

  @Test func `takes a time that comes before the subscription is confirmed`() throws {
    var clock = ClockProcedure(.standard(.currentTime, reading: .notification))
    _ = clock.begin(at: noon)

    #expect(
      clock.handle(.value(.currentTime, try bytes("EA07 03 1D 0E 00 00 07 00 00")), at: noon)
        == [.fact(.clockDrift(seconds: 0))])
    #expect(clock.isDone)
  }

  @Test func `asks where the clock answers a request`() throws {
    var clock = ClockProcedure(.careSens(.careSensClock))

    #expect(clock.begin(at: noon) == [.subscribe(.careSensClock)])
    #expect(
      clock.handle(.subscribed(.careSensClock), at: noon)
        == [.write(.careSensClock, try bytes("C0030100 0000 00 00 00 00 00"))])
    #expect(clock.handle(.written(.careSensClock), at: noon).isEmpty)
    #expect(
      clock.handle(.value(.careSensClock, try bytes("C0030300 EA07 03 1D 0D 00 00")), at: noon)
        == [
          .fact(.clockDrift(seconds: -3600)),
          .write(.careSensClock, try bytes("C0030100 EA07 03 1D 0E 00 00")),
        ])
    #expect(clock.handle(.written(.careSensClock), at: noon) == [.fact(.clockSet)])
    #expect(clock.isDone)
  }

  @Test func `continues when a request for the time is refused or not answered`() {
    for event in [DriverEvent.writeFailed(.careSensClock, ignored), .timeReached] {
      var clock = ClockProcedure(.careSens(.careSensClock))
      _ = clock.begin(at: noon)
      _ = clock.handle(.subscribed(.careSensClock), at: noon)

      #expect(clock.handle(event, at: later(5)).isEmpty)
      #expect(clock.isDone)
    }
  }

  @Test func `sets a clock that cannot be asked`() throws {
    var clock = ClockProcedure(.contour)

    #expect(
      clock.begin(at: noon)
        == [.write(.contourClock, try bytes("01 EA07 03 1D 0C 00 00 7800"))])
    #expect(clock.handle(.written(.contourClock), at: noon) == [.fact(.clockSet)])
    #expect(clock.isDone)
  }

  @Test func `ignores what does not concern it`() {
    var clock = ClockProcedure(.standard(.currentTime))
    _ = clock.begin(at: noon)

    #expect(clock.handle(.written(.currentTime), at: noon).isEmpty)
    #expect(clock.handle(.value(.glucoseDateTime, [1]), at: noon).isEmpty)
    #expect(clock.handle(.timeReached, at: later(100)).isEmpty)
    #expect(!clock.isDone)
  }
}

@Suite struct `Clocks of glucose meters` {
  @Test func `Contour takes universal time and the offset of a zone`() throws {
    let setting = try ContourClockSetting(payload: try bytes("01 EA07 0C 1F 17 3B 3B 1AFE"))

    #expect(setting.offsetMinutes == -486)
    #expect(setting.universalTime.seconds == 59)
    #expect(setting.payload == (try bytes("01 EA07 0C 1F 17 3B 3B 1AFE")))
  }

  @Test(arguments: [
    ("", "Op Code"), ("02 EA07 0C 1F 17 3B 3B 0000", "Op Code"),
    ("01 EA07 0C 1F 17 3B", "Date Time"), ("01 EA07 0C 1F 17 3B 3B 00", "Time Offset"),
  ])
  func `Contour's frame is refused where it is cut`(hexadecimal: String, field: String) throws {
    let error = try #require(throws: PayloadError.self) {
      try ContourClockSetting(payload: try bytes(hexadecimal))
    }
    #expect(error.field == field)
  }

  @Test func `CareSens answers with a time that may be unknown`() throws {
    let frame = try CareSensClockFrame(payload: try bytes("C0030300 0000 00 00 00 00 00"))

    #expect(frame.timestamp.dateTime?.year == nil)
    #expect(frame.payload == (try bytes("C0030300 0000 00 00 00 00 00")))
    #expect(CareSensClockFrame.query.count == 11)
  }

  @Test(arguments: [("C00301", "Header"), ("C0030100 EA07 03 1D 0E 00", "Time")])
  func `CareSens' frame is refused where it is cut`(hexadecimal: String, field: String) throws {
    let error = try #require(throws: PayloadError.self) {
      try CareSensClockFrame(payload: try bytes(hexadecimal))
    }
    #expect(error.field == field)
    #expect(error.code == .truncated)
  }
}
