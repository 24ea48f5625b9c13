// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import TestSupport
import Testing

/// An input with its time in seconds.
private enum Input {
  case begin(Double)
  case record(Double)
  case indicated(String, Double)
  case refused(UInt8?, Double)
  case subscribed(Double)
  case timeReached(Double)
}

private typealias Step = RecordAccessProcedure.Step
private typealias Dialogue = [(input: Input, step: Step)]

/// Plays the inputs and compares each step.
private func expect(
  _ dialogue: Dialogue, request: RecordAccessControlPoint = .reportRecords(.all),
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  var procedure = RecordAccessProcedure(request)
  for (number, line) in dialogue.enumerated() {
    let step: Step
    switch line.input {
    case .begin(let now): step = procedure.begin(at: .seconds(now))
    case .record(let now):
      procedure.recordReceived(at: .seconds(now))
      step = .none
    case .indicated(let hexadecimal, let now):
      step = procedure.indicated(try bytes(hexadecimal), at: .seconds(now))
    case .refused(let code, let now):
      step = procedure.refused(RequestFailure(code: code), at: .seconds(now))
    case .subscribed(let now): step = procedure.subscribed(at: .seconds(now))
    case .timeReached(let now): step = procedure.timeReached(.seconds(now))
    }
    #expect(step == line.step, "step \(number)", sourceLocation: sourceLocation)
  }
}

private func failure(_ kind: DriverFailure.Kind, _ message: String) -> Step {
  .finish(.failed(DriverFailure(kind, message)))
}

private let all = Step.write([0x01, 0x01])
private let abort = Step.write([0x03, 0x00])
private let busy = failure(.busy, "The device is busy. Wait a minute and read it again.")
private let silent = failure(
  .timeout, "The device did not answer the request for its records. Switch it on again.")

@Suite struct `Record access procedure` {
  @Test func `is over half a second after the end was reported and the last record came`() throws {
    try expect([
      (.begin(0), all), (.record(1), .none), (.indicated("06 00 01 01", 2), .none),
      (.timeReached(2.25), .none), (.record(2.25), .none), (.timeReached(2.5), .none),
      (.timeReached(2.75), .finish(.completed)), (.timeReached(9), .none),
    ])
  }

  @Test func `takes no records for no failure`() throws {
    try expect([(.begin(0), all), (.indicated("06 00 01 06", 1), .finish(.noRecords))])
  }

  @Test func `counts, also to zero`() throws {
    let count = RecordAccessControlPoint.reportNumberOfRecords(.all)
    try expect(
      [
        (.begin(0), .write([0x04, 0x01])), (.indicated("05 00 0000", 1), .finish(.count(0))),
      ], request: count)
    try expect(
      [
        (.begin(0), .write([0x04, 0x01])),
        (.indicated("05 00 01000100", 1), .finish(.count(65_537))),
      ], request: count)
  }

  @Test func `ends a combined report with its number`() throws {
    try expect(
      [
        (.begin(0), .write([0x07, 0x01])), (.indicated("08 00 0300", 1), .none),
        (.timeReached(1.5), .finish(.completed)),
      ], request: .combinedReport(.all))
  }

  @Test func `asks for records from a number on`() throws {
    try expect(
      [
        (.begin(0), .write([0x01, 0x03, 0x01, 0x0A, 0x01])),
        (.indicated("06 00 01 01", 1), .none), (.timeReached(1.5), .finish(.completed)),
      ], request: .reportRecords(.sequenceNumbers(.from(0x010A))))
  }

  @Test(arguments: ["02", "03", "04", "05", "09"])
  func `reports that the device does not support the request`(code: String) throws {
    try expect([
      (.begin(0), all), (.indicated("06 00 01 \(code)", 1), .finish(.notSupported)),
    ])
  }

  @Test(arguments: [("00", 0), ("07", 7), ("08", 8), ("0B", 11), ("FF", 255)])
  func `takes every other answer for a failure`(code: String, number: Int) throws {
    try expect([
      (.begin(0), all),
      (
        .indicated("06 00 01 \(code)", 1),
        failure(
          .communication,
          "The device could not send its records (response code \(number)). Read it again.")
      ),
    ])
  }

  @Test func `asks a busy device again, but not for ever`() throws {
    try expect([
      (.begin(0), all), (.indicated("06 00 01 0A", 1), .none), (.timeReached(2.9), .none),
      (.timeReached(3), all), (.indicated("06 00 01 0A", 4), .none), (.timeReached(6), all),
      (.indicated("06 00 01 0A", 7), .none), (.timeReached(9), all),
      (.indicated("06 00 01 0A", 10), .none), (.timeReached(12), busy),
    ])
  }

  @Test(arguments: [0xFE, 0x80] as [UInt8])
  func `aborts what an earlier connection left behind, and asks again`(code: UInt8) throws {
    try expect([
      (.begin(0), all), (.refused(code, 1), abort), (.indicated("06 00 03 01", 1.5), .none),
      (.timeReached(3.5), all), (.indicated("06 00 01 01", 4), .none),
      (.timeReached(4.5), .finish(.completed)),
    ])
  }

  @Test func `asks again when aborting fails, is refused, or is not answered`() throws {
    try expect([
      (.begin(0), all), (.refused(0xFE, 1), abort), (.indicated("06 00 03 07", 1), .none),
      (.timeReached(3), all), (.refused(0xFE, 3), abort), (.refused(0x80, 3), .none),
      (.timeReached(5), all), (.refused(0xFE, 5), abort), (.timeReached(7), .none),
      (.timeReached(9), all), (.refused(0xFE, 9), abort), (.timeReached(11), .none),
      (.timeReached(13), busy),
    ])
  }

  @Test(arguments: [0xFD, 0x81] as [UInt8])
  func `subscribes anew once when the device has lost its subscriptions`(code: UInt8) throws {
    try expect([
      (.begin(0), all), (.refused(code, 1), .subscribeAnew), (.subscribed(2), all),
      (
        .refused(code, 3),
        failure(
          .communication,
          "The device does not keep the subscription to its records. Pair it anew.")
      ),
    ])
  }

  @Test(arguments: [0x05, 0x08, 0x0C, 0x0F] as [UInt8])
  func `knows a device that gives records to bonded peers only`(code: UInt8) throws {
    try expect([
      (.begin(0), all),
      (
        .refused(code, 1),
        failure(
          .notPaired, "The device gives its records to paired receivers only. Pair it.")
      ),
    ])
  }

  @Test func `names the ATT error of any other refusal`() throws {
    try expect([
      (.begin(0), all),
      (
        .refused(0x0E, 1),
        failure(
          .communication, "The device refused the request for its records (ATT error 0xE).")
      ),
    ])
  }

  @Test func `gives up on a silent device, and waits on as long as records come`() throws {
    try expect([(.begin(0), all), (.timeReached(29.9), .none), (.timeReached(30), silent)])
    try expect([
      (.begin(0), all), (.record(29), .none), (.timeReached(30), .none),
      (.timeReached(58.9), .none), (.timeReached(59), silent),
    ])
  }

  @Test(arguments: [
    "", "06", "06 00 02 01", "06 00 04 06", "05 00 0300", "08 00 0300", "01 01", "FF FF FF FF",
    "06 00 03 01", "06 00 01 01 00",
  ])
  func `ignores what does not answer its request`(hexadecimal: String) throws {
    try expect([
      (.begin(0), all), (.indicated(hexadecimal, 1), .none),
      (.indicated("06 00 01 06", 2), .finish(.noRecords)),
      (.indicated("06 00 01 01", 3), .none), (.refused(0xFE, 3), .none), (.subscribed(3), .none),
    ])
  }
}
