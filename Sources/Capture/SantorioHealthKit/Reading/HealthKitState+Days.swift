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

  /// What has to be submitted of the records of some days or nights.
  struct News {
    /// The records whose content is another one than at the last time.
    var records: [HealthRecord] = []
    /// The identifiers of records that were submitted, and of which nothing is left.
    var gone: [String] = []
    /// The change that notes both.
    var changes: [StateChange] = []
  }

  /// Compares records with what was submitted before; the identifiers are those of records that would
  /// be among them if there were data.
  func news(
    among records: [HealthRecord], expected: [String] = [], session number: Int64
  ) async throws -> News {
    var known = try await value(Self.days, as: Days.self) ?? Days(session: number)
    if known.session != number { known = Days(session: number) }
    var news = News()
    for record in records {
      let digest = Self.digest(of: record)
      guard known.digests.updateValue(digest, forKey: record.logID) != digest else { continue }
      news.records.append(record)
    }
    let present = Set(records.map(\.logID))
    for name in expected where !present.contains(name) {
      if known.digests.removeValue(forKey: name) != nil { news.gone.append(name) }
    }
    guard !news.records.isEmpty || !news.gone.isEmpty else { return news }
    // The identifiers end with their day, so the first ones in the order of days are the oldest.
    let oldest = known.digests.keys.sorted { $0.suffix(10) < $1.suffix(10) }
      .dropLast(Self.mostDays)
    for name in oldest { known.digests[name] = nil }
    news.changes = [.fact(Self.days, Self.bytes(known))]
    return news
  }

  // MARK: - The course of a day

  private struct Intraday: Codable {
    let session: Int64
  }

  private static let intraday = StateName(source: source, key: "intraday")

  /// Whether steps in the course of a day were sent when days were read last.
  func sentIntraday(session number: Int64) async throws -> Bool {
    try await value(Self.intraday, as: Intraday.self)?.session == number
  }

  /// The change that notes whether they are sent now.
  static func change(sendsIntraday isOn: Bool, session: Int64) -> StateChange {
    .fact(intraday, isOn ? bytes(Intraday(session: session)) : nil)
  }

  /// The identifiers of the records of days that were submitted.
  func submittedDays(session number: Int64) async throws -> Set<String> {
    let known = try await value(Self.days, as: Days.self)
    return known?.session == number ? Set((known?.digests ?? [:]).keys) : []
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
