// SPDX-License-Identifier: Apache-2.0

import SantorioCore

/// The patients whose queues wait because the server did not answer.
///
/// Each queue waits longer after each failure, up to five minutes. What the server stores for one
/// patient shows that it is back for all of them.
///
/// A queue stays here until it has stored a record or does not wait any more. While its upload is under
/// way it may still wait again.
struct ServerOutage {
  /// The shortest time between two attempts of all queues at a server that answers only some of them.
  static let pause = Duration.seconds(5)

  private var waiting: Set<String> = []
  private var lastAttempt: Duration?

  /// Notes that a patient's upload has failed.
  mutating func uploadFailed(of alias: String, _ code: SessionError.Code) {
    guard code == .serverUnreachable || code == .serverBusy else { return }
    waiting.insert(alias)
  }

  /// Notes that a patient's queue does not wait any more.
  mutating func end(of alias: String) { waiting.remove(alias) }

  /// Notes that the server has stored a patient's record.
  ///
  /// - Returns: The patients whose queues are to try again now.
  mutating func stored(of alias: String, at now: Duration) -> Set<String> {
    waiting.remove(alias)
    guard !waiting.isEmpty, lastAttempt.map({ now - $0 >= Self.pause }) ?? true else { return [] }
    lastAttempt = now
    return waiting
  }
}
