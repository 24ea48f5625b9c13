// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioConcurrency
import SantorioSQLite
import SantorioJSON
import SantorioCryptography

/// An item that the queue keeps under an identifier: a record.
protocol OutboxItem: Sendable {
  var logID: String { get }
  /// Writes the bytes that are stored, sent and archived.
  func write(to json: inout JSONWriter)
}

extension HealthRecord: OutboxItem {
  func write(to json: inout JSONWriter) { writeInform(to: &json) }
}

/// Items on their way into the queue, as many as one statement inserts.
///
/// They are encoded and encrypted once: by the caller, ahead of the queue, or by the queue,
/// whichever comes first.
final class OutboxBatch: Sendable {
  static let longest = 16

  private typealias Made = (seal: RowSeal, rows: SQLiteRows)

  private let make: @Sendable (RowSeal) throws(SessionError) -> SQLiteRows
  private let made = Locked<Made?>(nil)

  private init<Item: OutboxItem>(_ items: ArraySlice<Item>) {
    make = { (seal: RowSeal) throws(SessionError) in try Self.rows(of: items, sealedBy: seal) }
  }

  /// Splits items into batches, in order.
  static func batches(of items: [some OutboxItem]) -> [OutboxBatch] {
    stride(from: 0, to: items.count, by: longest).map { start in
      OutboxBatch(items[start..<min(start + longest, items.count)])
    }
  }

  /// The name, the mark and the sealed bytes of each item.
  func rows(sealedBy seal: RowSeal) throws(SessionError) -> SQLiteRows {
    try made.withLock { made throws(SessionError) in
      // A file that replaced a damaged one may have another key.
      if let made, made.seal.isSame(as: seal) { return made.rows }
      let rows = try make(seal)
      made = (seal, rows)
      return rows
    }
  }

  private static func rows(
    of items: ArraySlice<some OutboxItem>, sealedBy seal: RowSeal
  ) throws(SessionError) -> SQLiteRows {
    var rows = SQLiteRows(capacity: items.count, bytes: items.count * HealthRecord.usualSize)
    var json = JSONWriter(capacity: HealthRecord.usualSize)
    try seal.sealing(items.count) { encryption throws(SessionError) in
      for item in items {
        json.removeAll()
        item.write(to: &json)
        try rows.append(item.logID, named: seal.name(of: item.logID), json, sealedBy: encryption)
      }
    }
    return rows
  }
}

extension SQLiteRows {
  /// Adds a row of the queue: the name, the mark and the sealed bytes.
  fileprivate mutating func append(
    _ logID: String, named name: [UInt8], _ json: borrowing JSONWriter,
    sealedBy encryption: AESGCM.Encryption
  ) throws(SessionError) {
    try unsafe json.withBytes { bytes throws(SessionError) in
      try append(name) { memory throws(SessionError) in
        try unsafe encryption.seal(bytes, as: SealedPlace.queued(logID), onto: &memory)
        return RowSeal.mark(of: memory)
      }
    }
  }
}
