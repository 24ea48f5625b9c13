// SPDX-License-Identifier: Apache-2.0

@unsafe @preconcurrency import HealthKit
import SantorioCore

/// Why HealthKit could not be read, or what was read could not be stored.
public struct HealthKitError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong.
  public enum Code: String, Hashable, Sendable {
    /// The device has no health data: an iPad before iPadOS 17, or a Mac.
    case unavailable
    /// There is no session, or that of the default user.
    case noUser
    /// A type that cannot be subscribed to.
    case unsupportedType
    /// The user was not asked for permission, or an entitlement is missing.
    case notAuthorized
    /// The device is locked, and its health data is encrypted; it is read when it is unlocked.
    case locked
    /// A range of days that cannot be fetched.
    case invalidRange
    /// What was read could not be stored; it is read again.
    case submissionFailure
    /// HealthKit reports another error.
    case failed
  }

  /// What went wrong.
  public let code: Code
  /// What happened and what to do; for a developer, in English.
  public let message: String

  /// The message.
  public var description: String { message }

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The error of a store or of a session.
  init(_ error: any Error) {
    switch error {
    case let error as HealthKitError: self = error
    case let error as SessionError where error.code == .noSession || error.code == .sessionEnded:
      self.init(.noUser, "The session has ended. Subscribe again in the next one.")
    case let error as SessionError: self.init(.submissionFailure, error.description)
    case let error as HKError: self.init(error)
    default: self.init(.failed, "\(error)")
    }
  }

  private init(_ error: HKError) {
    switch error.code {
    case .errorDatabaseInaccessible:
      self.init(.locked, "The device is locked. HealthKit is read when it is unlocked.")
    case .errorAuthorizationDenied, .errorAuthorizationNotDetermined,
      .errorRequiredAuthorizationDenied:
      self.init(
        .notAuthorized,
        "HealthKit does not let the app read: ask for permission with setSubscriptions, and check the "
          + "entitlements (see HealthKitSelfTest). \(error.localizedDescription)")
    case .errorHealthDataUnavailable, .errorHealthDataRestricted:
      self.init(.unavailable, "There is no health data on this device, or it is restricted.")
    default: self.init(.failed, error.localizedDescription)
    }
  }
}
