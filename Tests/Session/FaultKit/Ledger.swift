// SPDX-License-Identifier: Apache-2.0

import HealthRecords
package import SantorioCore
import SantorioConcurrency

/// What was acknowledged and what was delivered, kept outside of all that breaks.
package final class Ledger: Sendable {
  package struct Entries: Sendable {
    package var acknowledged: Set<String> = []
    /// How often an event reported each record as submitted.
    package var submitted: [String: Int] = [:]
    package var failed: Set<String> = []
    package var damaged: Set<String> = []
    /// Of which records the deletion was submitted, whether that was acknowledged or not.
    package var perhapsDeleted: Set<String> = []
    /// Of which records the deletion was acknowledged.
    package var deleted: Set<String> = []
    /// Of which records an event reported the deletion as delivered.
    package var deletionsDelivered: Set<String> = []
    /// All other lines, in order.
    package var others: [String] = []

    package var delivered: Set<String> { Set(submitted.keys) }
    /// Of which records something was delivered.
    package var told: Set<String> { delivered.union(deletionsDelivered) }
  }

  private let entries = Locked(Entries())
  /// Something was entered.
  package let changes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  package init() {}

  package var all: Entries { entries.withLock { $0 } }

  /// Enters a line, as ``line(for:)`` and the children write it.
  package func take(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return }
    entries.withLock { entries in
      switch words[0] {
      case "ACK": entries.acknowledged.insert(words[1])
      case "SUBMITTED": entries.submitted[words[1], default: 0] += 1
      case "FAILED": entries.failed.insert(words[1])
      case "DAMAGED": entries.damaged.insert(words[1])
      case "DELETING": entries.perhapsDeleted.insert(words[1])
      case "DELETED": entries.deleted.insert(words[1])
      case "GONE": entries.deletionsDelivered.insert(words[1])
      default: entries.others.append(line)
      }
    }
    changes.continuation.yield()
  }

  package func hear(_ event: SessionEvent) { take(Self.line(for: event)) }

  /// An event as one line.
  package static func line(for event: SessionEvent) -> String {
    switch event {
    case .recordSubmitted(let record, _): "SUBMITTED \(record.logID)"
    case .recordFailed(let record, let failure): "FAILED \(record.logID) \(failure)"
    case .deletionDelivered(let deletion): "GONE \(deletion.logID)"
    case .recordDamaged(let logID): "DAMAGED \(logID)"
    default: "EVENT \(event)"
    }
  }
}
