// SPDX-License-Identifier: Apache-2.0

import Foundation

extension BGTaskScheduler {
  /// The domain of ``Error``.
  public class var errorDomain: String { "BGTaskSchedulerErrorDomain" }

  /// Why a request was not taken.
  public struct Error: _BridgedStoredNSError {
    /// The error object.
    public let _nsError: NSError

    /// Wraps an error object of the same domain.
    public init(_nsError error: NSError) {
      precondition(
        error.domain == BGTaskScheduler.errorDomain, "An error of the domain \(error.domain)")
      _nsError = error
    }

    /// The domain ``BGTaskScheduler/errorDomain``.
    public static var errorDomain: String { BGTaskScheduler.errorDomain }

    /// The same, for the bridge to `NSError`.
    public static var _nsErrorDomain: String { BGTaskScheduler.errorDomain }

    /// The reason, by number.
    @nonexhaustive
    public enum Code: Int, _ErrorCodeProtocol, @unchecked Sendable {
      /// The error that carries this code.
      public typealias _ErrorType = Error

      /// There is no work in the background: the user has switched it off, or nothing here does it.
      case unavailable = 1
      /// Too many requests of the kind are pending.
      case tooManyPendingTaskRequests = 2
      /// The Info.plist does not name the task, or lacks the background mode.
      case notPermitted = 3
    }

    /// There is no work in the background: the user has switched it off, or nothing here does it.
    public static var unavailable: Code { .unavailable }
    /// Too many requests of the kind are pending.
    public static var tooManyPendingTaskRequests: Code { .tooManyPendingTaskRequests }
    /// The Info.plist does not name the task, or lacks the background mode.
    public static var notPermitted: Code { .notPermitted }
  }
}

extension BGTaskScheduler.Error {
  static func error(_ code: Code, _ description: String) -> Self {
    Self(code, userInfo: [NSLocalizedDescriptionKey: description])
  }
}
