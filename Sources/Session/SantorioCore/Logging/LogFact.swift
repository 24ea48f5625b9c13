// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// How much a message matters.
package enum LogLevel: Sendable {
  /// What happens in normal use.
  case notice
  /// Something was asked for that is not done.
  case warning

  var prefix: String {
    switch self {
    case .notice: ""
    case .warning: "warning: "
    }
  }
}

/// A number or a code in a message: only kinds of values that reveal nothing about a user.
package struct LogFact: Sendable {
  let text: String

  private init(_ name: StaticString, _ value: String) { text = "\(name)=\(value)" }

  /// A number of items.
  package static func count(_ name: StaticString, _ count: Int) -> LogFact {
    LogFact(name, String(count))
  }

  /// An HTTP status.
  package static func status(_ status: Int?) -> LogFact {
    LogFact("status", status.map(String.init) ?? "none")
  }

  /// A time span, to the tenth of a second.
  package static func seconds(_ duration: Duration) -> LogFact {
    let tenths = duration.milliseconds / 100
    return LogFact("seconds", "\(tenths / 10).\(tenths % 10)")
  }

  /// Why an operation failed.
  package static func error(_ code: SessionError.Code) -> LogFact { LogFact("error", code.name) }

  /// Why an operation failed, by the name of an error's code, which is a constant.
  package static func error(named name: String) -> LogFact { LogFact("error", name) }

  /// What an operator calls a patient on a gateway, which is not the patient's name.
  package static func patient(_ alias: String) -> LogFact { LogFact("patient", alias) }

  /// The identifier that the system assigned to a device.
  package static func device(_ identifier: UUID) -> LogFact {
    LogFact("device", identifier.uuidString)
  }

  /// The number of a model in the catalogue.
  package static func model(_ id: Int) -> LogFact { LogFact("model", String(id)) }

  /// What was asked for, by its name, which is a constant.
  package static func request(named name: String) -> LogFact { LogFact("request", name) }

  /// A state or a kind, as a constant name.
  package static func kind(_ kind: StaticString) -> LogFact { LogFact("kind", kind.description) }
}
