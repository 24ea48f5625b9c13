// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import Testing

@testable import IngestServer

@Suite(.timeLimit(.minutes(15))) struct `A token` {
  private let test: TestServer
  private let clock = Locked(Date.testing)

  init() throws { test = try TestServer { [clock] in $0.now = { clock.withLock { $0 } } } }

  private func pass(_ seconds: TimeInterval) { clock.withLock { $0 += seconds } }

  private func admin(
    _ method: String, _ path: String, _ body: String? = nil, token: String = TestServer.adminToken
  ) throws -> SocketClient.Reply {
    try test.client.request(
      method, path, token: token, type: body.map { _ in "application/json" }, body: body)
  }

  private var tokens: String { TestServer.path(test.alice) + "/tokens" }

  /// Issues a token of Alice; returns its text and its identifier.
  private func issue(_ body: String = "{}") throws -> (text: String, id: String) {
    let reply = try admin("POST", tokens, body)
    #expect(reply.status == 201)
    let json = try reply.json()
    return (try json.member("token").string(), try json.member("id").string())
  }

  private func check(_ token: String) throws -> String {
    let reply = try test.client.request("GET", TestServer.path(test.alice), token: token)
    return reply.status == 200 ? "200" : "\(reply.status) \(try reply.code())"
  }

  private func states() throws -> [String] {
    try admin("GET", tokens).json().member("tokens").elements().map {
      try $0.member("state").string()
    }
  }

  // MARK: - Ends

  @Test func `ends when it expires, with its own error code`() throws {
    let token = try issue(#"{"expires_in":600,"label":"gateway"}"#)
    pass(599)
    #expect(try check(token.text) == "200")
    pass(1)

    #expect(try check(token.text) == "401 expired_token")
    #expect(try states() == ["live", "expired"])
    #expect(try check(test.alice.token) == "200")
  }

  @Test func `ends when it or all tokens are revoked`() throws {
    let (first, second) = (try issue(), try issue())

    #expect(try admin("DELETE", "\(tokens)/\(first.id)").status == 204)
    #expect(try check(first.text) == "401 revoked_token")
    #expect(try check(second.text) == "200")
    // Once more is no error; another user's is.
    #expect(try admin("DELETE", "\(tokens)/\(first.id)").status == 204)
    let bob = try test.server.createUser(organization: "acme", uid: "bob")
    let others = TestServer.path(bob) + "/tokens/\(second.id)"
    #expect(try admin("DELETE", others).status == 404)
    #expect(try admin("DELETE", tokens).status == 204)

    for token in [first.text, second.text, test.alice.token] {
      #expect(try check(token) == "401 revoked_token")
    }
    #expect(try states() == ["revoked", "revoked", "revoked"])
    #expect(try test.client.request("GET", TestServer.path(bob), token: bob.token).status == 200)
  }

  @Test(arguments: [
    #"{"scope":["write"]}"#, #"{"expires":60}"#, #"{"expiresIn":60}"#,
  ])
  func `is not created when a limit is misspelled`(terms: String) throws {
    #expect(try admin("POST", tokens, terms).status == 400)
    let users = "/v1/organizations/acme/users"
    let provision = terms.replacing("{", with: #"{"uid":"bob","#)
    #expect(try admin("POST", users, provision).status == 400)
    #expect(try admin("POST", users, #"{"uid":"bob","revokeOthers":true}"#).status == 400)
    let old = try issue()
    let rotation = "\(tokens)/\(old.id)/rotation"
    #expect(try admin("POST", rotation, terms).status == 400)
    #expect(try admin("POST", rotation, #"{"scopes":["read"]}"#).status == 400)
  }

  @Test func `stays revoked when the clock is set back`() throws {
    let (first, second) = (try issue(), try issue())
    #expect(try admin("DELETE", "\(tokens)/\(first.id)").status == 204)
    _ = try admin("POST", "\(tokens)/\(second.id)/rotation", #"{"overlap":0}"#)

    pass(-86_400)

    #expect(try check(first.text) == "401 revoked_token")
    #expect(try check(second.text) == "401 revoked_token")
    #expect(try post(first.text) == 401)
    #expect(try admin("DELETE", "\(tokens)/\(first.id)").status == 204)
    #expect(try admin("POST", "\(tokens)/\(first.id)/rotation", "{}").status == 404)
  }

  private func post(_ token: String) throws -> Int {
    try test.client.request("POST", test.records, token: token, body: reading("a")).status
  }

  @Test func `ends when its user is provisioned again with revoke_others`() throws {
    let users = "/v1/organizations/acme/users"
    let beside = try admin("POST", users, #"{"uid":"alice"}"#)
    #expect(beside.status == 201)
    #expect(try check(test.alice.token) == "200")

    let alone = try admin("POST", users, #"{"uid":"alice","revoke_others":true}"#)

    let (first, second) = (try beside.mobileToken(), try alone.mobileToken())
    #expect(try check(test.alice.token) == "401 revoked_token")
    #expect(try check(first) == "401 revoked_token")
    #expect(try check(second) == "200")
  }

  @Test func `ends some time after it was rotated`() throws {
    let old = try issue(#"{"scopes":["write"],"label":"bed 2","expires_in":86400}"#)
    pass(3_600)

    let reply = try admin("POST", "\(tokens)/\(old.id)/rotation", #"{"overlap":60}"#)
    let json = try reply.json()
    let new = try json.member("token").string()

    #expect(reply.status == 201)
    #expect(try json.member("label").string() == "bed 2")
    #expect(try json.member("scopes").elements().map { try $0.string() } == ["write"])
    #expect(try json.member("expires_at").instant() == .testing + 3_600 + 86_400)
    #expect(try check(old.text) == "200" && check(new) == "200")
    pass(60)
    #expect(try check(old.text) == "401 revoked_token" && check(new) == "200")
    #expect(try admin("POST", "\(tokens)/\(old.id)/rotation", "{}").status == 404)
  }

  @Test func `gets no longer life when it is rotated twice`() throws {
    let old = try issue()
    _ = try admin("POST", "\(tokens)/\(old.id)/rotation", #"{"overlap":60}"#)
    _ = try admin("POST", "\(tokens)/\(old.id)/rotation", #"{"overlap":6000}"#)
    pass(60)

    #expect(try check(old.text) == "401 revoked_token")
  }

  // The head was admitted while the token was live; the body came when it was not.
  @Test func `ends for requests in progress, too`() throws {
    let client = try test.client
    let body = reading("a")
    try client.send(
      "POST \(test.records) HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\nAuthorization: Bearer \(test.alice.token)\r\n\r\n"
        + body.prefix(9))
    // The answer to another request on another connection says that the first has been seen or not:
    // either way nothing may be stored.
    #expect(try check(test.alice.token) == "200")
    #expect(try admin("DELETE", tokens).status == 204)
    try client.send(String(body.dropFirst(9)))

    let reply = try client.reply()
    #expect(reply.status == 401)
    #expect(try reply.code() == "revoked_token")
    #expect(try test.server.recordCount() == 0)
  }

  // MARK: - Scopes

  @Test func `with the scope write may neither read nor change`() throws {
    let gateway = try issue(#"{"scopes":["write"]}"#).text
    let image = TestImage(1)
    let record = test.records + "/a"
    func status(_ method: String, _ path: String, _ type: String? = nil, _ body: [UInt8]? = nil)
      throws -> Int
    {
      try test.client.request(method, path, token: gateway, type: type, bytes: body).status
    }

    #expect(try check(gateway) == "200")
    #expect(try status("POST", test.records, "application/json", Array(reading("a").utf8)) == 201)
    #expect(
      try status("POST", test.records + ":batch", "application/x-ndjson", Array(reading("b").utf8))
        == 200)
    #expect(try status("PUT", "\(record)/media/\(image.digest)", image.type, image.bytes) == 201)
    for (method, path) in [
      ("GET", test.records), ("GET", record), ("GET", record + "/revisions"),
      ("GET", record + "/media"), ("GET", "\(record)/media/\(image.digest)"), ("DELETE", record),
      ("GET", TestServer.path(test.alice) + "/rejections"),
      ("DELETE", TestServer.path(test.alice) + "/rejections"), ("GET", tokens), ("POST", tokens),
      ("DELETE", TestServer.path(test.alice)), ("GET", "/v1/organizations/acme/users"),
    ] {
      #expect(try status(method, path) == 403, "\(method) \(path)")
    }
    #expect(try status("PUT", record, "application/json", Array(reading("a").utf8)) == 403)
    let reply = try test.client.request("GET", record, token: gateway)
    #expect(try reply.code() == "missing_scope")
    #expect(reply.text.contains("read"))
  }

  @Test func `with the scope read may not change anything`() throws {
    _ = try test.post([reading("a")])
    let reader = try issue(#"{"scopes":["read"]}"#).text
    func status(_ method: String, _ path: String, _ body: String? = nil) throws -> Int {
      try test.client.request(
        method, path, token: reader, type: body.map { _ in "application/json" }, body: body
      ).status
    }

    #expect(try status("GET", test.records + "/a") == 200)
    #expect(try status("POST", test.records, reading("b")) == 403)
    #expect(try status("PUT", test.records + "/a", reading("a")) == 403)
    #expect(try status("DELETE", test.records + "/a") == 403)
  }

  // MARK: - Administrators

  @Test func `of an organisation's administrator is valid for that organisation only`() throws {
    let other = try test.server.createUser(organization: "other", uid: "eve")
    let reply = try admin("POST", "/v1/organizations/acme/administrators", #"{"label":"nurse"}"#)
    let (token, id) = (
      try reply.json().member("token").string(), try reply.json().member("id").string()
    )

    #expect(try admin("GET", tokens, token: token).status == 200)
    #expect(try admin("POST", tokens, "{}", token: token).status == 201)
    let users = try admin("GET", "/v1/organizations/acme/users", token: token)
    #expect(users.text.contains(#""uid":"alice""#) && !users.text.contains("eve"))
    #expect(
      try admin("POST", "/v1/organizations/acme/users", #"{"uid":"bob"}"#, token: token).status
        == 201)
    for (method, path) in [
      ("GET", TestServer.path(other) + "/tokens"), ("DELETE", TestServer.path(other)),
      ("GET", "/v1/organizations/other/users"), ("GET", "/v1/organizations/acme/administrators"),
      ("POST", "/v1/organizations/acme/administrators"), ("GET", test.records),
    ] {
      #expect(try admin(method, path, token: token).status == 403, "\(method) \(path)")
    }

    #expect(try admin("DELETE", "/v1/organizations/acme/administrators/\(id)").status == 204)
    let refused = try admin("GET", tokens, token: token)
    #expect(refused.status == 401)
    #expect(try refused.code() == "revoked_token")
  }

  // MARK: - Bad requests

  @Test(
    arguments: [
      (#"{"scopes":[]}"#, "scopes"), (#"{"scopes":["all"]}"#, "scopes"),
      (#"{"scopes":"write"}"#, "scopes"), (#"{"expires_in":59}"#, "expires_in"),
      (#"{"expires_in":1e99}"#, "expires_in"), (#"{"label":7}"#, "label"),
      (#"{"label":"\#(String(repeating: "x", count: 129))"}"#, "label"),
    ])
  func `is refused with the reason for invalid terms`(body: String, path: String) throws {
    let reply = try admin("POST", tokens, body)

    #expect(reply.status == 400)
    let place = try reply.json().member("error").member("path").string()
    #expect(place.hasPrefix(path))
    #expect(try states() == ["live"])
  }

  @Test func `requires an existing user`() throws {
    for (method, path, body) in [
      ("GET", "/tokens", nil), ("POST", "/tokens", "{}"), ("DELETE", "/tokens/1", nil),
      ("POST", "/tokens/1/rotation", "{}"),
    ] as [(String, String, String?)] {
      let reply = try admin(method, "/v1/organizations/acme/users/nobody" + path, body)
      #expect(reply.status == 404)
    }
    #expect(try admin("POST", "\(tokens)/1/rotation", #"{"overlap":2592001}"#).status == 400)
  }

  @Test func `is listed without its text`() throws {
    let token = try issue(#"{"label":"bed 2"}"#)

    let list = try admin("GET", tokens).text

    #expect(list.contains(token.id) && list.contains(#""label":"bed 2""#))
    #expect(!list.contains(token.text) && !list.contains(test.alice.token))
    #expect(try !test.folder.holds(token.text))
  }
}

extension SocketClient.Reply {
  /// The token of an answer that provisions a user.
  fileprivate func mobileToken() throws -> String {
    try json().member("mobile").member("token").string()
  }
}
