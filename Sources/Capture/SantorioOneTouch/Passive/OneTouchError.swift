// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore

/// Why a meter could not be read, or what was read could not be stored.
public struct OneTouchError: Error, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// What went wrong.
  ///
  /// Codes are added over time.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the code, for instance `noUser`.
    public let rawValue: String

    /// Makes a code.
    ///
    /// - Parameter rawValue: Its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no session, or that of the default user.
    public static let noUser = Code(rawValue: "noUser")
    /// The kit reports an error; see ``OneTouchError/kitMessage``.
    public static let kit = Code(rawValue: "kit")
    /// The kit has not answered in time.
    public static let noAnswer = Code(rawValue: "noAnswer")
    /// The meter has no serial number, by which its readings would be recognised.
    public static let noSerialNumber = Code(rawValue: "noSerialNumber")
    /// The kit's anchor cannot be stored; all of the meter is read each time, and nothing stored twice.
    public static let anchor = Code(rawValue: "anchor")
    /// What was read could not be stored; it is read again.
    public static let submissionFailure = Code(rawValue: "submissionFailure")
  }

  /// What went wrong.
  public let code: Code
  /// What happened and what to do; for a developer, in English.
  public let message: String
  /// What the kit says of its error, in the user's language; not for a log, since nobody knows what it
  /// holds.
  public let kitMessage: String?

  /// The code and the message, without the kit's words.
  public var description: String { "\(code.rawValue): \(message)" }

  /// Empty, so that a dump does not show the kit's words either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  init(_ code: Code, _ message: String, kitMessage: String? = nil) {
    self.code = code
    self.message = message
    self.kitMessage = kitMessage
  }

  init(kit error: any Error) {
    let known = error as NSError
    self.init(
      .kit, "The kit reports an error of its domain \(known.domain), number \(known.code).",
      kitMessage: error.localizedDescription)
  }

  init(_ error: SessionError) {
    switch error.code {
    case .noSession, .sessionEnded, .defaultUser: self = .noUser
    default: self.init(.submissionFailure, error.description)
    }
  }

  static let noUser = OneTouchError(
    .noUser,
    "Meters are read for the session of a user of the server, since nobody is asked whose the "
      + "readings are. Start one, then switch passive reading on again.")
  static let noSerialNumber = OneTouchError(
    .noSerialNumber, "The meter is not read: give its meterSerialNumber a value.")
  static let noAnswer = OneTouchError(
    .noAnswer, "The kit has not answered. The meter is read again.")
  static let anchor = OneTouchError(
    .anchor, "The kit's anchor cannot be encoded. Give OneTouchKitDevice another Anchor.")
}
