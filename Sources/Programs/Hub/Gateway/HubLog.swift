// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore

/// What a hub logs: aliases, devices, numbers and codes, and no health value.
enum HubLog {
  static func note(_ message: StaticString, _ facts: LogFact...) {
    SantorioLogging.shared.log(.hub, message, facts)
  }

  static func warn(_ message: StaticString, _ facts: LogFact...) {
    SantorioLogging.shared.log(.hub, level: .warning, message, facts)
  }

  /// Something that was tried for a patient in vain.
  static func failed(_ message: StaticString, _ patient: String, _ code: String) {
    warn(message, .patient(patient), .error(named: code))
  }
}
