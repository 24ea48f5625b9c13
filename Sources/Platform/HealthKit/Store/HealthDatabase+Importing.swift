// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite

/// What an import of many samples needs.
extension HealthDatabase {
  /// Whether nothing was ever saved.
  package func isEmpty() throws -> Bool {
    try connection.integer(
      "SELECT EXISTS(SELECT 1 FROM sample) + EXISTS(SELECT 1 FROM deletion)") == 0
  }

  /// Lets a commit return before it is on the disk: after a loss of power the last ones may be missing,
  /// and with them the note of how far the import was.
  package func relaxSynchronization() throws {
    try connection.execute("PRAGMA synchronous = NORMAL")
  }

  /// Has each commit on the disk before it returns.
  package func restoreSynchronization() throws {
    try connection.execute("PRAGMA synchronous = FULL")
  }

  /// What tells the origin of a sample from others: the kind of device, or the source's name where
  /// that is not known.
  package func origin(_ revision: Int64) -> String {
    guard let revision = revisions[revision] else { return "" }
    return revision.productType ?? revision.source.name
  }

  /// The samples of a type that start at a time.
  package func rows(ofType type: Int64, startingAt start: Double) throws -> [SampleRow] {
    try flush()
    return try sameStart.get().all(.integer(type), .real(start)) { (row) throws(SQLiteError) in
      SampleRow(row)
    }
  }

  /// A value of one unit in another one, by their numbers; nil if they are not compatible.
  package func convert(_ value: Double, from unit: Int64, to other: Int64) -> Double? {
    guard let unit = units[unit], let other = units[other] else { return nil }
    return unit.convert(value, to: other)
  }

  // MARK: - Parts

  /// Notes that a sample, which may come later, is a part of another one.
  package func expect(_ part: SampleRow, in whole: Int64) throws {
    try expectation.get().run { values in
      values.set(1, whole)
      values.set(2, part.type)
      values.set(3, part.start)
      values.set(4, part.end)
      values.set(5, part.value)
      values.set(6, part.unit)
      values.set(7, part.revision)
      values.set(8, part.device)
      values.set(9, part.metadata)
    }
  }

  /// Joins the parts that were noted to what they belong to; those that the store does not have are
  /// added.
  ///
  /// - Returns: How many were added.
  package func joinExpectedParts() throws -> Int {
    let expected = try connection.prepare(
      """
      SELECT whole, type, start, end, value, unit, revision, device, metadata FROM expected_part
      ORDER BY rowid
      """
    ).all { (row) throws(SQLiteError) in
      (
        row.integer(0),
        SampleRow(
          type: row.integer(1), start: row.real(2), end: row.real(3), value: row.real(4),
          unit: row.isNull(5) ? nil : row.integer(5), revision: row.integer(6),
          device: row.isNull(7) ? nil : row.integer(7),
          metadata: row.isNull(8) ? nil : row.integer(8))
      )
    }
    var added = 0
    for (whole, part) in expected {
      let same = try rows(ofType: part.type, startingAt: part.start).filter {
        $0.end == part.end && $0.value == part.value && $0.unit == part.unit
          && origin($0.revision) == origin(part.revision)
      }
      // Two correlations that say the same have a part each.
      let found = try same.first { try !isPart($0.id) } ?? same.first
      if found == nil { added += 1 }
      try join(try found?.id ?? insert(part), to: whole)
    }
    try connection.execute("DELETE FROM expected_part")
    return added
  }

  private func isPart(_ id: Int64) throws -> Bool {
    try connection.prepare("SELECT EXISTS(SELECT 1 FROM member WHERE part = ?)")
      .first(.integer(id)) { (row) throws(SQLiteError) in row.integer(0) != 0 } ?? false
  }

  /// The number of the next row, in a transaction.
  package var nextRow: Int64 { next }

  // MARK: - Characteristics

  private static var characteristicPrefix: String { "characteristic " }

  /// Keeps the characteristics of an export's person, by the names of their types.
  package func save(characteristics: [String: String]) throws {
    for (name, value) in characteristics {
      try setState(Self.characteristicPrefix + name, value)
    }
  }

  /// A characteristic as an export writes it; nil if it is not known.
  package func characteristic(_ type: HKCharacteristicTypeIdentifier) throws -> String? {
    try state(Self.characteristicPrefix + type.rawValue)
  }
}

/// What a row has beside its value, as a text.
package enum SampleDetail {
  /// The text of a workout.
  package static func workout(_ content: HKWorkout.Content) -> String {
    WorkoutCoding.encode(content)
  }

  /// Heartbeats as bytes: for each, seconds since local midnight and beats per minute, two numbers of
  /// 64 bits with the lowest byte first; a time that is not known is none.
  package static func beats(_ beats: some Collection<(time: Double?, rate: Double)>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(beats.count * 16)
    for (time, rate) in beats {
      for number in [time ?? .nan, rate] {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
      }
    }
    return bytes
  }
}
