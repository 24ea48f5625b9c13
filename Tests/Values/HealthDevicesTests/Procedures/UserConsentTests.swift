// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import TestSupport
import Testing

@Suite struct `User consent` {
  private let user = UserConsent.User(
    index: UserID(rawValue: 1), code: ConsentCode(rawValue: 1234))
  private let newCode = ConsentCode(rawValue: 77)

  @Test func `is asked of a known user`() {
    var consent = UserConsent(user, newCode: newCode)

    #expect(consent.begin(at: .seconds(5)) == .write([0x02, 0x01, 0xD2, 0x04]))
    #expect(consent.deadline == .seconds(35))
    #expect(
      consent.answered([0x20, 0x02, 0x01], at: .seconds(6)) == .granted(user, isNew: false))
    #expect(consent.deadline == nil)
  }

  @Test func `is asked of a new user after the registration`() {
    var consent = UserConsent(nil, newCode: newCode)
    let new = UserConsent.User(index: UserID(rawValue: 3), code: newCode)

    #expect(consent.begin(at: .zero) == .write([0x01, 77, 0x00]))
    #expect(
      consent.answered([0x20, 0x01, 0x01, 0x03], at: .seconds(20))
        == .keep(new, thenWrite: [0x02, 0x03, 77, 0x00]))
    #expect(consent.deadline == .seconds(50))
    #expect(consent.answered([0x20, 0x02, 0x01], at: .seconds(21)) == .granted(new, isNew: true))
  }

  @Test(arguments: [0x02, 0x03, 0x04, 0x05, 0x77] as [UInt8])
  func `is not granted by any other answer than success`(value: UInt8) {
    var consent = UserConsent(user, newCode: newCode)
    _ = consent.begin(at: .zero)

    guard case .fail(let failure) = consent.answered([0x20, 0x02, value], at: .zero) else {
      Issue.record("not refused")
      return
    }
    #expect(failure.kind == .notAuthorized)
    #expect(failure.message.contains("consent code"))
  }

  @Test func `says when there is no slot left for a new user`() {
    var consent = UserConsent(nil, newCode: newCode)
    _ = consent.begin(at: .zero)

    guard case .fail(let failure) = consent.answered([0x20, 0x01, 0x04], at: .zero) else {
      Issue.record("not refused")
      return
    }
    #expect(failure.kind == .notAuthorized)
    #expect(failure.message.contains("no new user"))
  }

  @Test(arguments: ["", "20", "20 02", "20 01 01 09", "02 01 D204", "20 04 01 03", "FF FF FF FF"])
  func `waits on for its answer whatever else comes`(hexadecimal: String) throws {
    var consent = UserConsent(user, newCode: newCode)
    _ = consent.begin(at: .zero)

    #expect(consent.answered(try bytes(hexadecimal), at: .seconds(1)) == .none)
    #expect(
      consent.answered([0x20, 0x02, 0x01], at: .seconds(2)) == .granted(user, isNew: false))
  }

  @Test func `is given up after thirty seconds of silence`() {
    var consent = UserConsent(user, newCode: newCode)
    _ = consent.begin(at: .zero)

    #expect(consent.timeReached(.seconds(29)) == .none)
    guard case .fail(let failure) = consent.timeReached(.seconds(30)) else {
      Issue.record("still waiting")
      return
    }
    #expect(failure.kind == .timeout)
    #expect(consent.answered([0x20, 0x02, 0x01], at: .seconds(31)) == .none)
  }

  @Test(arguments: [(0xFE, .busy), (0x80, .communication)] as [(UInt8, DriverFailure.Kind)])
  func `fails when the request is refused`(code: UInt8, kind: DriverFailure.Kind) {
    var consent = UserConsent(user, newCode: newCode)
    _ = consent.begin(at: .zero)

    guard case .fail(let failure) = consent.writeFailed(RequestFailure(code: code)) else {
      Issue.record("not refused")
      return
    }
    #expect(failure.kind == kind)
    #expect(consent.writeFailed(RequestFailure(code: code)) == .none)
  }

  @Test func `keeps several users as three bytes each`() {
    let kept: [UInt8] = [1, 0xD2, 0x04, 2, 0x0F, 0x27, 9]

    #expect(
      UserConsent.User.kept(kept) == [
        user, UserConsent.User(index: UserID(rawValue: 2), code: ConsentCode(rawValue: 9999)),
      ])
    #expect(UserConsent.User.kept(nil) == [])
    #expect(user.bytes == [1, 0xD2, 0x04])
  }

  @Test(arguments: [0, 1_774_785_600, -5, 4e12, .infinity, .nan])
  func `makes codes of four digits`(seconds: Double) {
    let time = DriverTime(elapsed: .zero, secondsSince1970: seconds, utcOffsetSeconds: 0)

    #expect((1...9999).contains(ConsentCode(at: time).rawValue))
  }
}
