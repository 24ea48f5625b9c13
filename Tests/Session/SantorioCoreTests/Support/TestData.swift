// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import TestSupport

@testable import SantorioCore
import SantorioConcurrency
import SantorioSQLite
import SantorioJSON

extension TemporaryFolder {
  /// The outbox of the folder, on a clock that stands.
  func openOutbox(maximumBytes: Int = 1 << 20) async throws -> Outbox {
    let outbox = Outbox(
      folder: url, maximumBytes: maximumBytes, credentials: CredentialFiles(folder: url),
      now: { Date(timeIntervalSince1970: 1_772_600_000) })
    try await outbox.open()
    return outbox
  }

  /// What the folder's key encrypts.
  func seal() throws -> RowSeal {
    RowSeal(key: try OutboxKey.key(in: CredentialFiles(folder: url)))
  }

  /// The `log_id`s of an archive, in their order; nil where a name is damaged.
  func logIDs(inArchive archive: URL) throws -> [String?] {
    let seal = try seal()
    return ArchiveLine.lines(of: try Data(contentsOf: archive)).map { seal.logID(of: $0.name) }
  }

  /// The `log_id`s of a table's rows, in no order.
  func logIDs(in table: String) throws -> [String?] {
    let seal = try seal()
    return try SQLiteDatabase(path: path("outbox.sqlite")).prepare("SELECT log_id FROM \(table)")
      .all { seal.logID(of: $0.blob(0)) }
  }

  /// A record's name in the outbox's file, as SQL writes it.
  func sqlName(_ logID: String) throws -> String {
    "x'" + (try seal().name(of: logID).map { String(format: "%02x", $0) }.joined()) + "'"
  }
}

/// A blood pressure reading of 4 March 2026, of a value that the check of all output looks for.
func reading(_ logID: String, systolic: Double = 118.625) -> HealthRecord {
  let time = Date(timeIntervalSince1970: 1_772_600_767)
  return HealthRecord(
    logID: logID, time: RecordTime(start: time, origin: .device, received: time),
    source: RecordSource(type: .bluetooth), metrics: [Metric(.systolic, systolic)])
}

/// Bytes that need not be a record.
struct RawItem: OutboxItem {
  let logID: String
  let body: [UInt8]

  func write(to json: inout JSONWriter) { json.value(body) }
}

func item(_ logID: String, _ body: String = "{}") -> RawItem {
  RawItem(logID: logID, body: Array(body.utf8))
}

let alice = SantorioUser(userID: "alice", organizationID: "acme", accessToken: "token-of-alice")
let bob = SantorioUser(userID: "bob", organizationID: "acme", accessToken: "token-of-bob")

/// An address on this machine; nothing listens on port 9.
func localURL(port: UInt16 = 9) -> URL {
  URL(string: "http://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/")
}

/// A wall clock that is set by hand.
final class WallClock: Sendable {
  private let seconds: Locked<Double>
  init(_ seconds: Double = 1_772_600_000) { self.seconds = Locked(seconds) }
  func advance(by difference: Double) { seconds.withLock { $0 += difference } }
  var now: @Sendable () -> Date {
    { Date(timeIntervalSince1970: self.seconds.withLock { $0 }) }
  }
}
