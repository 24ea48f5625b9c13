// SPDX-License-Identifier: Apache-2.0

import HealthRecords

/// Which parts of a record a server has, see ``RecordDestination/parts(of:)``.
///
/// It is in the file before a part is sent. So a part whose answer was lost is looked for before it
/// is sent again, and a record that is read from its device again is not sent again.
struct PartLedger: Hashable, Sendable, Codable {
  /// What became of a part.
  ///
  /// The failures are JSON texts.
  enum State: Hashable, Sendable, Codable {
    /// It is to be sent again, since the server does not seem to have it.
    case missing(sent: Int)
    /// It was sent, and no answer has come to the last of so many requests.
    case sent(times: Int)
    /// The server says that it has it; to be seen whether that is so.
    case disputed(failure: String, sent: Int)
    case stored(serverID: String?)
    case refused(failure: String)
  }

  /// How often a part is sent to a server that neither answers nor can be asked.
  static let mostSent = 3

  private var states: [String: State] = [:]

  /// The next thing to do.
  enum Step: Hashable {
    case send(String)
    case search(String)
    /// Each part is stored or refused.
    case done(DeliveryResult)
  }

  /// What to do next for a record of these parts: what was never sent comes first, so that one part
  /// does not stop the others.
  func next(of parts: [OutgoingPart]) -> Step {
    if let part = parts.first(where: { $0.failure == nil && states[$0.name] == nil }) {
      return .send(part.name)
    }
    var refusal: RecordFailure?
    var (stored, serverID) = ([String](), String?.none)
    for part in parts {
      if let failure = part.failure {
        refusal = refusal ?? failure
        continue
      }
      switch states[part.name] {
      case nil, .missing: return .send(part.name)
      case .sent, .disputed: return .search(part.name)
      case .stored(let id):
        stored.append(part.name)
        serverID = serverID ?? id
      case .refused(let failure):
        refusal = refusal ?? RecordFailure(json: Array(failure.utf8)).of(part.name)
      }
    }
    return .done(refusal.map { .rejected($0.beside(stored)) } ?? .stored(serverID: serverID))
  }

  /// The part is about to be sent.
  mutating func willSend(_ part: String) { states[part] = .sent(times: sent(part) + 1) }

  /// How often a part was sent without an answer.
  private func sent(_ part: String) -> Int {
    switch states[part] {
    case .missing(let sent), .sent(let sent), .disputed(_, let sent): sent
    case nil, .stored, .refused: 0
    }
  }

  /// The last request was turned away, and has stored nothing.
  mutating func takeBack(_ part: String) { states[part] = .missing(sent: max(0, sent(part) - 1)) }

  /// The server has answered.
  mutating func apply(_ result: DeliveryResult, to part: String) {
    switch result {
    case .stored(let serverID): states[part] = .stored(serverID: serverID)
    case .rejected(let failure) where failure.saysDuplicate:
      // The last request is the one that was answered.
      states[part] = .disputed(failure: failure.json, sent: max(0, sent(part) - 1))
    case .rejected(let failure): states[part] = .refused(failure: failure.json)
    case .postponed: break
    }
  }

  /// The server was asked for the part; nil when it cannot be asked.
  mutating func searched(for part: String, isStored: Bool?) {
    let sent = sent(part)
    switch (states[part], isStored) {
    case (_, true): states[part] = .stored(serverID: nil)
    // What it has can only be what was sent before.
    case (.disputed, nil) where sent > 0: states[part] = .stored(serverID: nil)
    case (.disputed(let failure, _), _): states[part] = .refused(failure: failure)
    case (_, nil) where sent >= Self.mostSent:
      states[part] = .refused(failure: RecordFailure.noAnswer.json)
    default: states[part] = .missing(sent: sent)
    }
  }

  /// Forgets refusals: a record that the user sends again is tried again.
  mutating func forgetRefusals() {
    states = states.filter { if case .refused = $0.value { false } else { true } }
  }
}

extension Result where Success == TransportResponse, Failure == TransportError {
  /// Whether the request was turned away before anything of it was stored, by the server or by what
  /// is in front of it: for want of credentials, at a wrong address, or for being one too many.
  var isTurnedAway: Bool {
    guard case .success(let response) = self else { return false }
    return [401, 403, 404, 405, 407, 429].contains(response.status)
  }
}

extension RecordFailure {
  /// The failure of one part of a record.
  fileprivate func of(_ part: String) -> RecordFailure { saying("\(part): \(message)") }

  /// The failure of a record of which other parts are stored.
  fileprivate func beside(_ stored: [String]) -> RecordFailure {
    stored.isEmpty ? self : saying("\(message) (stored: \(stored.joined(separator: ", ")))")
  }

  private func saying(_ message: String) -> RecordFailure {
    RecordFailure(code: code, message: message, path: path, status: status)
  }

  fileprivate static let noAnswer = RecordFailure(
    code: "no_answer",
    message: "the server did not answer and cannot be searched; look whether it has the reading")

  /// Whether the server has something that it takes for the same.
  fileprivate var saysDuplicate: Bool {
    code == Self.duplicate || status == 409 || status == 412
  }
}
