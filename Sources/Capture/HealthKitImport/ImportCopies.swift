// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthKit
import SantorioSQLite

/// Finds out whether a sample of an export is in the store, and how often the file repeats it.
///
/// Two samples are the same if type, time, value, unit and origin are. The origin is the kind of
/// device, and the name of the source where the kind is not known: a watch that was given another name
/// is the same one.
struct ImportCopies {
  enum Result {
    case known
    /// So many samples before it say the same.
    case new(Int64)
  }

  struct Key: Hashable, Codable {
    let end: Double
    let value: Double
    let unit: Int64
    let origin: String
  }

  /// The samples of one type that start at the same time.
  struct Group: Codable {
    var start: Double
    var stored: [Key: Int64] = [:]
    var met: [Key: Int64] = [:]
  }

  /// The last group of each type.
  typealias State = [Int64: Group]

  private let isFirstLoad: Bool
  private(set) var state: State

  init(isFirstLoad: Bool, _ state: State) {
    self.isFirstLoad = isFirstLoad
    self.state = state
  }

  /// Finds out what a row is.
  mutating func find(
    _ row: SampleRow, _ origin: String, _ database: HealthDatabase
  ) throws -> Result {
    let key = Key(
      end: row.end, value: row.value, unit: row.unit ?? 0, origin: origin)
    var group = state[row.type] ?? Group(start: -.greatestFiniteMagnitude)
    if group.start != row.start {
      // In the first load a file that is in order repeats a sample only next to it.
      let isLater = row.start > group.start
      group.start = row.start
      group.met.removeAll(keepingCapacity: true)
      group.stored.removeAll(keepingCapacity: true)
      if !isFirstLoad || !isLater { group.stored = try stored(row, database) }
    }
    let before = group.met[key] ?? 0
    group.met[key] = before + 1
    state[row.type] = group
    let stored = group.stored[key] ?? 0
    return before < stored ? .known : .new(before)
  }

  private func stored(_ row: SampleRow, _ database: HealthDatabase) throws -> [Key: Int64] {
    var stored: [Key: Int64] = [:]
    for found in try database.rows(ofType: row.type, startingAt: row.start) {
      let origin = database.origin(found.revision)
      let key = Key(
        end: found.end, value: found.value, unit: found.unit ?? 0, origin: origin)
      stored[key, default: 0] += 1
    }
    return stored
  }
}
