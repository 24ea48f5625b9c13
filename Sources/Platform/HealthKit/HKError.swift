// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The domain of ``HKError``.
public let HKErrorDomain: String = "com.apple.healthkit"

/// An error of the health store.
public struct HKError: _BridgedStoredNSError {
  /// The error object.
  public let _nsError: NSError

  /// Wraps an error object of the same domain.
  public init(_nsError error: NSError) {
    precondition(error.domain == HKErrorDomain, "An error of the domain \(error.domain)")
    _nsError = error
  }

  /// The domain ``HKErrorDomain``.
  public static var errorDomain: String { HKErrorDomain }

  /// The domain ``HKErrorDomain``, for the bridge to `NSError`.
  public static var _nsErrorDomain: String { HKErrorDomain }

  /// What happened, by number.
  @nonexhaustive
  public enum Code: Int, _ErrorCodeProtocol, @unchecked Sendable {
    /// The error that carries this code.
    public typealias _ErrorType = HKError

    /// No error.
    case noError = 0
    /// Health data is not available on the device.
    case errorHealthDataUnavailable = 1
    /// The device's owner restricts health data.
    case errorHealthDataRestricted = 2
    /// An argument was wrong.
    case errorInvalidArgument = 3
    /// The app may not do this.
    case errorAuthorizationDenied = 4
    /// The user was not asked yet.
    case errorAuthorizationNotDetermined = 5
    /// The device is locked; try again once it is not.
    case errorDatabaseInaccessible = 6
    /// The user canceled.
    case errorUserCanceled = 7
    /// Another workout session has started.
    case errorAnotherWorkoutSessionStarted = 8
    /// The user left the app during a workout session.
    case errorUserExitedWorkoutSession = 9
    /// The user refused what the app cannot do without.
    case errorRequiredAuthorizationDenied = 10
    /// There are no samples to compute a result from.
    case errorNoData = 11
  }

  /// No error.
  public static var noError: Code { .noError }
  /// Health data is not available on the device.
  public static var errorHealthDataUnavailable: Code { .errorHealthDataUnavailable }
  /// The device's owner restricts health data.
  public static var errorHealthDataRestricted: Code { .errorHealthDataRestricted }
  /// An argument was wrong.
  public static var errorInvalidArgument: Code { .errorInvalidArgument }
  /// The app may not do this.
  public static var errorAuthorizationDenied: Code { .errorAuthorizationDenied }
  /// The user was not asked yet.
  public static var errorAuthorizationNotDetermined: Code { .errorAuthorizationNotDetermined }
  /// The device is locked; try again once it is not.
  public static var errorDatabaseInaccessible: Code { .errorDatabaseInaccessible }
  /// The user canceled.
  public static var errorUserCanceled: Code { .errorUserCanceled }
  /// Another workout session has started.
  public static var errorAnotherWorkoutSessionStarted: Code { .errorAnotherWorkoutSessionStarted }
  /// The user left the app during a workout session.
  public static var errorUserExitedWorkoutSession: Code { .errorUserExitedWorkoutSession }
  /// The user refused what the app cannot do without.
  public static var errorRequiredAuthorizationDenied: Code { .errorRequiredAuthorizationDenied }
  /// There are no samples to compute a result from.
  public static var errorNoData: Code { .errorNoData }
}

extension HKError: _ObjectiveCBridgeable {
  /// Gives the error object.
  public func _bridgeToObjectiveC() -> NSError { _nsError }

  /// Makes the error of an object of the same domain.
  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout Self?) {
    result = Self(_nsError: source)
  }

  /// Makes the error when the object is of the same domain.
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSError, result: inout Self?
  ) -> Bool {
    result = source.domain == HKErrorDomain ? Self(_nsError: source) : nil
    return result != nil
  }

  /// Makes the error of an object of the same domain; nil stands for the code 0.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> Self {
    Self(_nsError: source ?? NSError(domain: HKErrorDomain, code: 0))
  }
}

extension HKError.Code {
  /// The error object with a sentence.
  ///
  /// - Parameter detail: What was wrong in this case, without values of samples.
  /// - Returns: An error of the domain ``HKErrorDomain``.
  package func error(_ detail: String? = nil) -> NSError {
    NSError(
      domain: HKErrorDomain, code: rawValue,
      userInfo: [NSLocalizedDescriptionKey: detail ?? sentence])
  }

  private var sentence: String {
    switch self {
    case .noError: "There is none"
    case .errorHealthDataUnavailable: "Health data is unavailable on this device"
    case .errorHealthDataRestricted: "Health data is restricted on this device"
    case .errorInvalidArgument: "Invalid argument"
    case .errorAuthorizationDenied: "Not authorized"
    case .errorAuthorizationNotDetermined: "Authorization not determined"
    case .errorDatabaseInaccessible: "Protected health data is inaccessible"
    case .errorUserCanceled: "User canceled the operation"
    case .errorAnotherWorkoutSessionStarted: "Another workout session was started"
    case .errorUserExitedWorkoutSession:
      "User exited the application while a workout session was running"
    case .errorRequiredAuthorizationDenied: "Required authorization denied"
    case .errorNoData: "No data available for the specified predicate."
    @unknown default: "Unknown error"
    }
  }
}
