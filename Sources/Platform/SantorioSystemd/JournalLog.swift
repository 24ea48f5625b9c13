// SPDX-License-Identifier: Apache-2.0

/// Writes lines with fields into systemd's journal, by its native protocol.
///
/// Nothing that identifies a person and no health value belongs into a line or a field.
package struct JournalLog: Sendable {
  /// How much a line matters (syslog(3)).
  package enum Priority: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case information = 6
    case debug = 7
  }

  /// The journal's socket.
  package static let socket = "/run/systemd/journal/socket"

  private let path: String
  private let identifier: String

  /// Prepares a log.
  ///
  /// - Parameters:
  ///   - identifier: The program's name in the journal.
  ///   - socket: The journal's socket.
  package init(identifier: String, socket: String = Self.socket) {
    self.identifier = identifier
    path = socket
  }

  /// Whether the standard error of this process is the journal.
  ///
  /// - Parameter environment: The environment of the process.
  /// - Returns: Whether systemd says so by `JOURNAL_STREAM` (systemd.exec(5)).
  package static func isStandardError(environment: [String: String]) -> Bool {
    environment["JOURNAL_STREAM"]?.isEmpty == false
  }

  /// Writes a line.
  ///
  /// - Parameters:
  ///   - message: The line.
  ///   - priority: How much it matters.
  ///   - fields: Its fields, by names of A-Z, 0-9 and `_` that begin with a letter; others are left
  ///     out.
  /// - Returns: Whether the journal has got it; a caller writes it elsewhere if not.
  @discardableResult
  package func write(
    _ message: String, priority: Priority, fields: [(name: String, value: String)] = []
  ) -> Bool {
    var bytes: [UInt8] = []
    let own = [
      (name: "MESSAGE", value: message), (name: "PRIORITY", value: String(priority.rawValue)),
      (name: "SYSLOG_IDENTIFIER", value: identifier),
    ]
    for field in own + fields where Self.isName(field.name) {
      Self.append(field.name, field.value, to: &bytes)
    }
    return DatagramSocket.send(bytes, to: path)
  }

  /// Names that begin with `_` are the journal's own.
  private static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.first.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } ?? false
      && name.utf8.allSatisfy { byte in
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || byte == UInt8(ascii: "_")
      }
  }

  /// A value of several lines has its length before it, in 8 bytes, the least significant first.
  private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
    bytes += Array(name.utf8)
    let text = Array(value.utf8)
    if text.contains(UInt8(ascii: "\n")) {
      bytes.append(UInt8(ascii: "\n"))
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: text.count >> ($0 * 8)) }
    } else {
      bytes.append(UInt8(ascii: "="))
    }
    bytes += text + [UInt8(ascii: "\n")]
  }
}
