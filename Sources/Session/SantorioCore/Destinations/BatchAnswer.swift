// SPDX-License-Identifier: Apache-2.0

import HealthRecords

/// The ingest API's answer for the records of a batch.
struct BatchAnswer {
  /// The answer for one record.
  struct Result {
    let result: DeliveryResult
    /// The receipt of the record; nil when the server did not accept it.
    let receipt: RecordReceipt?
  }

  /// The answer for the record of each line; nil where there is none.
  let results: [Result?]

  /// Reads an answer's body; nil when it is not from the API.
  ///
  /// Results belong to lines by position if there is one per line and none names another record,
  /// so that two lines of one `log_id` have one each; else by `log_id`. A result that says that a
  /// record is stored must name it, because the record is then removed from the queue.
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
    case "created", "duplicate", "revised", "superseded", "deleted":
      result = .stored(serverID: try? json.optional("id")?.string())
    case "rejected":
      result = .rejected(RecordFailure(status: nil, error: try? json.optional("error")))
    default: return nil
    }
    receipt = RecordReceipt(json, logID: logID)
  }
}
