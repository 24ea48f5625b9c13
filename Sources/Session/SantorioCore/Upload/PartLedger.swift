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
    /// It was sent, and no answer has come.
    case sent
    /// The server says that it has it; to be seen whether that is so.
    case disputed(failure: String)
    case stored(serverID: String?)
    case refused(failure: String)
  }

  private var states: [String: State] = [:]

  /// The next thing to do.
  enum Step: Hashable {
    case send(String)
    case search(String)
    /// Each part is stored or refused.
    case done(DeliveryResult)
  }

  /// What to do next for a record of these parts.
  func next(of parts: [OutgoingPart]) -> Step {
    var refusal: RecordFailure?
    var serverID: String?
    for part in parts {
      if let failure = part.failure {
        refusal = refusal ?? failure
        continue
      }
      switch states[part.name] {
      case nil: return .send(part.name)
      case .sent, .disputed: return .search(part.name)
      case .stored(let id): serverID = serverID ?? id
      case .refused(let failure): refusal = refusal ?? RecordFailure(json: Array(failure.utf8))
      }
    }
    return .done(refusal.map { .rejected($0) } ?? .stored(serverID: serverID))
  }

  /// The part is about to be sent.
  mutating func willSend(_ part: String) { states[part] = .sent }

  /// The server has answered.
  mutating func apply(_ result: DeliveryResult, to part: String) {
    switch result {
    case .stored(let serverID): states[part] = .stored(serverID: serverID)
    case .rejected(let failure) where failure.saysDuplicate:
      states[part] = .disputed(failure: failure.json)
    case .rejected(let failure): states[part] = .refused(failure: failure.json)
    case .postponed: break
    }
  }

  /// The server was asked for the part; nil when it cannot be asked.
  mutating func searched(for part: String, isStored: Bool?) {
    switch (states[part], isStored) {
    case (_, true): states[part] = .stored(serverID: nil)
    case (.disputed(let failure), _): states[part] = .refused(failure: failure)
    default: states[part] = nil
    }
  }

  /// Forgets refusals: a record that the user sends again is tried again.
  mutating func forgetRefusals() {
    states = states.filter { if case .refused = $0.value { false } else { true } }
  }
}

extension RecordFailure {
  /// Whether the server has something that it takes for the same.
  fileprivate var saysDuplicate: Bool {
    code == Self.duplicate || status == 409 || status == 412
  }
}
