// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore

/// What the environment variable of the log may name.
enum LogNames {
  static let list = Logging.knownNames.joined(separator: ", ")

  /// Says so when the variable names something else.
  static func warnOfUnknown() {
    let unknown = Logging.unknownNames(in: ProcessInfo.processInfo.environment)
    guard let first = unknown.first else { return }
    printError("santorio: \(Logging.variable) takes \(list), not \"\(first.printable)\".")
  }
}
