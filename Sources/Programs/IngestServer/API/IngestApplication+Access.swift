// SPDX-License-Identifier: Apache-2.0

import SantorioCompression

/// The reason why a request is refused.
struct Refusal: Error {
  let response: HTTPResponse

  init(_ response: HTTPResponse) { self.response = response }

  /// Refuses a body that cannot be expanded to at most `maximum` bytes.
  init(gzip error: GzipError, maximum: Int) {
    let message: String
    switch error {
    case .tooLarge:
      response = .tooLarge(maximum)
      return
    case .outOfMemory:
      response = .unavailable("the server is out of memory; try again")
      return
    case .truncated: message = "the gzip data is truncated; send all of it"
    case .malformed:
      message = "the body must be exactly one complete gzip member"
    }
    response = .failure(400, Fault("malformed_gzip", message, path: "body"))
  }
}

extension IngestApplication {
  /// Checks the token against the route and returns its holder.
  func authorize(
    _ head: RequestHead, _ access: Route.Access, _ parameters: [String: String]
  ) throws(Refusal) -> Principal {
    if case .anyone = access {
      return Principal(
        caller: Caller(actor: "anyone", address: head.clientAddress.text),
        client: .address(head.clientAddress.network))
    }
    guard let token = head.bearerToken else {
      if head.isOperator, head.authorization == nil { return try operatorOfServer(access) }
      throw Self.unauthorized(
        "missing_token", "the token is missing; send it as \"Authorization: Bearer TOKEN\"")
    }
    let digest = AccessToken.digest(of: token)
    if AccessToken.equal(digest, adminDigest) {
      guard access.admitsAdministrators else { throw Self.isForAnother }
      return Principal(
        caller: .administrator(from: head.clientAddress.text),
        client: .administrator(organization: nil))
    }
    guard let grant = try grant(digest) else {
      throw Self.unauthorized(
        "unknown_token", "the token is unknown; it may belong to another server")
    }
    let state = grant.token.state(at: now())
    guard state == .live else { throw Refusal(.ended(state)) }
    return try principal(grant, digest, from: head.clientAddress.text, access, parameters)
  }

  /// Admits the operator: a user who can open the server's socket could also read its token.
  private func operatorOfServer(_ access: Route.Access) throws(Refusal) -> Principal {
    guard access.admitsAdministrators else { throw Self.isForAnother }
    return Principal(caller: .operatorOfServer, client: .administrator(organization: nil))
  }

  private func principal(
    _ grant: Grant, _ digest: [UInt8], from address: String, _ access: Route.Access,
    _ parameters: [String: String]
  ) throws(Refusal) -> Principal {
    let caller = Caller.token(grant.token, from: address)
    switch grant.holder {
    case .administrator(let organization):
      guard access.admitsAdministrators, !access.isForServerAdministrator,
        organization == parameters["organization"] ?? organization
      else { throw Self.forbidden("the token is not valid for this path or organisation") }
      return Principal(
        caller: caller, client: .administrator(organization: organization),
        organization: organization, tokenDigest: digest)
    case .user(let account):
      guard let scope = access.scope else {
        throw Self.forbidden("this path needs an administrator's token")
      }
      guard account.id == parameters["user"],
        account.organization == parameters["organization"]
      else { throw Self.isForAnother }
      guard grant.token.scopes.isSuperset(of: scope) else {
        throw Refusal(
          .failure(
            403,
            Fault(
              "missing_scope",
              "the token lacks a required scope; it needs "
                + scope.names.joined(separator: ", "))))
      }
      return Principal(
        caller: caller, client: .user(account.number), account: account, tokenDigest: digest)
    }
  }

  private static let isForAnother = forbidden(
    "the token is not valid for this user of this organisation")

  /// Checks that the body has a media type and encoding that the route accepts.
  func checkForm(_ head: RequestHead, _ route: Route) throws(Refusal) {
    guard let body = route.body else { return }
    let onlyType = body.types.count == 1 ? body.types.first : nil
    guard let type = head.mediaType ?? onlyType, body.types.contains(type) else {
      let types = body.types.joined(separator: ", ")
      throw Refusal(
        .failure(
          415,
          Fault("unsupported_media_type", "the body must be \(types)", path: "Content-Type"),
          headers: [(name: "Accept", value: types)]))
    }
    guard head.isPlain || head.isGzip else {
      throw Refusal(
        .failure(
          415,
          Fault(
            "unsupported_encoding", "send the body uncompressed or as gzip",
            path: "Content-Encoding"),
          headers: [(name: "Accept-Encoding", value: "gzip")]))
    }
  }

  private func grant(_ digest: [UInt8]) throws(Refusal) -> Grant? {
    do throws(IngestError) {
      return try store.grant(tokenDigest: digest)
    } catch {
      log("storage cannot be read: \(error)")
      throw Refusal(.unavailable(error.message))
    }
  }

  private static func unauthorized(_ code: String, _ message: String) -> Refusal {
    Refusal(.unauthorized(code, message))
  }

  private static func forbidden(_ message: String) -> Refusal {
    Refusal(.failure(403, Fault("forbidden", message)))
  }
}

extension HTTPResponse {
  fileprivate static func unauthorized(_ code: String, _ message: String) -> HTTPResponse {
    .failure(
      401, Fault(code, message),
      headers: [(name: "WWW-Authenticate", value: "Bearer realm=\"santorio\"")])
  }

  /// The response to a token that has expired or was revoked.
  static func ended(_ state: TokenState) -> HTTPResponse {
    state == .expired
      ? .unauthorized("expired_token", "the token has expired; ask for a new one")
      : .unauthorized("revoked_token", "the token was revoked; ask for a new one")
  }
}
