// SPDX-License-Identifier: Apache-2.0

import HealthRecords

/// A FHIR server's answer for one entry of a Bundle.
struct FHIRAnswer {
  private let status: Int
  private let location: String?
  private let outcome: JSONReader?

  /// The entries of a batch-response; nil when the body is not one.
  static func entries(of body: [UInt8]) -> [FHIRAnswer]? {
    guard let json = try? JSONReader(parsing: body),
      (try? json.member("resourceType").string()) == "Bundle",
      let type = try? json.member("type").string(),
      ["batch-response", "transaction-response"].contains(type),
      let elements = try? json.member("entry").elements()
    else { return nil }
    return elements.map(FHIRAnswer.init)
  }

  /// `response.status` begins with the HTTP status: "201 Created"; 0 when it does not.
  private init(_ entry: JSONReader) {
    let response = try? entry.optional("response")
    let text = (try? response?.optional("status")?.string()) ?? ""
    status = text.prefix(while: { $0 != " " }).count == 3 ? Int(text.prefix(3)) ?? 0 : 0
    location = try? response?.optional("location")?.string()
    outcome = (try? response?.optional("outcome")) ?? nil
  }

  /// The result of creating one resource; nil when the answer is not from the server.
  ///
  /// Its address is in a header, or the resource in the body; some servers answer 201 with nothing
  /// else, or with a remark.
  static func creation(_ response: TransportResponse) -> DeliveryResult? {
    let location = response.header("Location") ?? response.header("Content-Location")
    let resource = try? JSONReader(parsing: response.body)
    let type = try? resource?.member("resourceType").string()
    let id: String? = type == "Observation" ? try? resource?.optionalString("id") : nil
    let isBare = response.body.isEmpty || type == "OperationOutcome"
    if location == nil, response.status == 201, isBare { return .stored(serverID: nil) }
    guard let name = location.flatMap(identifier) ?? id.map({ "Observation/\($0)" }),
      name.hasPrefix("Observation/")
    else { return nil }
    return .stored(serverID: name)
  }

  private enum Outcome {
    case stored, refused, open
  }

  private func outcome(isUpdate: Bool) -> Outcome {
    switch status {
    case 200...299: .stored
    // A conditional create whose identifier exists: 200, or from some servers 304; 412 when it
    // exists more than once. In each case the Observation is on the server.
    case 304 where !isUpdate, 412 where !isUpdate: .stored
    // A conditional update that matches more than one Observation changes none of them.
    case 400, 412, 422: .refused
    default: .open
    }
  }

  /// The combined result of a record's entries: all must be stored; one refused refuses it.
  static func result(_ entries: [FHIRAnswer], isUpdate: Bool) -> DeliveryResult? {
    let outcomes = entries.map { $0.outcome(isUpdate: isUpdate) }
    if let index = outcomes.firstIndex(of: .refused) {
      return .rejected(failure(entries[index].status, outcome: entries[index].outcome))
    }
    guard !outcomes.isEmpty, outcomes.allSatisfy({ $0 == .stored }) else { return nil }
    return .stored(serverID: entries.lazy.compactMap(\.identifier).first)
  }

  private var identifier: String? { location.flatMap(Self.identifier) }

  /// The resource without its version: `Observation/123` of `…/Observation/123/_history/1`.
  private static func identifier(_ location: String) -> String? {
    let parts = location.split(separator: "/")
    let end = parts.firstIndex(of: "_history") ?? parts.endIndex
    guard end >= 2 else { return nil }
    return parts[end - 2..<end].joined(separator: "/")
  }

  /// Reads the first issue of an OperationOutcome that is an error, or else the first issue.
  static func failure(_ status: Int, outcome: JSONReader?) -> RecordFailure {
    let issues = (try? outcome?.optional("issue")?.elements()) ?? []
    func text(_ json: JSONReader?, _ name: String) -> String? {
      try? json?.optional(name)?.string()
    }
    let issue =
      issues.first { ["error", "fatal"].contains(text($0, "severity")) } ?? issues.first
    let details = (try? issue?.optional("details")) ?? nil
    let places = ["expression", "location"].lazy.compactMap { name in
      try? issue?.optional(name)?.elements().first?.string()
    }
    let codings = (try? details?.optional("coding")?.elements()) ?? []
    let isKnown = codings.contains { text($0, "code") == epicDuplicate }
    return RecordFailure(
      code: isKnown ? RecordFailure.duplicate : text(issue, "code") ?? "refused",
      message: text(issue, "diagnostics") ?? text(details, "text") ?? "", path: places.first,
      status: status)
  }

  /// Epic's code for a value that its record has for the same time.
  private static let epicDuplicate = "59189"
}
