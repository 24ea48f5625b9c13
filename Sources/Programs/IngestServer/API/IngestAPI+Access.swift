// SPDX-License-Identifier: Apache-2.0

import SantorioCompression

/// Why a request is not admitted.
struct Refusal: Error {
  let response: HTTPResponse

  init(_ response: HTTPResponse) { self.response = response }
}

extension IngestAPI {
  /// Checks the token against the route; returns the user it belongs to on a user's route.
  func authorize(
    _ head: RequestHead, _ access: Route.Access, _ parameters: [String: String]
  ) throws(Refusal) -> Account? {
    if case .anyone = access { return nil }
    guard let token = head.bearerToken else {
      throw Self.unauthorized(
        "missing_token", "send the header «Authorization: Bearer» with a token")
    }
    let digest = AccessToken.digest(of: token)
    let isAdministrator = AccessToken.equal(digest, adminDigest)
    let account = isAdministrator ? nil : try account(digest)
    guard isAdministrator || account != nil else {
      throw Self.unauthorized(
        "unknown_token", "the token is not known; it may be of another server")
    }
    switch access {
    case .anyone: return nil
    case .administrator:
      guard isAdministrator else {
        throw Self.forbidden("this path needs the administrator token")
      }
      return nil
    case .user:
      guard let account, account.id == parameters["user"],
        account.organization == parameters["organization"]
      else { throw Self.forbidden("the token is not for this user of this organisation") }
      return account
    }
  }

  /// Checks that the body comes as the route takes it.
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
            "unsupported_encoding", "send the body as it is, or as gzip", path: "Content-Encoding"),
          headers: [(name: "Accept-Encoding", value: "gzip")]))
    }
  }

  /// The body without its compression.
  func expand(_ octets: [UInt8], _ head: RequestHead, _ route: Route) throws(Refusal) -> [UInt8] {
    guard let body = route.body, head.isGzip else { return octets }
    do throws(GzipError) {
      return try Gzip.expand(octets, limit: body.maximum)
    } catch {
      switch error {
      case .tooLarge: throw Refusal(.tooLarge(body.maximum))
      case .outOfMemory: throw Refusal(.unavailable("the server has no memory; try again"))
      case .truncated: throw Self.malformedGzip("the gzip ends before its data does; send it whole")
      case .malformed:
        throw Self.malformedGzip("the body is not one gzip member, whole and with nothing after it")
      }
    }
  }

  private static func malformedGzip(_ message: String) -> Refusal {
    Refusal(.failure(400, Fault("malformed_gzip", message, path: "body")))
  }

  private func account(_ digest: [UInt8]) throws(Refusal) -> Account? {
    do throws(IngestError) {
      return try store.account(tokenDigest: digest)
    } catch {
      log("storage cannot be read: \(error)")
      throw Refusal(.unavailable(error.message))
    }
  }

  private static func unauthorized(_ code: String, _ message: String) -> Refusal {
    Refusal(
      .failure(
        401, Fault(code, message),
        headers: [(name: "WWW-Authenticate", value: "Bearer realm=\"santorio\"")]))
  }

  private static func forbidden(_ message: String) -> Refusal {
    Refusal(.failure(403, Fault("forbidden", message)))
  }
}
