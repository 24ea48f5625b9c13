// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioJSON

extension Routes {
  func storeRecord(_ call: Call) -> Route.Work {
    guard let account = call.account else { return .answer(.internalError) }
    return store(BatchItem(call.body, line: nil), of: account)
  }

  func putRecord(_ call: Call) -> Route.Work {
    guard let account = call.account, let logID = call.parameters["log_id"] else {
      return .answer(.internalError)
    }
    guard let precondition = Change.Precondition(ifMatch: call.head.ifMatch) else {
      return Self.invalidIfMatch
    }
    let item = BatchItem(call.body, line: nil).requiring(logID)
    guard case .record(let record) = item else { return store(item, of: account) }
    return .change(.put(record, precondition, of: account)) { outcome in
      outcome.failedPrecondition ?? .result(outcome)
    }
  }

  func deleteRecord(_ call: Call) -> Route.Work {
    guard let account = call.account, let logID = call.parameters["log_id"] else {
      return .answer(.internalError)
    }
    guard let precondition = Change.Precondition(ifMatch: call.head.ifMatch) else {
      return Self.invalidIfMatch
    }
    return .change(.delete(logID: logID, precondition, of: account)) { outcome in
      if case .deleted = outcome { return HTTPResponse(204) }
      guard precondition != .none else { return .unknownRecord(404) }
      return outcome.failedPrecondition ?? .internalError
    }
  }

  private static let invalidIfMatch = Route.Work.invalid(
    "If-Match", "must be * or quoted revisions, such as \"3\"")

  /// Stores one item; an item that is not a record is refused and kept for diagnosis.
  private func store(_ item: BatchItem, of account: Account) -> Route.Work {
    .change(.store([item], of: account)) { outcome in
      .result(outcome, isMalformed: item.isMalformed)
    }
  }

  func storeBatch(_ call: Call) -> Route.Work {
    guard let account = call.account else { return .answer(.internalError) }
    let lines = Self.lines(of: call.body)
    guard lines.count <= Self.maximumLines else {
      return .answer(
        .failure(413, Fault("too_many_lines", "too many lines; send at most \(Self.maximumLines)")))
    }
    guard !lines.isEmpty else {
      let message = "the body is empty; send one record per line"
      return .answer(.failure(400, Fault("empty_batch", message)))
    }
    let batch = BatchReading(lines)
    return .steps {
      guard let items = batch.read() else { return nil }
      return store(items, of: call.body, account)
    }
  }

  private func store(
    _ items: [BatchItem], of body: [UInt8], _ account: Account
  ) -> Route.Work {
    if case .unusable(_, _, let fault)? = items.first, items.allSatisfy(\.isMalformed) {
      return noBatch(body, of: account, fault)
    }
    return .change(.store(items, of: account)) { outcome in
      guard case .stored(let results) = outcome else { return .internalError }
      return .json(200) { json in
        json.list("results", results) { json, result in
          json.object { result.writeMembers(to: &$0) }
        }
      }
    }
  }

  /// The lines of a text; a final line break does not start another line.
  private static func lines(of body: [UInt8]) -> [ArraySlice<UInt8>] {
    let newline = UInt8(ascii: "\n")
    let text = body.last == newline ? body.dropLast() : body[...]
    guard !body.isEmpty else { return [] }
    return text.split(
      separator: newline, maxSplits: maximumLines, omittingEmptySubsequences: false)
  }

  /// Refuses a body without a line of JSON, and keeps it for diagnosis as one item.
  private func noBatch(_ body: [UInt8], of account: Account, _ fault: Fault) -> Route.Work {
    let item = BatchItem.unusable(bytes: body, logID: nil, fault)
    return .change(.store([item], of: account)) { _ in .failure(400, fault) }
  }
}

extension HTTPResponse {
  /// The response to one record.
  fileprivate static func result(
    _ outcome: Change.Outcome, isMalformed: Bool = false
  ) -> HTTPResponse {
    guard case .stored(let results) = outcome, let result = results.first else {
      return .internalError
    }
    if case .rejected(_, let fault) = result { return .failure(isMalformed ? 400 : 422, fault) }
    return .json(result.isCreated ? 201 : 200) { result.writeMembers(to: &$0) }
  }
}

extension ItemResult {
  /// The outcome of a batch for the log: counts, and the first reason for a rejection.
  static func summary(of results: [ItemResult]) -> String {
    let faults = results.compactMap { result -> Fault? in
      guard case .rejected(_, let fault) = result else { return nil }
      return fault
    }
    let names = ["created", "duplicate", "revised", "superseded", "deleted", "rejected"]
    let counts = names.map { name in "\(name)=\(results.count { $0.status == name })" }
    let reason = faults.first.map { " reason=\($0.code)" + ($0.path.map { " path=\($0)" } ?? "") }
    return "stored \(counts.joined(separator: " "))" + (reason ?? "")
  }

  var isCreated: Bool {
    guard case .created = self else { return false }
    return true
  }

  /// Writes the members of a result, as named in the API description.
  func writeMembers(to json: inout JSONWriter) {
    switch self {
    case .created(let logID, let id, let revision), .duplicate(let logID, let id, let revision),
      .revised(let logID, let id, let revision), .deleted(let logID, let id, let revision),
      .superseded(let logID, let id, let revision, _):
      Self.write(status, logID, id, revision, to: &json)
    case .rejected(let logID, let fault):
      json.optional("log_id", logID)
      json.optional("status", status)
      json.key("error")
      fault.write(to: &json)
    }
  }

  private static func write(
    _ status: String, _ logID: String, _ id: Int64, _ revision: Int64, to json: inout JSONWriter
  ) {
    json.optional("log_id", logID)
    json.optional("status", status)
    json.optional("id", String(id))
    json.optional("revision", Int(revision))
  }
}

extension Change.Precondition {
  /// Parses the value of the header (RFC 9110 §13.1.1); nil when it is invalid.
  ///
  /// The tag of a record is its revision in quotes; the bare number is accepted too. Weak tags and
  /// tags that no record can have match no record.
  init?(ifMatch text: String?) {
    guard let text else {
      self = .none
      return
    }
    let tags = text.split(separator: ",").map { $0.trimmed }
    guard tags != ["*"] else {
      self = .exists
      return
    }
    guard !tags.isEmpty, tags.allSatisfy(Self.isTag) else { return nil }
    let revisions = tags.compactMap { tag in Int64(tag.drop { $0 == "\"" }.prefix { $0 != "\"" }) }
    self = .revision(Set(revisions))
  }

  private static func isTag(_ text: Substring) -> Bool {
    let strong = text.hasPrefix("W/") ? text.dropFirst(2) : text
    if strong.utf8.count >= 2, strong.first == "\"", strong.last == "\"" {
      return !strong.dropFirst().dropLast().contains("\"")
    }
    return !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    let end = start.lastIndex { $0 != " " && $0 != "\t" } ?? start.startIndex
    return start.isEmpty ? start : start[...end]
  }
}

extension Change.Outcome {
  /// The response when a precondition of the change does not hold.
  fileprivate var failedPrecondition: HTTPResponse? {
    switch self {
    case .absent: .unknownRecord(412)
    case .otherRevision(let revision):
      .failure(
        412,
        Fault(
          "revision_mismatch", "the record now has revision \(revision); read it and try again",
          path: "If-Match"), headers: [(name: "ETag", value: "\"\(revision)\"")])
    default: nil
    }
  }
}
