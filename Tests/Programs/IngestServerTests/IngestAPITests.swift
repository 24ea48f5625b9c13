// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import Testing

@testable import IngestServer

@Suite struct `HTTP interface` {
  private let test: TestServer
  private let client: SocketClient

  init() throws {
    test = try TestServer()
    client = try test.client
  }

  private func get(_ path: String, token: String? = nil) throws -> SocketClient.Reply {
    try client.request("GET", path, token: token ?? test.alice.token)
  }

  @Test func `reports its health`() throws {
    let reply = try client.request("GET", "/healthz")

    #expect(reply.status == 200)
    #expect(reply.text == #"{"status":"ok"}"#)
  }

  // MARK: - Users

  @Test func `provisions a user, whose token then opens its records`() throws {
    let reply = try client.request(
      "POST", "/v1/organizations/acme/users", token: TestServer.adminToken,
      type: "application/json", body: #"{"uid":"bob"}"#)

    #expect(reply.status == 201)
    let json = try reply.json()
    let id = try json.member("id").string()
    let token = try json.member("mobile").member("token").string()
    #expect(try json.member("uid").string() == "bob")
    let user = try get("/v1/organizations/acme/users/\(id)", token: token)
    #expect(user.text == #"{"id":"\#(id)","uid":"bob","records":0}"#)
  }

  @Test func `gives an existing user another token`() throws {
    let again = try test.server.createUser(organization: "acme", uid: "alice")

    #expect(again.id == test.alice.id)
    #expect(again.token != test.alice.token)
    for token in [again.token, test.alice.token] {
      #expect(try get(TestServer.path(test.alice), token: token).status == 200)
    }
  }

  @Test(
    arguments: [
      (#"{"uid":""}"#, "invalid_value", "uid"), (#"{}"#, "missing", "uid"),
      (#"{"uid":7}"#, "wrong_type", "uid"), (#"[]"#, "wrong_type", nil),
      (#"{"uid":"a","uid":"b"}"#, "malformed_json", nil),
    ])
  func `explains what is wrong with a user`(body: String, code: String, path: String?) throws {
    let reply = try client.request(
      "POST", "/v1/organizations/acme/users", token: TestServer.adminToken,
      type: "application/json", body: body)

    #expect(reply.status == 400)
    #expect(try reply.code() == code)
    #expect(try reply.json().member("error").optional("path")?.string() == path)
  }

  @Test func `rejects an organisation name that does not fit a path`() throws {
    let reply = try client.request(
      "POST", "/v1/organizations/a%20b/users", token: TestServer.adminToken,
      type: "application/json", body: #"{"uid":"a"}"#)

    #expect(reply.status == 400)
    #expect(try reply.json().member("error").member("path").string() == "organization")
  }

  // MARK: - Access

  @Test func `requires a token`() throws {
    let reply = try client.request("GET", test.records)

    #expect(reply.status == 401)
    #expect(reply.headers["www-authenticate"] == #"Bearer realm="santorio""#)
    #expect(try reply.code() == "missing_token")
  }

  @Test func `rejects an unknown token`() throws {
    let reply = try get(test.records, token: "0123456789abcdef")

    #expect(reply.status == 401)
    #expect(try reply.code() == "unknown_token")
  }

  @Test func `rejects tokens of other users`() throws {
    let bob = try test.server.createUser(organization: "acme", uid: "bob")
    let namesake = try test.server.createUser(organization: "other", uid: "alice")

    for token in [bob.token, namesake.token, TestServer.adminToken] {
      #expect(try get(test.records, token: token).status == 403)
    }
    let elsewhere = "/v1/organizations/other/users/\(test.alice.id)/records"
    #expect(try get(elsewhere).status == 403)
    #expect(try get("/v1/events").status == 403)
    let users = "/v1/organizations/acme/users"
    #expect(try client.request("POST", users, token: bob.token, body: "{}").status == 403)
  }

  // MARK: - Storing

  @Test func `answers each line of a batch in order`() throws {
    let reply = try test.post([
      reading("a"), #"{"log_id":"b","type":"measurement"}"#, "{\"log_id\": tru}", reading("a"),
      reading("a", systolic: 130), reading("c").replacing("120", with: #""high""#), "",
    ])

    #expect(reply.status == 200)
    let expected = [
      #"{"log_id":"a","status":"created","id":"1","revision":1}"#,
      #"{"log_id":"b","status":"rejected","error":{"code":"missing","#
        + #""message":"this member is required","path":"metrics","line":2}}"#,
      #"{"status":"rejected","error":{"code":"malformed_json","#
        + #""message":"expected \"true\"","offset":14,"line":3}}"#,
      #"{"log_id":"a","status":"duplicate","id":"1","revision":1}"#,
      #"{"log_id":"a","status":"revised","id":"1","revision":2}"#,
      #"{"log_id":"c","status":"rejected","error":{"code":"wrong_type","#
        + #""message":"expected a number, found string","path":"metrics[0].value","line":6}}"#,
      #"{"status":"rejected","error":{"code":"malformed_json","#
        + #""message":"the text ends where a value should be","offset":0,"line":7}}"#,
    ]
    #expect(reply.text == #"{"results":["# + expected.joined(separator: ",") + "]}")
  }

  @Test func `accepts a last line without a line break, and CRLF`() throws {
    for body in [reading("a"), reading("b") + "\n", reading("c") + "\r\n" + reading("d") + "\r\n"] {
      let reply = try client.request(
        "POST", test.records + ":batch", token: test.alice.token, type: "application/x-ndjson",
        body: body)
      #expect(reply.status == 200)
      #expect(!reply.text.contains("rejected"))
    }
    #expect(try test.server.recordCount() == 4)
  }

  @Test(arguments: [("", "empty_batch"), ("hello\nworld\n", "malformed_json")])
  func `rejects a body that is not a batch`(body: String, code: String) throws {
    let reply = try client.request(
      "POST", test.records + ":batch", token: test.alice.token, type: "application/x-ndjson",
      body: body)

    #expect(reply.status == 400)
    #expect(try reply.code() == code)
  }

  @Test func `accepts at most a thousand lines`() throws {
    let lines = (1...1_001).map { reading("r\($0)") }

    #expect(try test.post(Array(lines.dropLast())).status == 200)
    let reply = try test.post(lines)
    #expect(reply.status == 413)
    #expect(try reply.code() == "too_many_lines")
    #expect(try test.server.recordCount() == 1_000)
  }

  @Test func `stores one record`() throws {
    func post(_ body: String) throws -> SocketClient.Reply {
      try client.request(
        "POST", test.records, token: test.alice.token, type: "application/json", body: body)
    }

    let created = try post(reading("a"))
    #expect(created.status == 201)
    #expect(created.text == #"{"log_id":"a","status":"created","id":"1","revision":1}"#)
    #expect(try post(reading("a")).status == 200)
    #expect(try post(reading("a", systolic: 1)).text.contains(#""status":"revised""#))
    let rejected = try post(reading("b").replacing("2026-03-04", with: "yesterday "))
    #expect(rejected.status == 422)
    #expect(try rejected.json().member("error").member("path").string() == "start_time")
    let malformed = try post(#"{"log_id":"a","log_id":"b"}"#)
    #expect(malformed.status == 400)
    #expect(try malformed.json().member("error").member("offset").integer() == 14)
  }

  @Test func `rejects other media types`() throws {
    let reply = try client.request(
      "POST", test.records, token: test.alice.token, type: "text/plain", body: reading("a"))

    #expect(reply.status == 415)
    #expect(try test.server.recordCount() == 0)
  }

  @Test func `keeps a rejected body for diagnosis`() throws {
    _ = try client.request("POST", test.records, token: test.alice.token, body: "{")
    _ = try client.request("POST", test.records, token: test.alice.token, body: "{}")
    _ = try client.request("POST", test.records + ":batch", token: test.alice.token, body: "a\nb")

    let bodies = try SQLiteDatabase(path: test.folder.storage)
      .prepare("SELECT body FROM rejection ORDER BY number").all { $0.text(0) }
    #expect(bodies == ["{", "{}", "a\nb"])
  }

  @Test func `rejects a body on a route without one`() throws {
    let reply = try client.request("GET", "/healthz", body: "hello")

    #expect(reply.status == 413)
    #expect(try client.request("GET", "/healthz").status == 200)
  }

  // MARK: - Reading back

  @Test func `pages through all records`() throws {
    _ = try test.post((1...5).map { reading("r\($0)") })

    var found: [String] = []
    var path: String? = test.records + "?limit=2"
    while let page = path {
      let json = try get(page).json()
      found += try json.member("records").elements().map { try $0.member("log_id").string() }
      path = try json.optional("next").map { try "\(test.records)?limit=2&after=\($0.string())" }
    }

    #expect(found == ["r1", "r2", "r3", "r4", "r5"])
  }

  @Test func `returns a record as sent plus the server's members`() throws {
    let sent = reading("a/b", more: #", "note" : 1.50e+1 "#)
    _ = try test.post([sent])

    let reply = try get(test.records + "/a%2Fb")

    #expect(reply.status == 200)
    let json = try reply.json()
    #expect(try json.member("id").string() == "1")
    #expect(try json.member("revision").integer() == 1)
    #expect(try json.member("created_at").instant().timeIntervalSince1970 > 1_700_000_000)
    #expect(reply.text.hasSuffix(String(sent.dropFirst())))
  }

  @Test func `omits a sender's members with names that the server adds`() throws {
    _ = try test.post([reading("a", more: #","id":"mine","revision":"x","kept":[null,true]"#)])

    let json = try get(test.records + "/a").json()

    #expect(try json.member("id").string() == "1")
    #expect(try json.member("revision").integer() == 1)
    #expect(try json.member("kept").elements().count == 2)
  }

  @Test func `does not find the records of other users`() throws {
    let bob = try test.server.createUser(organization: "acme", uid: "bob")
    _ = try test.post([reading("a")])

    let path = TestServer.path(bob) + "/records"
    #expect(try get(path, token: bob.token).text == #"{"records":[]}"#)
    #expect(try get(path + "/a", token: bob.token).status == 404)
  }

  @Test(arguments: ["?limit=0", "?limit=1001", "?limit=ten", "?after=-1", "?after=x", "?limit="])
  func `names the invalid argument`(query: String) throws {
    let reply = try get(test.records + query)

    #expect(reply.status == 400)
    let place = try reply.json().member("error").member("path").string()
    #expect(query.hasPrefix("?\(place)="))
  }

  // MARK: - Elsewhere

  @Test func `answers 404 for unknown paths`() throws {
    #expect(try get("/v1/nothing").status == 404)
    #expect(try get("/%zz").status == 400)
  }

  @Test func `names the methods of a path`() throws {
    let reply = try client.request("DELETE", test.records, token: test.alice.token)

    #expect(reply.status == 405)
    #expect(reply.headers["allow"] == "GET, HEAD, POST")
  }

  @Test func `answers HEAD like GET without the body`() throws {
    let reply = try client.request("HEAD", "/healthz")

    #expect(reply.status == 200)
    #expect(reply.headers["content-length"] == "15")
    #expect(try client.request("GET", "/healthz").status == 200)
  }
}
