// SPDX-License-Identifier: Apache-2.0

import HealthRecords

/// What the ingest API answered for the records of a batch.
struct BatchAnswer {
  /// What the answer says of the records that it names, by `log_id`.
  private var verdicts: [String: Verdict] = [:]
  private var receipts: [String: RecordReceipt] = [:]

  /// Reads an answer's body; nil when it is none of the API.
  ///
  /// A result without `log_id` is the line's at its place, if there is one result a line.
  init?(_ body: [UInt8], lines: [String]) {
    guard let json = try? JSONReader(parsing: body),
      let elements = try? json.member("results").elements()
    else { return nil }
    for (index, element) in elements.enumerated() {
      let place = elements.count == lines.count ? lines[index] : nil
      guard let verdict = Self.verdict(element),
        let logID = (try? element.optional("log_id")?.string()) ?? place
      else { continue }
      verdicts[logID] = verdict
      receipts[logID] = RecordReceipt(element, logID: logID)
    }
  }

  subscript(logID: String) -> Verdict? { verdicts[logID] }

  /// What the server has done with a record; nil when it did not take it.
  func receipt(of logID: String) -> RecordReceipt? { receipts[logID] }

  private static func verdict(_ json: JSONReader) -> Verdict? {
    switch try? json.member("status").string() {
    case "created", "duplicate", "revised": .stored(serverID: try? json.optional("id")?.string())
    case "rejected": .refused(RecordFailure(status: nil, error: try? json.optional("error")))
    default: nil
    }
  }
}
