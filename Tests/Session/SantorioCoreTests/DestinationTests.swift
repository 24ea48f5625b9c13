// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import TestSupport
import Testing

@testable import SantorioCore

private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

/// A user whose identifiers would lead elsewhere if they were not escaped.
private let odd = SantorioUser(userID: "../é?", organizationID: "a/b#c", accessToken: "t&o=k")

@Suite struct `Ingest API as a destination` {
  private func api(_ address: String = "https://example.org") throws -> IngestAPI {
    IngestAPI(try url(address))
  }

  @Test func `asks whether the server knows the user`() throws {
    #expect(
      try api().validation(of: alice)?.text == """
        GET https://example.org/v1/organizations/acme/users/alice
        Authorization: Bearer token-of-alice


        """)
  }

  @Test func `sends the stored bytes as they are, a line each`() throws {
    let records = [OutgoingRecord("a", #"{"log_id":"a","x":1.50}"#), OutgoingRecord("b", "{}")]

    #expect(
      try api("https://example.org/santorio/?old=1#top").submission(of: records, of: alice).text
        == """
        POST https://example.org/santorio/v1/organizations/acme/users/alice/records:batch
        Authorization: Bearer token-of-alice
        Content-Type: application/x-ndjson

        {"log_id":"a","x":1.50}
        {}

        """)
  }

  @Test func `escapes what would change the path`() throws {
    #expect(
      try api().validation(of: odd)?.url.absoluteString
        == "https://example.org/v1/organizations/a%2Fb%23c/users/..%2F%C3%A9%3F")
    #expect(RequestAddress.escaped("..") == "%2E%2E")
    #expect(RequestAddress.escaped("a.b-c_d~e") == "a.b-c_d~e")
    #expect(RequestAddress.escaped("\u{1} %") == "%01%20%25")
  }

  private func deliveries(_ results: String, on logIDs: [String]) throws -> [DeliveryResult?] {
    try api().results(
      in: TransportResponse(200, #"{"results":[\#(results)]}"#),
      on: logIDs.map { OutgoingRecord($0, "{}") })
  }

  @Test func `gives two records of one identifier the results of their places`() throws {
    let results = """
      {"log_id":"a","status":"created","id":"1"},\
      {"status":"rejected","error":{"code":"d","message":"n"}},\
      {"log_id":"a","status":"rejected","error":{"code":"c","message":"m"}}
      """

    #expect(
      try deliveries(results, on: ["a", "b", "a"]) == [
        .stored(serverID: "1"),
        .rejected(RecordFailure(status: nil, code: "d", message: "n", path: nil)),
        .rejected(RecordFailure(status: nil, code: "c", message: "m", path: nil)),
      ])
  }

  @Test func `keeps each record that the answer does not name`() throws {
    let results = #"{"log_id":"a","status":"created","id":"1"},{"status":"duplicate","id":"2"}"#

    #expect(try deliveries(results, on: ["a", "b"]) == [.stored(serverID: "1"), nil])
  }

  @Test(arguments: [
    #"{"log_id":"b","status":"created","id":"2"},{"log_id":"a","status":"revised","id":"1"}"#,
    #"""
    {"status":"created","id":"9"},{"log_id":"b","status":"created","id":"2"},
    {"log_id":"a","status":"created","id":"1"},{"log_id":"a","status":"perhaps"}
    """#,
  ])
  func `assigns results by identifier where their order differs`(results: String) throws {
    #expect(
      try deliveries(results, on: ["a", "b"]) == [.stored(serverID: "1"), .stored(serverID: "2")])
  }

  @Test func `believes no result about another record`() throws {
    #expect(
      try deliveries(#"{"log_id":"x","status":"created","id":"9"}"#, on: ["a"]) == [nil])
    #expect(try deliveries(#"{"log_id":"a","status":"perhaps"}"#, on: ["a"]) == [nil])
    #expect(try deliveries("", on: ["a", "b"]) == [nil, nil])
  }

  @Test func `takes an image under its digest, at its record`() throws {
    let image = OutgoingImage(
      logID: "a/b", sha256: "00ff", contentType: "image/png", bytes: Array("PNG".utf8))

    #expect(
      try api().imageSubmission(image, of: alice)?.text == """
        PUT https://example.org/v1/organizations/acme/users/alice/records/a%2Fb/media/00ff
        Authorization: Bearer token-of-alice
        Content-Type: image/png

        PNG
        """)
    let mark = RecordMedia(sha256: "00ff", contentType: "image/png", byteCount: 3)
    let answer = TransportResponse(
      201, #"{"id":"7","log_id":"a/b","sha256":"00ff","size":3,"url":"/v1/m/7"}"#)
    #expect(
      try api().media(in: answer, for: mark)
        == RecordMedia(
          sha256: "00ff", contentType: "image/png", byteCount: 3, id: "7", url: "/v1/m/7"))
  }

  @Test(arguments: ["", "<html>", "{}", #"{"sha256":"00fe","id":"7"}"#, #"{"sha256":null}"#])
  func `believes no answer about another image`(body: String) throws {
    let mark = RecordMedia(sha256: "00ff", contentType: "image/png", byteCount: 3)

    #expect(try api().media(in: TransportResponse(200, body), for: mark) == nil)
  }
}

@Suite struct `FHIR server as a destination` {
  private let weight = """
    {"log_id":"w/1","type":"measurement","start_time":"2026-03-04T05:06:07Z",\
    "source":{"type":"bluetooth"},\
    "metrics":[{"type":"body_weight","unit":"kg","value":70.5}]}
    """
  // One panel of the two pressures, and one Observation of the pulse.
  private let pressure = """
    {"log_id":"bp","type":"measurement","start_time":"2026-03-04T05:06:07Z",\
    "source":{"type":"bluetooth"},\
    "metrics":[{"type":"systolic","unit":"mmHg","value":120},\
    {"type":"diastolic","unit":"mmHg","value":80},{"type":"pulse","unit":"bpm","value":60}]}
    """
  private let day = """
    {"log_id":"day","type":"summary","start_time":"2026-03-04T00:00:00Z",\
    "end_time":"2026-03-05T00:00:00Z","source":{"type":"apple_health"},\
    "metrics":[{"type":"steps","unit":"count","value":5000}]}
    """

  private func server(sendsToken: Bool = true) throws -> FHIRServer {
    FHIRServer(try url("https://example.org/fhir"), sendsToken: sendsToken)
  }

  private func deliveries(_ body: String, _ records: [String]) throws -> [DeliveryResult?] {
    try server().results(
      in: TransportResponse(200, body), on: records.map { OutgoingRecord("x", $0) })
  }

  private func bundle(_ entries: String...) -> String {
    """
    {"resourceType":"Bundle","type":"batch-response","entry":[\
    \(entries.map { #"{"response":\#($0)}"# }.joined(separator: ","))]}
    """
  }

  @Test func `sends a batch of conditional creates about the user`() throws {
    let request = try server().submission(of: [OutgoingRecord("w/1", weight)], of: alice)

    #expect(
      request.text.hasPrefix(
        """
        POST https://example.org/fhir
        Authorization: Bearer token-of-alice
        Content-Type: application/fhir+json
        Accept: application/fhir+json
        Prefer: return=minimal

        {"resourceType":"Bundle","type":"batch","entry":[
        """))
    let json = try JSONReader(parsing: request.body ?? [])
    let entry = try #require(json.member("entry").elements().first)
    let resource = try entry.member("resource")
    #expect(try resource.member("subject").member("reference").string() == "Patient/alice")
    #expect(try resource.member("valueQuantity").member("value").number() == 70.5)
    #expect(try entry.member("request").member("method").string() == "POST")
    #expect(
      try entry.member("request").member("ifNoneExist").string()
        == "identifier=urn:santorio:log_id|w/1/body_weight&subject=Patient/alice")
  }

  @Test func `updates a measurement that was corrected, and takes its answer for that`() throws {
    let corrected = weight.replacingOccurrences(
      of: #""type":"measurement","#,
      with: #""type":"measurement","updated_at":"2026-03-05T00:00:00Z","#)

    let request = try server().submission(of: [OutgoingRecord("w/1", corrected)], of: alice)

    #expect(
      request.text.contains(
        """
        "method":"PUT","url":"Observation?identifier=urn:santorio:log_id|w/1/body_weight&\
        subject=Patient/alice"
        """))
    let answer = bundle(#"{"status":"412 Precondition Failed"}"#)
    #expect(
      try deliveries(answer, [corrected]) == [
        .rejected(RecordFailure(status: 412, code: "refused", message: "", path: nil))
      ])
  }

  @Test func `sends no token to a server that asks for none, and about another patient`() throws {
    let destination = FHIRServer(
      try url("http://127.0.0.1:8080/"), subject: .reference("Patient/7"), sendsToken: false)

    let request = try destination.submission(of: [OutgoingRecord("w", weight)], of: alice)

    #expect(request.headers.map(\.name) == ["Content-Type", "Accept", "Prefer"])
    #expect(request.text.contains(#""reference":"Patient/7""#))
  }

  @Test func `refuses to convert bytes that are not a record`() throws {
    #expect(throws: RecordError.self) {
      try server().submission(of: [OutgoingRecord("a", "{}")], of: alice)
    }
  }

  @Test func `counts a record as stored when all its entries are`() throws {
    let answer = bundle(
      #"{"status":"201 Created","location":"Observation/9/_history/1"}"#,
      #"{"status":"201 Created","location":"https://example.org/fhir/Observation/10/_history/1"}"#,
      #"{"status":"200 OK"}"#, #"{"status":"200"}"#)

    #expect(
      try deliveries(answer, [weight, pressure, day]) == [
        .stored(serverID: "Observation/9"), .stored(serverID: "Observation/10"),
        .stored(serverID: nil),
      ])
  }

  @Test func `sends a record again when one of its entries is not stored`() throws {
    let answer = bundle(
      #"{"status":"201 Created"}"#, #"{"status":"201 Created"}"#,
      #"{"status":"503 Unavailable"}"#)

    #expect(try deliveries(answer, [weight, pressure]) == [.stored(serverID: nil), nil])
  }

  @Test func `gives the server's reason for a refused entry`() throws {
    let answer = bundle(
      #"{"status":"201 Created"}"#, #"{"status":"201 Created"}"#,
      #"""
      {"status":"422 Unprocessable Entity","outcome":{"resourceType":"OperationOutcome","issue":[
       {"severity":"warning","code":"informational","diagnostics":"old profile"},
       {"severity":"error","code":"invariant","details":{"text":"vs-2 failed"},
        "expression":["Observation.component"]}]}}
      """#)

    #expect(
      try deliveries(answer, [weight, pressure]) == [
        .stored(serverID: nil),
        .rejected(
          RecordFailure(
            status: 422, code: "invariant", message: "vs-2 failed", path: "Observation.component")),
      ])
  }

  @Test(arguments: [
    ("200 OK", true), ("201", true), ("304 Not Modified", true), ("412 Precondition Failed", true),
    ("409 Conflict", nil), ("401 Unauthorized", nil), ("404 Not Found", nil), ("500", nil),
    ("400 Bad Request", false), ("422", false), ("", nil), ("2000", nil), ("20", nil),
    ("Created", nil),
  ])
  func `reads the status of a conditional create`(status: String, isStored: Bool?) throws {
    let result = try deliveries(bundle(#"{"status":"\#(status)"}"#), [weight])[0]

    switch result {
    case .stored: #expect(isStored == true)
    case .rejected(let failure):
      #expect(isStored == false)
      #expect(failure.code == "refused")
    case .postponed, nil: #expect(isStored == nil)
    }
  }

  @Test func `does not count an update as done that matched several`() throws {
    let answer = bundle(#"{"status":"412 Precondition Failed"}"#)

    #expect(
      try deliveries(answer, [day]) == [
        .rejected(RecordFailure(status: 412, code: "refused", message: "", path: nil))
      ])
  }

  @Test(arguments: [
    "", "<html>", "{}", #"{"resourceType":"Bundle","type":"batch-response"}"#,
    #"{"resourceType":"Bundle","type":"batch","entry":[{"response":{"status":"201"}}]}"#,
    #"{"resourceType":"OperationOutcome","entry":[{"response":{"status":"201"}}]}"#,
    #"{"resourceType":"Bundle","type":"batch-response","entry":[]}"#,
    """
    {"resourceType":"Bundle","type":"batch-response","entry":[{"response":{"status":"201"}},\
    {"response":{"status":"201"}}]}
    """,
    #"{"resourceType":"Bundle","type":"batch-response","entry":[{}]}"#,
    #"{"resourceType":"Bundle","type":"batch-response","entry":[7]}"#,
    #"{"resourceType":"Bundle","type":"batch-response","entry":[{"response":{"status":201}}]}"#,
    #"{"resourceType":"Bundle","type":"batch-response","entry":[{"response":{"sta"#,
  ])
  func `believes no answer of another shape`(body: String) throws {
    #expect(try deliveries(body, [weight]) == [nil])
  }

  @Test func `reads the outcome of a refused batch`() throws {
    let body = #"""
      {"resourceType":"OperationOutcome",
       "issue":[{"severity":"error","code":"security","diagnostics":"no","location":["Bundle"]}]}
      """#

    #expect(
      try server().failure(in: TransportResponse(400, body))
        == RecordFailure(status: 400, code: "security", message: "no", path: "Bundle"))
    #expect(try server().failure(in: TransportResponse(413, "<html>")) == nil)
  }
}

@Suite struct `Legacy API as a destination` {
  private func destination() throws -> LegacyV1 { LegacyV1(try url("https://api.validic.com")) }

  private let weight = OutgoingRecord(
    "w/1",
    """
    {"log_id":"w/1","type":"measurement","start_time":"2026-03-04T05:06:07Z",\
    "source":{"type":"bluetooth"},\
    "metrics":[{"type":"body_weight","origin":"device","unit":"kg","value":70.5}]}
    """)

  private func result(_ body: String, _ status: Int = 201) throws -> DeliveryResult? {
    let results = try destination().results(in: TransportResponse(status, body), on: [weight])
    #expect(results.count == 1)
    return results[0]
  }

  @Test func `asks whose the token is`() throws {
    #expect(
      try destination().validation(of: odd)?.text == """
        GET https://api.validic.com/v1/me.json?access_token=t%26o%3Dk


        """)
  }

  @Test func `posts one record to the class that it belongs to`() throws {
    #expect(try destination().maximumBatchRecords == 1)

    let request = try destination().submission(of: [weight], of: odd)

    #expect(
      request.url.absoluteString
        == "https://api.validic.com/v1/organizations/a%2Fb%23c/users/..%2F%C3%A9%3F/weight.json")
    #expect(request.method == "POST")
    #expect(request.headers == [TransportHeader("Content-Type", "application/json")])
    let json = try JSONReader(parsing: request.body ?? [])
    #expect(try json.member("access_token").string() == "t&o=k")
    let object = try json.member("weight")
    #expect(try object.member("data_id").string() == "w/1")
    #expect(try object.member("activity_id").string() == "w/1")
    #expect(try object.member("timestamp").string() == "2026-03-04T05:06:07+00:00")
    #expect(try object.member("weight").number() == 70.5)
  }

  @Test(arguments: [
    (LegacySource?.none, "validicmobile", "ValidicMobile"),
    (LegacySource(name: "clinic", displayName: "Clinic"), "clinic", "Clinic"),
  ])
  func `names the source of its records as the documents do, unless it is given another`(
    source: LegacySource?, name: String, displayName: String
  ) throws {
    let address = try url("https://api.validic.com")
    let legacy = source.map { LegacyV1(address, source: $0) } ?? LegacyV1(address)

    let request = try legacy.submission(of: [weight], of: alice)

    #expect(
      String(decoding: request.body ?? [], as: UTF8.self) == """
        {"weight":{"data_id":"w/1","timestamp":"2026-03-04T05:06:07+00:00","source":"\(name)",\
        "source_name":"\(displayName)","intermediary_source":"\(displayName) Bluetooth",\
        "activity_id":"w/1","weight":70.5,"extras":{"time_origin":"unknown"}},\
        "access_token":"token-of-alice"}
        """)
  }

  @Test func `refuses to convert bytes that are not a record, and more than one record`() throws {
    #expect(throws: RecordError.self) {
      try destination().submission(of: [OutgoingRecord("a", "{}")], of: alice)
    }
    #expect(throws: RecordError.self) {
      try destination().submission(of: [weight, weight], of: alice)
    }
  }

  @Test func `reads the server's identifier of the record`() throws {
    // The shape that the public Ruby client recorded.
    let body = #"""
      {"code":201,"message":"Ok","weight":{"_id":"54aeb32c68c652cd11000111","weight":70.5,
       "activity_id":"w/1"}}
      """#

    #expect(try result(body) == .stored(serverID: "54aeb32c68c652cd11000111"))
    #expect(try result(#"{"weight":{}}"#) == .stored(serverID: nil))
  }

  @Test func `believes the status in the body before that of the answer`() throws {
    let refused = #"{"code":422,"message":"Unprocessable","errors":"weight is bad"}"#

    #expect(
      try result(refused, 200)
        == .rejected(
          RecordFailure(
            status: 422, code: "refused", message: "weight is bad; Unprocessable", path: nil)))
    #expect(try result(#"{"code":500,"message":"x","weight":{}}"#, 200) == nil)
    #expect(try result(#"{"code":401,"message":"x"}"#, 200) == nil)
  }

  @Test(arguments: [
    "", "<html>", "{}", "[]", #"{"code":201,"message":"Ok"}"#, #"{"weight":7}"#, #"{"weight":{"#,
    #"{"me":{"_id":"x"}}"#,
  ])
  func `believes no answer of another shape`(body: String) throws {
    #expect(try result(body) == nil)
  }
}
