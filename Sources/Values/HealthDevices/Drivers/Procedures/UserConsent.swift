// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// Gets a user's consent from a device with a User Data Service, and registers the user first where
/// there is none.
///
/// A device sends a user's measurements only after consent, which holds for one connection. The
/// procedure never deletes anything.
///
/// Source: User Data Service, User Control Point procedures: one at a time, and over after 30
/// seconds.
package struct UserConsent: Sendable {
  /// A user of one device, and the code that opens the user's data.
  package struct User: Hashable, Sendable {
    package let index: UserID
    package let code: ConsentCode

    package init(index: UserID, code: ConsentCode) {
      self.index = index
      self.code = code
    }
  }

  /// What to do now.
  package enum Action: Hashable, Sendable {
    case none
    /// Write the request to the User Control Point.
    case write([UInt8])
    /// There is a new user, to be kept at once: it cannot be found again. Then write the request.
    case keep(User, thenWrite: [UInt8])
    /// The data of the user are open. A new one has no data and no profile yet.
    case granted(User, isNew: Bool)
    case fail(DriverFailure)
  }

  private enum State: Sendable {
    /// Nothing was asked. Next: registering, consenting.
    case idle(User?, newCode: ConsentCode)
    /// A new user was asked for. Next: consenting, over.
    case registering(ConsentCode)
    /// Consent was asked for. Next: over.
    case consenting(User, isNew: Bool)
    /// Granted, refused, or given up.
    case over
  }

  /// How long the device may take to answer a request.
  package static let answerTime = Duration.seconds(30)

  private var state: State
  /// When ``timeReached(_:)`` is due.
  package private(set) var deadline: Duration?

  /// Prepares the procedure.
  ///
  /// - Parameters:
  ///   - user: The user that is known; nil to register a new one.
  ///   - newCode: The consent code of a new user.
  package init(_ user: User?, newCode: ConsentCode) {
    state = .idle(user, newCode: newCode)
  }

  /// The control point is subscribed to: answers can arrive.
  package mutating func begin(at now: Duration) -> Action {
    guard case .idle(let user, let newCode) = state else { return .none }
    deadline = now + Self.answerTime
    guard let user else {
      state = .registering(newCode)
      return .write(UserControlPoint(.registerNewUser(newCode)).payload)
    }
    return .write(askConsent(of: user, isNew: false))
  }

  /// The User Control Point sent an answer; other bytes are ignored.
  package mutating func answered(_ bytes: [UInt8], at now: Duration) -> Action {
    guard let answer = try? UserControlPoint(payload: bytes),
      case .response(let response) = answer.procedure
    else { return .none }
    switch state {
    case .registering(let code) where response.requestOpCode == .registerNewUser:
      guard let index = response.registeredUser else { return refused(response.value) }
      deadline = now + Self.answerTime
      let user = User(index: index, code: code)
      return .keep(user, thenWrite: askConsent(of: user, isNew: true))
    case .consenting(let user, let isNew) where response.requestOpCode == .consent:
      guard response.value == .success else { return refused(response.value) }
      end()
      return .granted(user, isNew: isNew)
    case .idle, .registering, .consenting, .over: return .none
    }
  }

  /// The request was refused before it was carried out.
  package mutating func writeFailed(_ failure: RequestFailure) -> Action {
    guard isUnderWay else { return .none }
    end()
    // 0xFE is "Procedure Already In Progress" of the Core Specification Supplement.
    return failure.code == 0xFE
      ? .fail(DriverFailure(.busy, "The device is busy with another request. Try again."))
      : .fail(
        DriverFailure(
          .communication, "The device refuses to be asked for its users. \(failure.message)"))
  }

  /// The deadline may have been reached.
  package mutating func timeReached(_ now: Duration) -> Action {
    guard isUnderWay, let deadline, now >= deadline else { return .none }
    end()
    return .fail(
      DriverFailure(.timeout, "The device did not answer whether the user may be read. Try again."))
  }

  private var isUnderWay: Bool {
    switch state {
    case .registering, .consenting: true
    case .idle, .over: false
    }
  }

  private mutating func askConsent(of user: User, isNew: Bool) -> [UInt8] {
    state = .consenting(user, isNew: isNew)
    return UserControlPoint(.consent(user.index, user.code)).payload
  }

  private mutating func end() {
    state = .over
    deadline = nil
  }

  private mutating func refused(_ value: UserControlPoint.Response.Value) -> Action {
    let isRegistration = if case .registering = state { true } else { false }
    end()
    guard !isRegistration else {
      return .fail(
        DriverFailure(
          .notAuthorized,
          "The device makes no new user. Delete one that is not needed any more on the device."))
    }
    return .fail(
      DriverFailure(
        .notAuthorized,
        """
        The device does not accept the user's consent code. Enter the code that the device shows for \
        the user, or pair it anew.
        """))
  }
}

extension UserConsent.User {
  /// The users that were kept for a device, three bytes each.
  package static func kept(_ bytes: [UInt8]?) -> [Self] {
    let bytes = bytes ?? []
    return stride(from: 0, to: bytes.count - bytes.count % 3, by: 3).map { start in
      let code = UInt16(bytes[start + 1]) | UInt16(bytes[start + 2]) << 8
      return Self(index: UserID(rawValue: bytes[start]), code: ConsentCode(rawValue: code))
    }
  }

  /// What is kept: the index and the code, least significant byte first.
  package var bytes: [UInt8] {
    [
      index.rawValue, UInt8(truncatingIfNeeded: code.rawValue),
      UInt8(truncatingIfNeeded: code.rawValue >> 8),
    ]
  }
}

extension ConsentCode {
  /// A code for a new user, made of the time.
  ///
  /// It keeps the users of a household apart and need not be safe against an attacker: anyone who
  /// stands before the device can read it there.
  package init(at time: DriverTime) {
    let milliseconds = (time.secondsSince1970 * 1000).truncatingRemainder(dividingBy: 9973)
    self.init(
      rawValue: UInt16(exactly: milliseconds.magnitude.rounded(.down)).map { $0 + 1 } ?? 1)
  }
}
