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
    /// The number of the first revision of that origin.
    let origin: Int64

    fileprivate var place: Place { Place(end: end, origin: origin) }
  }

  /// What equal samples share whatever unit their values are in.
  fileprivate struct Place: Hashable {
    let end: Double
    let origin: Int64
  }

  /// How many samples say the same.
  struct Count: Codable {
    let key: Key
    var stored: Int64 = 0
    var met: Int64 = 0
  }

  /// The samples of one type that start at the same time: mostly one, so a list is faster than a set.
  struct Group: Codable {
    var start = -Double.greatestFiniteMagnitude
    /// The latest start of the type so far.
    var latest = -Double.greatestFiniteMagnitude
    var counts: [Count] = []
    /// Where in the list the samples of a place are, kept only for a long list.
    private var places: [Place: [Int]] = [:]

    private enum CodingKeys: CodingKey { case start, latest, counts }

    private static let longestSearchedList = 16

    mutating func append(_ count: Count) {
      if !places.isEmpty { places[count.key.place, default: []].append(counts.count) }
      counts.append(count)
    }

    mutating func begin(_ start: Double) {
      self.start = start
      latest = max(latest, start)
      counts.removeAll(keepingCapacity: true)
      places.removeAll(keepingCapacity: true)
    }

    /// The place in the list of the samples that `isSame` says are the same as those of `key`.
    mutating func index(of key: Key, where isSame: (Key) -> Bool) -> Int? {
      guard counts.count > Self.longestSearchedList else {
        return counts.firstIndex { isSame($0.key) }
      }
      if places.isEmpty {
        for (index, count) in counts.enumerated() {
          places[count.key.place, default: []].append(index)
        }
      }
      return places[key.place]?.first { isSame(counts[$0].key) }
    }
  }

  /// The last group of each type.
  typealias State = [Int64: Group]

  private let isFirstLoad: Bool
  /// The first row that this import has added, or will add: what is before it was in the store.
  private let firstRow: Int64
  private var groups: State
  /// The group of the type that came last, which is not among the others.
  private var current: (type: Int64, group: Group)?

  init(isFirstLoad: Bool, firstRow: Int64, _ state: State) {
    self.isFirstLoad = isFirstLoad
    self.firstRow = firstRow
    groups = state
  }

  /// What another import needs to continue.
  var state: State {
    guard let current else { return groups }
    return groups.merging([current.type: current.group]) { $1 }
  }

  /// Finds out what a row is.
  mutating func find(
    _ row: SampleRow, _ origin: Int64, _ database: HealthDatabase
  ) throws -> Result {
    if current?.type != row.type { change(to: row.type) }
    if current?.group.start != row.start { try begin(row, database) }
    let key = Key(end: row.end, value: row.value, unit: row.unit ?? 0, origin: origin)
    let index = current?.group.index(of: key) { Self.isSame($0, key, database) }
    guard let index else {
      current?.group.append(Count(key: key, met: 1))
      return .new(0)
    }
    let count = current?.group.counts[index] ?? Count(key: key)
    current?.group.counts[index].met += 1
    return count.met < count.stored ? .known : .new(count.met)
  }

  // A phone that was set to another unit exports the same samples in that one, rounded.
  private static func isSame(_ known: Key, _ key: Key, _ database: HealthDatabase) -> Bool {
    guard known.unit != key.unit else { return known == key }
    guard known.end == key.end, known.origin == key.origin,
      let value = database.convert(key.value, from: key.unit, to: known.unit)
    else { return false }
    return abs(value - known.value) <= 1e-5 * max(abs(value), abs(known.value))
  }

  private mutating func change(to type: Int64) {
    if let current { groups[current.type] = current.group }
    current = (type, groups.removeValue(forKey: type) ?? Group())
  }

  // In the first load, a file that is in order repeats a sample only next to it.
  private mutating func begin(_ row: SampleRow, _ database: HealthDatabase) throws {
    let isLater = row.start > (current?.group.latest ?? row.start)
    current?.group.begin(row.start)
    guard !isFirstLoad || !isLater else { return }
    for found in try database.rows(ofType: row.type, startingAt: row.start) {
      let key = Key(
        end: found.end, value: found.value, unit: found.unit ?? 0,
        origin: database.originNumber(found.revision))
      let index = current?.group.index(of: key) { $0 == key }
      var count = index.flatMap { current?.group.counts[$0] } ?? Count(key: key)
      if found.id < firstRow { count.stored += 1 } else { count.met += 1 }
      if let index {
        current?.group.counts[index] = count
      } else {
        current?.group.append(count)
      }
    }
  }
}
