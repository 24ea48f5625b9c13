// SPDX-License-Identifier: Apache-2.0

import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing

@Suite struct `User control point` {
  @Test func `encodes requests with the least significant byte first`() throws {
    let code = try ConsentCode(1234)

    #expect(UserControlPoint(.registerNewUser(code)).payload == [0x01, 0xD2, 0x04])
    #expect(
      UserControlPoint(.consent(UserID(rawValue: 1), code)).payload == [0x02, 0x01, 0xD2, 0x04])
    #expect(UserControlPoint(.listAllUsers).payload == [0x04])
  }

  @Test func `reads the index of a new user`() throws {
    let payload = try bytes("20 01 01 02")
    let answer = try UserControlPoint(payload: payload)

    guard case .response(let response) = answer.procedure else {
      Issue.record("not an answer")
      return
    }
    #expect(response.requestOpCode == .registerNewUser)
    #expect(response.value == .success)
    #expect(response.registeredUser == UserID(rawValue: 2))
    #expect(answer.payload == payload)
  }

  @Test(
    arguments: [
      ("20 01 04", .operationFailed), ("20 02 05", .userNotAuthorized),
      ("20 02 03", .invalidParameter), ("20 09 02", .opCodeNotSupported),
      ("20 02 77", .init(rawValue: 0x77)),
    ] as [(String, UserControlPoint.Response.Value)])
  func `takes no failure for a success`(
    hexadecimal: String, value: UserControlPoint.Response.Value
  ) throws {
    let answer = try UserControlPoint(payload: try bytes(hexadecimal))

    guard case .response(let response) = answer.procedure else {
      Issue.record("not an answer")
      return
    }
    #expect(response.value == value)
    #expect(response.value != .success)
    #expect(response.registeredUser == nil)
  }

  @Test func `keeps the parameter of other answers`() throws {
    let payload = try bytes("20 04 01 03 AA")
    let decoded = try CharacteristicCodec.decode(characteristic: "2A9F", payload: payload)

    #expect(decoded["parameter"] == .text("03aa"))
    #expect(decoded["user_index"] == nil)
    #expect(try UserControlPoint(payload: payload).payload == payload)
  }

  @Test(arguments: ["03", "04", "05 FF", "7F 01 02", "03 09"])
  func `returns to the bytes it came from`(hexadecimal: String) throws {
    let payload = try bytes(hexadecimal)

    #expect(try UserControlPoint(payload: payload).payload == payload)
  }

  @Test(arguments: [-1, 10_000])
  func `has no consent code of five digits`(code: Int) throws {
    let error = try #require(throws: PayloadError.self) { _ = try ConsentCode(code) }

    #expect(error.code == .outOfRange)
  }

  @Test func `does not show a consent code`() throws {
    #expect("\(try ConsentCode(4711))" == "<consent code>")
  }
}

@Suite struct `User data` {
  @Test func `has a date of birth with unknown parts`() throws {
    let date = try DateOfBirth(year: 1987, month: nil, day: nil)

    #expect(date.payload == [0xC3, 0x07, 0x00, 0x00])
    #expect(try DateOfBirth(payload: [0xC3, 0x07, 0x07, 0x04]).month == 7)
    #expect(try DateOfBirth(payload: [0, 0, 0, 0]).year == nil)
  }

  @Test(
    arguments: [("FFFF 01 01", "Year", 0), ("C307 0D 01", "Month", 2), ("C307 01 20", "Day", 3)])
  func `refuses a date of birth at the part that is wrong`(
    hexadecimal: String, field: String, offset: Int
  ) throws {
    let error = try refusal(of: try bytes(hexadecimal), as: "2A85")

    #expect(error.code == .outOfRange)
    #expect(error.field == field)
    #expect(error.offset == offset)
  }

  @Test func `has heights in centimetres and weights in steps of 5 grams`() throws {
    #expect(try UserHeight(payload: [0xAF, 0x00]).height == .meters(1.75))
    #expect(try UserWeight(payload: [0x98, 0x3A]).weight == .kilograms(75))
    #expect(UserHeight(centimeters: 175).payload == [0xAF, 0x00])
  }

  @Test func `counts changes beyond the largest number`() {
    #expect(DatabaseChangeIncrement(7).next == DatabaseChangeIncrement(8))
    #expect(DatabaseChangeIncrement(.max).next == DatabaseChangeIncrement(0))
  }

  @Test func `refuses a reserved gender`() throws {
    let error = try refusal(of: [3], as: "2A8C")

    #expect(error.code == .reservedValue)
    #expect(error.offset == 0)
  }
}
