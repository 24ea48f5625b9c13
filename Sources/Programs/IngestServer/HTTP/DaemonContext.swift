// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SantorioConcurrency

/// The context of the library's callbacks, shared by all daemons of a server.
final class DaemonContext: Sendable {
  let application: any HTTPApplication
  let limits: IngestServer.Limits
  let connections: ConnectionRegistry
  let gate = SuspensionGate()
  /// Whether a proxy names the client.
  let isBehindProxy: Bool
  let log: @Sendable (String) -> Void
  // Requests that are worked on, or whose responses are not yet sent.
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

  /// Counts a request, once, until it has ended.
  func owesAnswer(to exchange: HTTPExchange) {
    guard !exchange.isOwedAnswer else { return }
    exchange.isOwedAnswer = true
    answers.enter()
  }

  func ended(_ exchange: HTTPExchange) { if exchange.isOwedAnswer { answers.leave() } }

  /// Waits until all responses are sent.
  func waitForAnswers(until deadline: DispatchTime) { _ = answers.wait(timeout: deadline) }

  /// The decision on a request.
  func admit(_ head: RequestHead) -> Admission {
    guard !gate.isClosed else { return Admission(label: "stopping", decision: .refuse(.stopping)) }
    guard !head.isAmbiguous else {
      return Admission(label: "ambiguous", decision: .refuse(.ambiguous))
    }
    return application.admit(head)
  }

  /// The address of a client.
  func address(of connection: HTTPConnection, forwardedFor header: String?) -> ClientAddress {
    guard isBehindProxy, !connection.listener.isAdministration else { return connection.address }
    return header.flatMap(ClientAddress.init(forwardedFor:)) ?? connection.address
  }
}
