// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// One connection of a client, from its acceptance until its socket is closed.
final class HTTPConnection: Sendable {
  /// The socket that a connection was accepted on.
  struct Listener: Sendable {
    /// The certificates that it presents; nil without TLS.
    var certificates: CertificateStore?
    /// Whether it is the server's own socket, for the commands of its operator.
    var isAdministration = false

    /// Whether it uses TLS.
    var isSecure: Bool { certificates != nil }
  }

  let id: ConnectionTable.ID
  let address: ClientAddress
  let listener: Listener
  /// The certificate of the connection's handshake, which must live as long as the connection.
  let certificate = Locked<TLSCertificate?>(nil)
  private let registry: ConnectionRegistry

  init(
    id: ConnectionTable.ID, address: ClientAddress, listener: Listener,
    in registry: ConnectionRegistry
  ) {
    self.id = id
    self.address = address
    self.listener = listener
    self.registry = registry
  }

  func requestBegan(by client: ClientKey?) {
    registry.note { $0.requestBegan(id, by: client, at: $1) }
  }
  func received(_ bytes: Int) { registry.note { table, _ in table.received(bytes, on: id) } }
  func workBegan() { registry.note { $0.workBegan(id, at: $1) } }
  func bodyContinues() { registry.note { $0.bodyContinues(id, at: $1) } }
  /// The response is being sent; `bytes` is nil for a stream.
  func answerBegan(bytes: Int?) { registry.note { $0.answerBegan(id, bytes: bytes, at: $1) } }
  func streamSends(_ bytes: Int) { registry.note { $0.streamSends(bytes, on: id, at: $1) } }
  func streamIsIdle() { registry.note { table, _ in table.streamIsIdle(id) } }
  func requestEnded() { registry.note { $0.requestEnded(id, at: $1) } }
  func closed() { registry.closed(id) }
}
