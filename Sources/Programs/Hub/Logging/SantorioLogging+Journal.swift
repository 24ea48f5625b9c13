// SPDX-License-Identifier: Apache-2.0

package import SantorioCore
package import SantorioSystemd

extension SantorioLogging {
  /// Sends messages to systemd's journal, with the part that logs and its numbers as fields.
  ///
  /// The field `SANTORIO_CATEGORY` has the tag, and each number or code of the message is a field
  /// of its own: `journalctl SANTORIO_CATEGORY=SantorioUpload SANTORIO_STATUS=503`.
  ///
  /// - Parameter journal: The journal.
  package func setJournal(_ journal: JournalLog) {
    setHandler { tag, message in
      let line = JournalLine(tag: tag, message: message)
      journal.write(line.text, priority: line.priority, fields: line.fields)
    }
  }
}

/// A message of the log, taken apart.
struct JournalLine {
  let text: String
  let priority: JournalLog.Priority
  let fields: [(name: String, value: String)]

  init(tag: String, message: String) {
    let warning = "warning: "
    let isWarning = message.hasPrefix(warning)
    text = isWarning ? String(message.dropFirst(warning.count)) : message
    priority = isWarning ? .warning : .notice
    // Facts are the last words, each as name=value.
    let words = text.split(separator: " ")
    let facts = words.reversed().prefix { $0.contains("=") }.reversed()
    fields =
      [(name: "SANTORIO_CATEGORY", value: tag)]
      + facts.compactMap { fact in
        guard let sign = fact.firstIndex(of: "=") else { return nil }
        return (
          name: "SANTORIO_\(fact[..<sign].uppercased())",
          value: String(fact[fact.index(after: sign)...])
        )
      }
  }
}
