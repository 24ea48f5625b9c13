// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import TestSupport
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `API client` {
  private let now = Date(timeIntervalSince1970: 1_772_600_000)

  private func client(_ transport: ScriptedTransport) throws -> IngestClient {
    try IngestClient(
      endpoint: localURL(), user: alice, transport: transport, now: { [now] in now })
  }

  private func transport(_ status: Int, _ body: String? = nil, _ headers: [String: String] = [:])
    -> ScriptedTransport
  {
    ScriptedTransport { _, _ in .success(TransportResponse(status, body, headers)) }
  }

  private func error(_ body: () async throws -> Void) async -> IngestClientError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? IngestClientError
    }
  }

  private let record = reading("a/1")

  // MARK: - Requests

  @Test func `posts a record`() async throws {
    let line = transport(201, #"{"log_id":"a/1","status":"created","id":"7","revision":1}"#)

    let receipt = try await client(line).post(record)

    #expect(
      receipt == RecordReceipt(logID: "a/1", outcome: .created, serverID: "7", revision: 1))
    #expect(
      line.sent[0].text.hasPrefix(
        """
        POST http://127.0.0.1:9/v1/organizations/acme/users/alice/records
        Authorization: Bearer token-of-alice
        Content-Type: application/json

        {"log_id":"a/1","type":"measurement"
        """))
  }

  @Test func `updates only what is there, and upserts in any case`() async throws {
    let line = transport(200, #"{"log_id":"a/1","status":"revised","id":"7","revision":2}"#)

    let updated = try await client(line).update(record)
    let upserted = try await client(line).upsert(record)

    #expect(
      updated == RecordReceipt(logID: "a/1", outcome: .revised, serverID: "7", revision: 2))
    #expect(upserted == updated)
    #expect(
      line.sent[0].text.hasPrefix(
        """
        PUT http://127.0.0.1:9/v1/organizations/acme/users/alice/records/a%2F1
        Authorization: Bearer token-of-alice
        If-Match: *
        Content-Type: application/json

        {"log_id":"a/1"
        """))
    #expect(
      line.sent[1].text.hasPrefix(
        """
        PUT http://127.0.0.1:9/v1/organizations/acme/users/alice/records/a%2F1
        Authorization: Bearer token-of-alice
        Content-Type: application/json

        {"log_id":"a/1"
        """))
  }

  @Test func `deletes a record`() async throws {
    let line = transport(204)

    try await client(line).delete("a/1")

    #expect(
      line.sent[0].text == """
        DELETE http://127.0.0.1:9/v1/organizations/acme/users/alice/records/a%2F1
        Authorization: Bearer token-of-alice


        """)
  }

  @Test func `uploads an image under the digest of its bytes`() async throws {
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    let line = transport(
      201, #"{"id":"m","log_id":"a/1","sha256":"\#(digest)","size":3,"url":"/u"}"#)

    let media = try await client(line)
      .uploadImage(Array("abc".utf8), contentType: "image/jpeg", for: "a/1")

    #expect(
      media
        == RecordMedia(
          sha256: digest, contentType: "image/jpeg", byteCount: 3, id: "m", url: "/u"))
    #expect(
      line.sent[0].text == """
        PUT http://127.0.0.1:9/v1/organizations/acme/users/alice/records/a%2F1/media/\(digest)
        Authorization: Bearer token-of-alice
        Content-Type: image/jpeg

        abc
        """)
  }

  // MARK: - Many records

  @Test func `posts many and gives each its result`() async throws {
    let line = transport(
      200,
      """
      {"results":[{"log_id":"b","status":"duplicate","id":"2","revision":3},
      {"log_id":"a","status":"created","id":"1","revision":1},
      {"log_id":"c","status":"rejected","error":{"code":"missing","message":"m","path":"p"}}]}
      """)
    var workout = reading("b")
    workout.kind = .workout

    let results = try await client(line)
      .post([reading("a"), workout, reading("c"), reading("d")])

    #expect(
      results == [
        .success(RecordReceipt(logID: "a", outcome: .created, serverID: "1", revision: 1)),
        .success(RecordReceipt(logID: "b", outcome: .duplicate, serverID: "2", revision: 3)),
        .failure(
          IngestClientError(
            .refused, status: 200,
            failure: RecordFailure(status: nil, code: "missing", message: "m", path: "p"))),
        .failure(IngestClientError(.noAnswer, status: 200)),
      ])
    #expect(line.batches == [["a", "b", "c", "d"]])
  }

  @Test func `gives each of two records of one identifier its own result`() async throws {
    let line = transport(
      200,
      """
      {"results":[{"log_id":"a","status":"created","id":"1","revision":1},
      {"log_id":"b","status":"created","id":"2","revision":1},
      {"log_id":"a","status":"rejected","error":{"code":"missing","message":"m"}}]}
      """)

    let results = try await client(line).post([reading("a"), reading("b"), reading("a")])

    #expect(results.map { try? $0.get().serverID } == ["1", "2", nil])
    #expect(
      results[2]
        == .failure(
          IngestClientError(
            .refused, status: 200,
            failure: RecordFailure(status: nil, code: "missing", message: "m", path: nil))))
  }

  @Test func `reports which of many is not a record`() async throws {
    let client = try client(transport(200))
    var bad = reading("b")
    bad.metrics[0].value = .nan

    let many = await error { _ = try await client.post([reading("a"), bad]) }
    let one = await error { _ = try await client.post(bad) }

    #expect(many?.failure?.path == "records[1].metrics[0].value")
    #expect(one?.failure?.path == "metrics[0].value")
  }

  @Test func `keeps to the server's limits`() {
    func batches(_ sizes: [Int]) -> [Int] {
      IngestClient.batches(
        sizes.map { OutgoingRecord(logID: "", informJSON: [UInt8](repeating: 0, count: $0)) },
        count: 3, bytes: 100
      ).map(\.count)
    }

    #expect(batches([]) == [])
    #expect(batches([1, 1, 1, 1, 1, 1, 1]) == [3, 3, 1])
    #expect(batches([49, 49, 1]) == [2, 1])
    #expect(batches([500, 1, 500]) == [1, 1, 1])
  }

  @Test func `returns the results of the first when the second request fails`() async throws {
    let line = ScriptedTransport { request, number in
      number == 0
        ? ScriptedTransport.stored(request)
        : .success(TransportResponse(503, "", ["Retry-After": "7"]))
    }

    let results = try await client(line).post((0..<1001).map { reading("r\($0)") })

    #expect(results.count == 1001)
    #expect(results.prefix(1000).allSatisfy { (try? $0.get()) != nil })
    #expect(
      results[1000]
        == .failure(IngestClientError(.unavailable, status: 503, retryAfter: .seconds(7))))
  }

  @Test func `throws when the first request fails`() async throws {
    let client = try client(transport(503))

    #expect(await error { _ = try await client.post([reading("a")]) }?.code == .unavailable)
  }

  @Test func `sends nothing when there is nothing to send`() async throws {
    let line = transport(200)

    #expect(try await client(line).post([]) == [])
    #expect(line.sent.isEmpty)
  }

  // MARK: - Errors

  @Test(arguments: [
    (401, nil, IngestClientError.Code.credentialsRefused, false),
    (403, nil, .credentialsRefused, false),
    (404, #"{"error":{"code":"unknown_record","message":""}}"#, .unknownRecord, false),
    (404, "<html>", .notUnderstood, true), (412, nil, .unknownRecord, false),
    (400, nil, .refused, false), (413, nil, .refused, false), (415, nil, .refused, false),
    (422, nil, .refused, false), (408, "", .unavailable, true), (429, "", .unavailable, true),
    (500, "", .unavailable, true), (503, "", .unavailable, true), (302, "", .notUnderstood, true),
    (400, "", .notUnderstood, true), (401, "<html>", .notUnderstood, true),
    (403, "", .notUnderstood, true), (413, "<html>", .notUnderstood, true),
    (200, "<html>", .notUnderstood, true), (200, "", .notUnderstood, true),
    (200, #"{"log_id":"other","status":"created"}"#, .notUnderstood, true),
    (200, #"{"log_id":"a/1","status":"perhaps"}"#, .notUnderstood, true),
  ])
  func `has a code for each answer`(
    status: Int, body: String?, code: IngestClientError.Code, isRetryable: Bool
  ) async throws {
    let client = try client(transport(status, body))

    let error = await error { _ = try await client.upsert(record) }

    #expect(error?.code == code)
    #expect(error?.status == status)
    #expect(error?.isRetryable == isRetryable)
  }

  @Test func `reports how long to wait, in seconds or until a date`() async throws {
    let dated = try client(transport(503, "", ["Retry-After": "Wed, 04 Mar 2026 04:54:20 GMT"]))
    let plain = try client(transport(429, "", ["Retry-After": "9"]))

    #expect(await error { try await dated.delete("a") }?.retryAfter == .seconds(60))
    #expect(await error { try await plain.delete("a") }?.retryAfter == .seconds(9))
  }

  @Test func `reports that there is no answer`() async throws {
    let offline = TransportError(.unreachable, "no route")
    let client = try client(ScriptedTransport { _, _ in .failure(offline) })

    let error = await error { try await client.delete("a") }

    #expect(error == IngestClientError(.noAnswer, transportError: offline))
    #expect(error?.isRetryable == true)
  }

  @Test func `sends nothing that cannot be a record or an image`() async throws {
    let line = transport(200)
    let client = try client(line)
    let bad = reading("has a blank")

    #expect(await error { _ = try await client.post(bad) }?.code == .invalidRecord)
    #expect(
      await error { _ = try await client.post([reading("a"), bad]) }?.code == .invalidRecord)
    let huge = [UInt8](repeating: 0, count: IngestClient.maximumImageBytes + 1)
    for image in [[], huge] {
      let error = await error {
        _ = try await client.uploadImage(image, contentType: "image/png", for: "a")
      }
      #expect(error?.code == .invalidRecord)
    }
    #expect(line.sent.isEmpty)
  }

  @Test func `refuses an address and a user that no server accepts`() throws {
    let file = URL(fileURLWithPath: "/etc/passwd")
    let user = SantorioUser(userID: "..", organizationID: "acme", accessToken: "t")

    #expect(throws: IngestClientError(.invalidEndpoint)) {
      try IngestClient(endpoint: file, user: alice)
    }
    #expect(throws: IngestClientError(.credentialsRefused)) {
      try IngestClient(endpoint: localURL(), user: user)
    }
  }

  @Test func `reports no values, names or tokens`() async throws {
    let body = #"{"error":{"code":"canary","message":"canary 4711","path":"canary"}}"#
    let client = try client(transport(422, body))
    let receipt = RecordReceipt(
      logID: "canary", outcome: .created, serverID: "canary", revision: 1)

    let thrown = await error { _ = try await client.post(record) }

    for value in [thrown as Any, receipt, client] {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        #expect(!text.contains("canary") && !text.contains("4711"))
        #expect(!text.contains("token-of-alice"))
      }
    }
  }
}
