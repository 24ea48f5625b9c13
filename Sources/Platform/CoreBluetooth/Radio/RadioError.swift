// SPDX-License-Identifier: Apache-2.0

/// Why a request or a link failed.
package enum RadioError: Error, Hashable, Sendable {
  /// The attribute server answered with an error.
  case attribute(CBATTError.Code)
  /// A local failure, or a lost link.
  case system(CBError.Code)

  /// The object that delegates receive.
  package var object: NSError {
    switch self {
    case .attribute(let code): code.error
    case .system(let code): code.error
    }
  }
}
