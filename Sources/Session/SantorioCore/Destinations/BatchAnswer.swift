// SPDX-License-Identifier: Apache-2.0

import HealthRecords

/// What the ingest API answered for the records of a batch.
struct BatchAnswer {
  /// What the answer says of a record.
  struct Result {
    let result: DeliveryResult
    /// What the server has done with the record; nil when it did not take it.
    let receipt: RecordReceipt?
  }

  /// What the answer says of the record of each line; nil where it says nothing.
  let results: [Result?]

  /// Reads an answer's body; nil when it is none of the API.
  ///
  /// A result is the line's at its place where there is one a line and none names another record,
  /// so that two lines of one `log_id` have one each; else the `log_id` says whose it is. One that
  /// says that a record is stored must name it: on its word the record is let go of.
  init?(_ body: [UInt8], lines: [String]) {
    guard let json = try? JSONReader(parsing: body),
      let elements = try? json.member("results").elements()
    else { return nil }
    let names = elements.map { try? $0.optional("log_id")?.string() }
    guard elements.count == lines.count, zip(names, lines).allSatisfy({ ($0 ?? $1) == $1 }) else {
      results = Self.results(elements, names: names, lines: lines)
      return
    }
    results = zip(zip(elements, lines), names).map { place, name in
      let result = Result(place.0, logID: place.1)
      return name == nil && result?.receipt != nil ? nil : result
    }
  }

  private static func results(
    _ elements: [JSONReader], names: [String?], lines: [String]
  ) -> [Result?] {
    var known: [String: Result] = [:]
    for (element, name) in zip(elements, names) {
      guard let name, let result = Result(element, logID: name) else { continue }
      known[name] = result
    }
    return lines.map { known[$0] }
  }
}

extension BatchAnswer.Result {
  fileprivate init?(_ json: JSONReader, logID: String) {
    switch try? json.member("status").string() {
    case "created", "duplicate", "revised", "superseded":
      result = .stored(serverID: try? json.optional("id")?.string())
    case "rejected":
      result = .rejected(RecordFailure(status: nil, error: try? json.optional("error")))
    default: return nil
    }
    receipt = RecordReceipt(json, logID: logID)
  }
}
