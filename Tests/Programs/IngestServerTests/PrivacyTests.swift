// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IngestServer

@Suite struct `Privacy of responses and log` {
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
    reading(
      "a",
      more: #","extras":{"\#(canary)":"#
        + String(repeating: "[", count: 17) + #""\#(canary)""#
        + String(repeating: "]", count: 17) + "}"),
    reading("a", more: #","extras":"\#(canary)""#),
    reading("a", more: #","name":["\#(canary)"]"#),
    reading("a", more: #","media":[{"sha256":"\#(canary)","content_type":"image/png","size":1}]"#),
    reading("a", more: #","segments":"\#(canary)""#),
    reading("a").replacing(
      #""bluetooth"}"#, with: #""bluetooth","devices":{"\#(canary)":{"id":7}}}"#),
    reading("a").replacing(#""value":120"#, with: #""data_points":[{"time":"\#(canary)"}]"#),
  ]

  @Test(arguments: bodies)
  func `no response and no log line repeats sent content`(body: String) throws {
    let test = try TestServer()

    let single = try test.client.request(
      "POST", test.records, token: test.alice.token, type: "application/json", body: body)
    let batch = try test.post([body, reading("good")])

    let put = try test.request(
      "PUT", test.records + "/a", type: "application/json", body: body)
    let compressed = try test.client.request(
      "PUT", test.records + "/a", token: test.alice.token, headers: ["Content-Encoding: gzip"],
      bytes: [0x1f, 0x8b] + Array(body.utf8))
    for answer in [single, batch, put, compressed] { #expect(!answer.text.contains(Self.canary)) }
    #expect(!test.log.all.joined().contains(Self.canary))
  }

  @Test func `no log line contains a token, a name or an identifier`() throws {
    let test = try TestServer()
    _ = try test.post([reading("secret-log-id")])
    _ = try test.client.request("GET", test.records + "/secret-log-id", token: test.alice.token)
    _ = try test.client.request("GET", test.records, token: "wrong-token-0123456789")
    let image = TestImage(1)
    _ = try test.put(image, to: "secret-log-id")
    _ = try test.put(image, to: "other-secret-log-id")
    for path in ["/secret-log-id/media", "/secret-log-id/media/\(image.digest)"] {
      #expect(try test.request("GET", test.records + path).status == 200)
    }
    _ = try test.request(
      "PUT", test.records + "/secret-log-id", headers: ["If-Match: *"],
      body: reading("secret-log-id", systolic: 7391))
    _ = try test.request("DELETE", test.records + "/secret-log-id")
    test.server.stop()

    let log = test.log.all.joined(separator: "\n")
    #expect(log.contains("records:batch status=200"))
    let secrets = [
      test.alice.token, test.alice.id, "alice", "acme", "secret-log-id", "wrong-token",
      TestServer.adminToken, image.digest, "7391",
    ]
    for secret in secrets { #expect(!log.contains(secret)) }
  }

  @Test func `the log reports a batch's outcome and the reason of a rejection`() throws {
    let test = try TestServer()
    _ = try test.post([reading("a"), reading("a"), reading("a", systolic: 1), #"{"log_id":"b"}"#])
    test.server.stop()

    let line =
      "stored created=1 duplicate=1 revised=1 superseded=0 deleted=0 rejected=1 reason=missing path=metrics"
    #expect(test.log.all.contains(line))
  }

  @Test func `the log identifies deletions and images by number`() throws {
    let test = try TestServer()
    _ = try test.post([reading("a")])
    _ = try test.put(TestImage(1), to: "a")
    _ = try test.request("DELETE", test.records + "/a")
    test.server.stop()

    #expect(test.log.all.contains("stored images=1"))
    #expect(test.log.all.contains("deleted records=1 images=1"))
    let template = "/v1/organizations/{organization}/users/{user}/records/{log_id}"
    #expect(test.log.all.contains { $0.hasPrefix("request DELETE \(template) status=204 ms=") })
  }

  @Test func `the storage contains no token`() throws {
    let test = try TestServer()
    test.server.stop()

    for suffix in ["", "-wal"] {
      let bytes = try test.folder.bytes(suffix)
      #expect(!bytes.contains(Array(test.alice.token.utf8)))
      #expect(!bytes.contains(Array(TestServer.adminToken.utf8)))
    }
  }
}
