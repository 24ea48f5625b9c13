// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite

// What sources keep from one reading to the next. It is in the file of the records, so that a
// position is never ahead of the records it vouches for, and all processes see the same.
extension Outbox {
  private static let upsertSQL = """
    INSERT INTO state(source, device, key, position, value) VALUES(?1, ?2, ?3, ?4, ?5)
    ON CONFLICT(device, key) DO UPDATE SET
      id = (SELECT max(id) + 1 FROM state), position = excluded.position, value = excluded.value,
      reached = NULL
    """
  private static let ofSourceSQL =
    "SELECT device, key, value, settled FROM state WHERE source = ? ORDER BY id DESC"
  private static let ofDeviceSQL =
    "SELECT device, key, value, settled FROM state WHERE device = ? ORDER BY id DESC"

  /// The state of a source, or what it keeps about one device; the last changed first.
  ///
  /// A damaged piece is left out; of a damaged position, what earlier users had read is left.
  func states(of source: String, device: String? = nil) throws(SessionError) -> [SourceState] {
    try access { try readStates(of: source, device: device) }
  }

  /// Unique to the file that is open.
  func generation() throws(SessionError) -> [UInt8] { try access { try file.generation } }

  /// The same, for use inside a transaction.
  func readStates(of source: String, device: String?) throws -> [SourceState] {
    let seal = try seal
    let (sql, value) =
      if let device {
        (Self.ofDeviceSQL, SQLiteValue.blob(try seal.name(of: SealedPlace.device(source, device))))
      } else {
        (Self.ofSourceSQL, SQLiteValue.text(source))
      }
    return try statement(sql).all(value) { row in
      SourceState(
        source: source, device: row.blob(0), key: row.text(1), values: [row.blob(2), row.blob(3)],
        seal)
    }
    .compactMap(\.self)
  }

  /// Changes what a source keeps about a device, from what it keeps now, in one transaction.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - device: The device; empty for state of the source itself.
  ///   - body: Gives the changes; it may run twice.
  /// - Throws: ``SessionError`` when the file cannot be used; then nothing was changed.
  func changeState(
    of source: String, device: String, _ body: @Sendable ([SourceState]) -> [StateChange]
  ) throws(SessionError) {
    try transaction {
      for change in try body(readStates(of: source, device: device)) { try write(change) }
    }
  }

  /// Makes a change, inside the current transaction.
  func write(_ change: StateChange) throws {
    let isOfThisFile = try change.generation.map { try $0 == file.generation } ?? true
    guard isOfThisFile else { return }
    let (seal, name) = (try seal, change.name)
    let device = try SQLiteValue.blob(seal.name(of: SealedPlace.device(name.source, name.device)))
    guard let value = change.value else {
      try statement("DELETE FROM state WHERE device = ? AND key = ?").run(device, .text(name.key))
      return
    }
    try statement(Self.upsertSQL).run(
      .text(name.source), device, .text(name.key), .integer(change.isPosition ? 1 : 0),
      .blob(seal.seal(value, as: SealedPlace.state(name))))
  }

  /// Removes all but the last changed pieces of a source, inside the current transaction.
  func removeStates(of source: String, beyond count: Int) throws {
    try statement(
      """
      DELETE FROM state WHERE id IN
        (SELECT id FROM state WHERE source = ? ORDER BY id DESC LIMIT -1 OFFSET ?)
      """
    ).run(.text(source), .integer(Int64(count)))
  }

  /// Takes the positions of the session that ends for those of earlier users, inside the current
  /// transaction.
  func settlePositions() throws {
    try statement(
      """
      UPDATE state SET settled = coalesce(reached, value), value = coalesce(reached, value),
        reached = NULL
      WHERE position
      """
    ).run()
  }
}

extension SourceState {
  /// Opens the first of the values that is sound; nil when the row has none, or is in the place of
  /// another one.
  fileprivate init?(
    source: String, device: [UInt8], key: String, values: [[UInt8]], _ seal: RowSeal
  ) {
    guard let name = StateName(source: source, sealedDevice: device, key: key, seal),
      let value = values.lazy.compactMap({ seal.open($0, as: SealedPlace.state(name)) }).first
    else { return nil }
    self.init(name: name, value: value)
  }
}

extension StateName {
  /// The name of a row; nil when the row is damaged.
  init?(source: String, sealedDevice: [UInt8], key: String, _ seal: RowSeal) {
    let prefix = SealedPlace.device(source, "")
    guard let text = seal.logID(of: sealedDevice), text.hasPrefix(prefix) else { return nil }
    self.init(source: source, device: String(text.dropFirst(prefix.count)), key: key)
  }
}
