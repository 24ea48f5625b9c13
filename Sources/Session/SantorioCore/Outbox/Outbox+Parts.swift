// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioJSON
import SantorioSQLite

// Which parts of records a server has that does not recognise them itself. It is kept like the
// state of a source, and stays when the record has left the queue.
extension Outbox {
  /// The number of records whose parts are remembered.
  static let mostLedgers = 20_000
  private static let ledgerSource = "upload"

  /// Names what is kept of a record: by its user, by the server and by the patient there, since
  /// another one has nothing of it.
  static func ledgerName(
    of logID: String, _ user: SantorioUser, at destination: any RecordDestination
  ) -> StateName {
    let device = [
      place(of: destination.endpoint), destination.partScope(of: user), user.organizationID,
      user.userID, logID,
    ].joined(separator: "\n")
    return StateName(source: ledgerSource, device: device, key: "parts")
  }

  /// The sources of what the queue itself remembers of records.
  static let memory = [ledgerSource, decisionSource]

  /// Whether something is remembered of records of the session's user.
  static func isMemory(_ name: StateName, of session: StoredSession) -> Bool {
    switch name.source {
    case decisionSource: return name.device.hasPrefix(session.name + "\n")
    case ledgerSource:
      let words = name.device.split(separator: "\n", omittingEmptySubsequences: false)
      return words.count > 4 && words[2] == session.organizationID && words[3] == session.userID
    default: return false
    }
  }

  /// What is known of a record's parts; nothing where it is damaged: they are sent again.
  func ledger(_ name: StateName) throws(SessionError) -> PartLedger {
    try access { try readLedger(name) }
  }

  private func readLedger(_ name: StateName) throws -> PartLedger {
    try readStates(of: name.source, device: name.device).first { $0.name == name }
      .flatMap { try? JSONDecoder().decode(PartLedger.self, from: Data($0.value)) } ?? PartLedger()
  }

  /// Keeps what is known of a record's parts.
  func note(_ ledger: PartLedger, as name: StateName) throws(SessionError) {
    try draining { try write(ledger, as: name) }
  }

  /// Applies the server's answer to a part of a record, which stays in the queue.
  func settlePart(
    of row: OutboxRow, _ result: DeliveryResult, as name: StateName, ending transfer: String?
  ) throws(SessionError) {
    guard let part = row.part else { return }
    try draining {
      try forget(transfer: transfer)
      var ledger = try readLedger(name)
      ledger.apply(result, to: part)
      try write(ledger, as: name)
      if case .postponed(let wait) = result { try postpone(row, by: wait) }
    }
  }

  /// Notes that the last request for a part was turned away.
  func takeBack(_ part: String, of name: StateName) throws(SessionError) {
    try draining {
      var ledger = try readLedger(name)
      ledger.takeBack(part)
      try write(ledger, as: name)
    }
  }

  /// Forgets which parts were refused, inside the transaction that takes the record from the queue.
  func closeLedger(_ name: StateName) throws {
    var ledger = try readLedger(name)
    ledger.forgetRefusals()
    try write(ledger, as: name)
    try removeStates(of: Self.ledgerSource, beyond: Self.mostLedgers)
  }

  private func write(_ ledger: PartLedger, as name: StateName) throws {
    try write(.fact(name, Array(JSONEncoder().encode(ledger))))
  }
}
