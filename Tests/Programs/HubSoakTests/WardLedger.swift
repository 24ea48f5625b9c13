// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency

/// A measurement of a device in another process.
///
/// No two devices of a model measure the same values, so that a record names its measurement.
struct WardReading: Hashable, Sendable {
  /// The device's number in the ward, and its entry in the catalogue.
  let device: Int
  let model: Int
  let values: String
  /// The time in true time.
  let time: Date
  /// The person who was measured; nil while the device was nobody's.
  let person: String?
}

/// The end of a measurement.
enum WardFate: String, CaseIterable, Sendable {
  case stored = "on the server once, with its person"
  case held = "held for a decision: the device had another owner at about that time"
  case archived = "in the archive of its person, whose bed was given to another one"
  case ofNobody = "measured while the device was nobody's"
  case lostWithProcess =
    "confirmed by the radio to a process that was killed before it was on the disk"
  // Faults.
  case missing = "MISSING"
  case repeated = "REPEATED on the server"
  case misplaced = "with ANOTHER PERSON"
  case heldInVain = "HELD, although the device had one owner"
  case setAside = "SET ASIDE as older than its device's first owner"
  case invented = "on the server, and NO DEVICE made it"

  var isFault: Bool {
    switch self {
    case .stored, .held, .archived, .ofNobody, .lostWithProcess: false
    case .missing, .repeated, .misplaced, .heldInVain, .setAside, .invented: true
    }
  }
}

/// The measurements of a ward, the changes of its devices' owners, and what the server has.
///
/// It is kept outside of every process that is killed.
struct WardLedger {
  /// A record and its place.
  struct Found: Hashable, Sendable {
    enum Place: Hashable, Sendable {
      case server(person: String)
      case archive(person: String)
      case held
      /// From before the device was anybody's.
      case older
    }

    let place: Place
    let model: Int
    let values: String
    /// In how many forms the server has it.
    var forms = 1
  }

  /// The time around a change of owner for which readings are held: the error of a device's clock
  /// that is tolerated, an hour where the clock is not read, and a minute.
  static let tolerance: TimeInterval = 4260

  private(set) var made: [WardReading] = []
  private var changes: [Int: [Date]] = [:]
  private var confirmedToKilled: Set<WardReading> = []

  mutating func add(_ reading: WardReading) { made.append(reading) }

  /// The owner of a device, or of one of its slots, changes.
  mutating func change(_ device: Int, at time: Date) { changes[device, default: []].append(time) }

  /// A device has erased what it had made since a time: the radio had confirmed it to a process that
  /// was killed then.
  mutating func confirmedToKilled(_ device: Int, since: Date) {
    confirmedToKilled.formUnion(made.filter { $0.device == device && $0.time > since })
  }

  /// Whether a reading may be held: its device changed hands at about its time.
  private func mayBeHeld(_ reading: WardReading) -> Bool {
    (changes[reading.device] ?? []).contains { change in
      abs(change.timeIntervalSince(reading.time)) <= Self.tolerance
    }
  }

  // MARK: - The end

  /// The fate of each measurement, and of each record that no device has made.
  func settle(_ found: [Found]) -> [(fate: WardFate, line: String)] {
    var left = Dictionary(grouping: found) { Key(model: $0.model, values: $0.values) }
    var fates: [(WardFate, String)] = []
    for reading in made {
      let key = Key(model: reading.model, values: reading.values)
      let records = left.removeValue(forKey: key) ?? []
      let fate = fate(of: reading, records)
      fates.append((fate, "\(reading): \(records.map(\.place))"))
    }
    for record in left.values.joined() { fates.append((.invented, "\(record)")) }
    return fates
  }

  private func fate(of reading: WardReading, _ records: [Found]) -> WardFate {
    let stored = records.filter { if case .server = $0.place { true } else { false } }
    let isOthers = records.contains { record in
      switch record.place {
      case .server(let person), .archive(let person): person != reading.person
      case .held, .older: false
      }
    }
    if isOthers { return .misplaced }
    if stored.count > 1 || stored.contains(where: { $0.forms > 1 }) { return .repeated }
    if !stored.isEmpty { return .stored }
    if records.contains(where: { $0.place == .held }) {
      return mayBeHeld(reading) ? .held : reading.person == nil ? .ofNobody : .heldInVain
    }
    if records.contains(where: { $0.place == .older }), reading.person != nil { return .setAside }
    if records.contains(where: { $0.place != .older }) { return .archived }
    if confirmedToKilled.contains(reading) { return .lostWithProcess }
    return reading.person == nil ? .ofNobody : .missing
  }

  private struct Key: Hashable {
    let model: Int
    let values: String
  }
}

extension WardLedger.Found {
  /// Nil for what is no measurement.
  init?(_ record: HealthRecord, at place: Place, forms: Int = 1) {
    guard record.kind == .measurement else { return nil }
    self.init(
      place: place, model: record.source.device?.peripheralID ?? 0, values: record.text,
      forms: forms)
  }
}
