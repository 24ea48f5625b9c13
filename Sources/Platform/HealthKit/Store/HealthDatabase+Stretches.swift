// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSQLite

extension HealthDatabase {
  /// When samples were taken: intervals in order, with a month or more without samples between them.
  package func stretches() throws -> [DateInterval] {
    var found: [DateInterval] = []
    for type in types.values { found += try stretches(of: type) }
    var merged: [DateInterval] = []
    for stretch in found.sorted() {
      if let last = merged.last, stretch.start <= last.end + Self.gap {
        merged[merged.count - 1].end = max(last.end, stretch.end)
      } else {
        merged.append(stretch)
      }
    }
    return merged
  }

  private static var gap: TimeInterval { 30 * 86_400 }

  /// Leaps through the index by a month at a time.
  private func stretches(of type: TypeRow) throws -> [DateInterval] {
    let next = try connection.prepare("SELECT min(start) FROM sample WHERE type = ? AND start > ?")
    let last = try connection.prepare("SELECT max(start) FROM sample WHERE type = ? AND start <= ?")
    func time(_ statement: SQLiteStatement, _ bound: Double) throws(SQLiteError) -> Double? {
      try statement.first(.integer(type.id), .real(bound)) { (row) throws(SQLiteError) in
        row.isNull(0) ? nil : row.real(0)
      } ?? nil
    }
    var found: [DateInterval] = []
    var place = -Double.greatestFiniteMagnitude
    while let start = try time(next, place) {
      place = start
      while let later = try time(last, place + Self.gap), later > place { place = later }
      found.append(
        DateInterval(
          start: Date(timeIntervalSinceReferenceDate: start),
          end: Date(timeIntervalSinceReferenceDate: place + type.longest)))
    }
    return found
  }
}
