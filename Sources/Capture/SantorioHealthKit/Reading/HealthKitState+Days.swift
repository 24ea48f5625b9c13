// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import Foundation
import HealthRecords
import SantorioCore
import SantorioCryptography

// What was submitted of days and nights, so that the same content is not sent again.
extension HealthKitState {
  /// How many days are remembered.
  private static let mostDays = 400

  private struct Days: Codable {
    var session: Int64
    /// A digest of the content by the record's identifier.
    var digests: [String: String] = [:]
  }

  private static let days = StateName(source: source, key: "days")

  /// The records whose content is another one than at the last time, and the change that notes it.
  func changed(
    among records: [HealthRecord], session number: Int64
  ) async throws -> ([HealthRecord], [StateChange]) {
    var known = try await value(Self.days, as: Days.self) ?? Days(session: number)
    if known.session != number { known = Days(session: number) }
    let new = records.filter { record in
      let digest = Self.digest(of: record)
      defer { known.digests[record.logID] = digest }
      return known.digests[record.logID] != digest
    }
    guard !new.isEmpty else { return ([], []) }
    // The identifiers end with their day, so the first ones in the order of days are the oldest.
    let oldest = known.digests.keys.sorted { $0.suffix(10) < $1.suffix(10) }
      .dropLast(Self.mostDays)
    for name in oldest { known.digests[name] = nil }
    return (new, [.fact(Self.days, Self.bytes(known))])
  }

  private static func digest(of record: HealthRecord) -> String {
    let metrics = record.metrics.map { "\($0.type.rawValue)=\($0.value ?? .nan)" }
    let points = record.series.flatMap { series in
      series.points.map { "\($0.time.timeIntervalSince1970)=\($0.value)" }
    }
    let start = record.time.start.timeIntervalSince1970
    let end = record.time.end.timeIntervalSince1970
    let text = (["\(start)", "\(end)"] + metrics + points).joined(separator: "|")
    return String(SHA256Digest.hex(Array(text.utf8)).prefix(32))
  }

  // MARK: - Nights

  private struct Nights: Codable {
    let session: Int64
    let count: Int
  }

  private static func night(_ day: CalendarDay) -> StateName {
    StateName(source: source, device: "night \(day)", key: "count")
  }

  /// How many records a day's nights have made.
  func nightCount(of day: CalendarDay, session number: Int64) async throws -> Int {
    let nights = try await value(Self.night(day), as: Nights.self)
    return nights?.session == number ? nights?.count ?? 0 : 0
  }

  /// The change that notes it; one record is not noted, since it is replaced in any case.
  static func nightCount(_ count: Int, of day: CalendarDay, session number: Int64) -> StateChange {
    .fact(night(day), count > 1 ? bytes(Nights(session: number, count: count)) : nil)
  }
}
