// SPDX-License-Identifier: Apache-2.0

import Foundation

extension HKError {
  /// An error that says what was wrong.
  static func error(_ code: Code, _ reason: String) -> HKError {
    HKError(code, userInfo: [NSLocalizedDescriptionKey: reason])
  }

  /// The error of a locked device.
  static var locked: HKError {
    error(
      .errorDatabaseInaccessible,
      "The device is locked, and protected health data is inaccessible. Try again when it is "
        + "unlocked.")
  }

  /// The error of a query that has neither a result nor an error.
  static var unanswered: HKError {
    error(.errorDatabaseInaccessible, "The health store has given no answer.")
  }
}
