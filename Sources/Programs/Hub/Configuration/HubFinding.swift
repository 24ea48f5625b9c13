// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

/// Something that a person should know about a configuration.
package struct HubFinding: Hashable, Sendable, CustomStringConvertible {
  /// How much it matters.
  package enum Severity: String, Hashable, Sendable {
    /// The hub does not start with it.
    case error
    /// The hub starts with it.
    case warning
  }

  /// How much it matters.
  package let severity: Severity
  /// The place in the file, for instance `patients[2].devices[0].slot`; empty for the whole file.
  package let path: String
  /// What is wrong there, and what to do.
  package let message: String

  package init(_ severity: Severity, at path: String, _ message: String) {
    self.severity = severity
    self.path = path
    self.message = message
  }

  /// One line: how much it matters, the place and the message.
  package var description: String {
    "\(severity.rawValue): \(path.isEmpty ? "" : "\(path): ")\(message)"
  }
}

extension HubFinding {
  /// The finding as one line for programs, without its end.
  package var json: String {
    var json = JSONWriter()
    write(to: &json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.optional("severity", severity.rawValue)
      json.optional("path", path)
      json.optional("message", message)
    }
  }
}

/// The findings of one reading.
final class FindingCollector {
  private(set) var all: [HubFinding] = []

  var hasErrors: Bool { all.contains { $0.severity == .error } }

  func error(_ path: String, _ message: String) {
    all.append(HubFinding(.error, at: path, message))
  }

  func warning(_ path: String, _ message: String) {
    all.append(HubFinding(.warning, at: path, message))
  }
}
