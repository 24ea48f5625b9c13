// SPDX-License-Identifier: Apache-2.0

/// The sender of a request and its address; every line of the audit log names both.
struct Caller: Hashable, Sendable {
  /// The name of the caller in the audit log.
  ///
  /// It is `administrator` for the server's own token, `token ID` for any other token, `operator`
  /// for a request without a token on the server's own socket, and `server` for the server itself.
  let actor: String
  /// The client's address; `local` on the server's own socket and for the server itself.
  let address: String
  /// The key of the token in the store; nil if there is none that could end.
  let token: Int64?

  init(actor: String, address: String, token: Int64? = nil) {
    self.actor = actor
    self.address = address
    self.token = token
  }

  static let server = Caller(actor: "server", address: "local")

  static let operatorOfServer = Caller(actor: "operator", address: "local")

  static func administrator(from address: String) -> Caller {
    Caller(actor: "administrator", address: address)
  }

  static func token(_ token: StoredToken, from address: String) -> Caller {
    Caller(actor: "token \(token.id)", address: address, token: token.number)
  }
}
