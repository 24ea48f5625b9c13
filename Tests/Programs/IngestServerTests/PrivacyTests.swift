// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IngestServer

@Suite struct `Privacy of answers and log` {
  private static let canary = "canary7391"

  /// Bodies that are wrong beside, before or in a marked value.
  private static let bodies = [
    #"{"log_id":"a","type":"\#(canary)"}"#,
    #"{"log_id":"a","user_notes":[{"type":"message","value":"\#(canary)}"#,
    #"{"\#(canary)":1,"\#(canary)":2}"#,
    #"\#(canary)"#,
    reading("a").replacing("2026-03-04T05:06:07Z", with: canary),
    reading("a", more: #","end_time":"\#(canary)""#),
    reading("a").replacing("120", with: #""\#(canary)""#),
    reading("a", more: #","tags":["\#(canary)"]"#),
    reading("a", more: #","time":{"origin":"\#(canary)"}"#),
    reading("a", more: #","\#(canary)":"\#(canary)""#),
  ]

  @Test(arguments: bodies)
  func `no answer and no log line repeats what was sent`(body: String) throws {
    let test = try TestServer()

    let single = try test.client.request(
      "POST", test.records, token: test.alice.token, type: "application/json", body: body)
    let batch = try test.post([body, reading("good")])

    for answer in [single, batch] { #expect(!answer.text.contains(Self.canary)) }
    #expect(!test.log.all.joined().contains(Self.canary))
  }

  @Test func `no log line tells a token, a name or an identifier`() throws {
    let test = try TestServer()
    _ = try test.post([reading("secret-log-id")])
    _ = try test.client.request("GET", test.records + "/secret-log-id", token: test.alice.token)
    _ = try test.client.request("GET", test.records, token: "wrong-token-0123456789")
    test.server.stop()

    let log = test.log.all.joined(separator: "\n")
    #expect(log.contains("records:batch status=200"))
    let secrets = [
      test.alice.token, test.alice.id, "alice", "acme", "secret-log-id", "wrong-token",
      TestServer.adminToken,
    ]
    for secret in secrets { #expect(!log.contains(secret)) }
  }

  @Test func `the log tells what became of a batch and why an item was rejected`() throws {
    let test = try TestServer()
    _ = try test.post([reading("a"), reading("a"), reading("a", systolic: 1), #"{"log_id":"b"}"#])
    test.server.stop()

    let line = "stored created=1 duplicate=1 revised=1 rejected=1 reason=missing path=metrics"
    #expect(test.log.all.contains(line))
  }

  @Test func `the storage holds no token`() throws {
    let test = try TestServer()
    test.server.stop()

    for suffix in ["", "-wal"] {
      let octets = try test.folder.octets(suffix)
      #expect(!octets.contains(Array(test.alice.token.utf8)))
      #expect(!octets.contains(Array(TestServer.adminToken.utf8)))
    }
  }
}
