// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore

/// The names that the environment variable for logging may contain.
enum LogNames {
  static let list = Logging.knownNames.joined(separator: ", ")

  /// Warns when the variable contains another name.
  static func warnOfUnknown() {
    let unknown = Logging.unknownNames(in: ProcessInfo.processInfo.environment)
    guard let first = unknown.first else { return }
    printError("santorio: \(Logging.variable) takes \(list), not \"\(first.printable)\".")
  }
}
