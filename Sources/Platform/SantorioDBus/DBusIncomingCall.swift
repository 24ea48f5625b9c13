// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// A call by another program, to be answered once, from any thread.
///
/// A call that is released without an answer fails.
package final class DBusIncomingCall: Sendable {
  struct Answer: Sendable {
    let send: @Sendable (Result<[DBusValue], DBusError>) -> Void
  }

  /// The unique name of the caller, such as `:1.7`.
  package let sender: String
  package let path: String
  package let interface: String
  package let member: String
  package let arguments: [DBusValue]
  private let answer: Locked<Answer?>

  init(_ call: DBusSignal, answer: Answer) {
    sender = call.sender
    path = call.path
    interface = call.interface
    member = call.member
    arguments = call.arguments
    self.answer = Locked(answer)
  }

  deinit { fail(DBusError(DBusError.noReply, "The method ended without an answer.")) }

  /// Answers; only the first answer is sent.
  package func reply(_ values: [DBusValue] = []) { finish(.success(values)) }

  /// Answers with an error; only the first answer is sent.
  package func fail(_ error: DBusError) { finish(.failure(error)) }

  private func finish(_ result: Result<[DBusValue], DBusError>) {
    let answer = answer.withLock { answer in
      defer { answer = nil }
      return answer
    }
    answer?.send(result)
  }
}
