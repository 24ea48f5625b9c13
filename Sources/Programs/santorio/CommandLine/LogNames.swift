// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore

/// The names that the environment variable for logging may contain.
enum LogNames {
  static let list = SantorioLogging.knownNames.joined(separator: ", ")

  /// Warns when the variable contains another name.
  static func warnOfUnknown() {
    let unknown = SantorioLogging.unknownNames(in: ProcessInfo.processInfo.environment)
    guard let first = unknown.first else { return }
    printError("santorio: \(SantorioLogging.variable) takes \(list), not \"\(first.printable)\".")
  }
}
