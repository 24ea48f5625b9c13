// SPDX-License-Identifier: Apache-2.0

import HealthRecords

extension Routes {
  func storeRecord(_ call: Call) -> Route.Work {
    guard let account = call.account else { return .answer(.mismatch) }
    return store(BatchItem(call.body, line: nil), of: account)
  }

  func putRecord(_ call: Call) -> Route.Work {
    guard let account = call.account, let logID = call.parameters["log_id"] else {
      return .answer(.mismatch)
    }
    guard [nil, "*"].contains(call.head.ifMatch) else {
      return .invalid("If-Match", "must be *, which asks for a record that is there")
    }
    let item = BatchItem(call.body, line: nil).requiring(logID)
    guard case .record(let record) = item else { return store(item, of: account) }
    let mustExist = call.head.ifMatch != nil
    return .change(.put(record, mustExist: mustExist, of: account, at: now())) { outcome in
      if case .absent = outcome { return .unknownRecord(412) }
      return .result(outcome)
    }
  }

  func deleteRecord(_ call: Call) -> Route.Work {
    guard let account = call.account, let logID = call.parameters["log_id"] else {
      return .answer(.mismatch)
    }
    return .change(.delete(logID: logID, of: account)) { outcome in
      guard case .deleted = outcome else { return .unknownRecord(404) }
      return HTTPResponse(204)
    }
  }

  /// Stores one item; one that is no record is kept for diagnosis and refused.
  private func store(_ item: BatchItem, of account: Account) -> Route.Work {
    .change(.store([item], of: account, at: now())) { outcome in
      .result(outcome, isMalformed: item.isMalformed)
    }
  }

  func storeBatch(_ call: Call) -> Route.Work {
    guard let account = call.account else { return .answer(.mismatch) }
    let lines = Self.lines(of: call.body)
    guard lines.count <= Self.maximumLines else {
      return .answer(
        .failure(413, Fault("too_many_lines", "send at most \(Self.maximumLines) lines at once")))
    }
    let items = lines.enumerated().map { BatchItem(Array($1), line: $0 + 1) }
    guard let first = items.first else {
      let message = "the body has no line; send one record a line"
      return .answer(.failure(400, Fault("empty_batch", message)))
    }
    if case .unusable(_, _, let fault) = first, items.allSatisfy(\.isMalformed) {
      return noBatch(call.body, of: account, fault)
    }
    return .change(.store(items, of: account, at: now())) { outcome in
      guard case .stored(let results) = outcome else { return .mismatch }
      return .json(200) { json in
        json.list("results", results) { json, result in
          json.object { result.writeMembers(to: &$0) }
        }
      }
    }
  }

  /// The lines of a text; what ends in a line break has no empty line after it.
  private static func lines(of body: [UInt8]) -> [ArraySlice<UInt8>] {
    let newline = UInt8(ascii: "\n")
    let text = body.last == newline ? body.dropLast() : body[...]
    guard !body.isEmpty else { return [] }
    return text.split(
      separator: newline, maxSplits: maximumLines, omittingEmptySubsequences: false)
  }

  /// A body of which no line is JSON is no batch at all; it is kept for diagnosis as one item.
  private func noBatch(_ body: [UInt8], of account: Account, _ fault: Fault) -> Route.Work {
    let item = BatchItem.unusable(octets: body, logID: nil, fault)
    return .change(.store([item], of: account, at: now())) { _ in .failure(400, fault) }
  }
}

extension HTTPResponse {
  /// The answer to one record.
  fileprivate static func result(
    _ outcome: Change.Outcome, isMalformed: Bool = false
  ) -> HTTPResponse {
    guard case .stored(let results) = outcome, let result = results.first else { return .mismatch }
    if case .rejected(_, let fault) = result { return .failure(isMalformed ? 400 : 422, fault) }
    return .json(result.isCreated ? 201 : 200) { result.writeMembers(to: &$0) }
  }
}

extension ItemResult {
  /// What became of a batch, for the log: numbers, and the first reason to reject an item.
  static func summary(of results: [ItemResult]) -> String {
    var created = 0
    var duplicate = 0
    var revised = 0
    var faults: [Fault] = []
    for result in results {
      switch result {
      case .created: created += 1
      case .duplicate: duplicate += 1
      case .revised: revised += 1
      case .rejected(_, let fault): faults.append(fault)
      }
    }
    let reason = faults.first.map { " reason=\($0.code)" + ($0.path.map { " path=\($0)" } ?? "") }
    return "stored created=\(created) duplicate=\(duplicate) revised=\(revised)"
      + " rejected=\(faults.count)" + (reason ?? "")
  }

  var isCreated: Bool {
    guard case .created = self else { return false }
    return true
  }

  /// Writes the members of a result, as the contract names them.
  func writeMembers(to json: inout JSONWriter) {
    switch self {
    case .created(let logID, let id, let revision):
      Self.write("created", logID, id, revision, to: &json)
    case .duplicate(let logID, let id, let revision):
      Self.write("duplicate", logID, id, revision, to: &json)
    case .revised(let logID, let id, let revision):
      Self.write("revised", logID, id, revision, to: &json)
    case .rejected(let logID, let fault):
      json.optional("log_id", logID)
      json.optional("status", "rejected")
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
