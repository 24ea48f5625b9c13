// SPDX-License-Identifier: Apache-2.0

import Foundation
package import SantorioCore

/// Says what a method that returns nothing could not do.
package enum FacadeLog {
  /// Logs a warning, also while logging is off: nothing else tells the app of it.
  ///
  /// - Parameters:
  ///   - category: The part that warns.
  ///   - message: What happened; constant, so that it cannot hold user data.
  package static func warn(
    _ category: SantorioLogging.Category, _ message: StaticString
  ) {
    if SantorioLogging.shared.isEnabled {
      SantorioLogging.shared.log(category, level: .warning, message)
    } else {
      NSLog("%@", "Santorio: \(message)")
    }
  }

  /// Logs a warning of the session.
  ///
  /// - Parameter message: What happened; constant, so that it cannot hold user data.
  package static func warn(_ message: StaticString) { warn(.session, message) }
}
