// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SantorioConcurrency

/// What the library's callbacks work on, for all daemons of a server.
final class DaemonContext: Sendable {
  let application: any HTTPApplication
  let limits: IngestServer.Limits
  let connections: ConnectionRegistry
  let gate = SuspensionGate()
  /// Whether a proxy says who the client is.
  let isBehindProxy: Bool
  let log: @Sendable (String) -> Void
  // Answers that were queued and are not yet sent.
  private let answers = DispatchGroup()

  init(
    application: any HTTPApplication, limits: IngestServer.Limits,
    connections: ConnectionRegistry, isBehindProxy: Bool,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.application = application
    self.limits = limits
    self.connections = connections
    self.isBehindProxy = isBehindProxy
    self.log = log
  }

  func answerQueued() { answers.enter() }
  func answerEnded() { answers.leave() }

  /// Waits until all answers are sent.
  func waitForAnswers(until deadline: DispatchTime) { _ = answers.wait(timeout: deadline) }

  /// The decision on a request.
  func admit(_ head: RequestHead) -> Admission {
    guard !gate.isClosed else { return Admission(label: "stopping", decision: .refuse(.stopping)) }
    guard !head.isAmbiguous else {
      return Admission(label: "ambiguous", decision: .refuse(.ambiguous))
    }
    return application.admit(head)
  }

  /// Where a client is.
  func address(of connection: HTTPConnection, forwardedFor header: String?) -> ClientAddress {
    guard isBehindProxy, !connection.listener.isAdministration else { return connection.address }
    return header.flatMap(ClientAddress.init(forwardedFor:)) ?? connection.address
  }
}
