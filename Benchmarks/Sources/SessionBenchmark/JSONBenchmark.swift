// SPDX-License-Identifier: Apache-2.0

import BenchmarkReport
import Foundation
import HealthRecords

/// What writing and reading a record takes beside Foundation.
struct JSONBenchmark {
  private static let rounds = 7
  private static let count = 2000

  /// The record's form for Foundation's coders.
  private struct CodableRecord: Codable {
    struct Metric: Codable {
      let type: String
      let origin: String?
      let unit: String?
      let value: Double
    }
    struct Source: Codable {
      struct Device: Codable {
        let manufacturer: String?
        let model: String?
        let serial_number: String?
      }
      let type: String?
      let device: Device?
    }
    let log_id: String
    let type: String?
    let start_time: String?
    let end_time: String?
    let utc_offset: Double?
    let offset_origin: String?
    let metrics: [Metric]
    let source: Source?
  }

  func run(_ report: inout Report) async throws {
    let records = (0..<Self.count).map(sample)
    let bytes = try records.map { try $0.informJSON() }
    let datas = bytes.map { Data($0) }
    let decoder = JSONDecoder()
    let mirrors = try datas.map { try decoder.decode(CodableRecord.self, from: $0) }
    let objects = try datas.map { try JSONSerialization.jsonObject(with: $0) }
    let encoder = JSONEncoder()

    report.heading("JSON of a record of \(bytes[0].count) bytes")
    report.head(["", "µs", "times ours"])
    try await compare(
      report,
      [
        ("informJSON()", { for record in records { _ = try record.informJSON() } }),
        ("JSONEncoder", { for mirror in mirrors { _ = try encoder.encode(mirror) } }),
        (
          "JSONSerialization.data",
          { for object in objects { _ = try JSONSerialization.data(withJSONObject: object) } }
        ),
      ])
    try await compare(
      report,
      [
        ("init(informJSON:)", { for json in bytes { _ = try HealthRecord(informJSON: json) } }),
        (
          "JSONDecoder",
          { for data in datas { _ = try decoder.decode(CodableRecord.self, from: data) } }
        ),
        (
          "JSONSerialization.jsonObject",
          { for data in datas { _ = try JSONSerialization.jsonObject(with: data) } }
        ),
      ])
  }

  /// Times several ways, turn by turn; the first is ours.
  private func compare(_ report: Report, _ ways: [(String, () throws -> Void)]) async throws {
    var costs = ways.map { _ in [Cost]() }
    for _ in 0..<Self.rounds {
      for (index, way) in ways.enumerated() { costs[index].append(try await Cost.of(way.1)) }
    }
    let times = costs.map { median($0).cpu / Double(Self.count) * 1e6 }
    for (way, time) in zip(ways, times) {
      report.row([way.0, time.rounded(2), (time / times[0]).rounded(1)])
    }
  }
}
