// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import TestSupport
import Testing

@testable import SantorioCore

private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

@Suite struct `Reason of a refusal` {
  @Test(arguments: [
    (#"{"error":{"code":"missing","message":"m","path":"p"}}"#, "missing", "m", "p"),
    (
      #"{"code":422,"message":"Unprocessable","errors":"weight is bad"}"#, "refused",
      "weight is bad; Unprocessable", nil
    ),
    (#"{"errors":["one","two"]}"#, "refused", "one; two", nil),
    (
      #"{"errors":{"start_time":["is missing","is odd"],"type":["bad"]}}"#, "refused",
      "is missing; is odd; bad", "start_time"
    ),
    (#"{"status":400,"error":"Bad Request"}"#, "refused", "Bad Request", nil),
    (#"{"message":"no"}"#, "refused", "no", nil),
  ])
  func `is read in each shape that servers give it`(
    body: String, code: String, message: String, path: String?
  ) throws {
    let failure = InformConnect(try url("https://example.org"))
      .failure(in: TransportResponse(422, body))

    #expect(
      failure == RecordFailure(status: 422, code: code, message: message, path: path))
  }

  @Test(arguments: ["", "<html>", "[1]", "7", "{}", #"{"errors":7}"#, #"{"error":{}}"#])
  func `is absent when something else has answered`(body: String) throws {
    let address = try url("https://example.org")
    let destinations: [any RecordDestination] = [
      IngestAPI(address), InformConnect(address), LegacyV1(address), FHIRServer(address),
    ]

    for destination in destinations {
      for status in [302, 400, 401, 403, 404, 413] {
        #expect(destination.failure(in: TransportResponse(status, body)) == nil)
      }
      let results = destination.results(
        in: TransportResponse(200, body), on: [OutgoingRecord("a", "{}")])
      // Any object is an acknowledgement of Inform Connect, whose answers are not published.
      let isAcknowledged = destination is InformConnect && body == "{}"
      #expect(results == [isAcknowledged ? DeliveryResult.stored(serverID: nil) : nil])
    }
  }

  @Test(arguments: [
    #"{"message":"Forbidden"}"#, #"{"errors":["no"]}"#, #"{"error":{"code":403,"message":""}}"#,
    #"{"resourceType":"OperationOutcome","issue":[]}"#,
  ])
  func `of another API is not one of the ingest API`(body: String) throws {
    let api = IngestAPI(try url("https://example.org"))

    #expect(api.failure(in: TransportResponse(403, body)) == nil)
    #expect(!api.isKnown(by: TransportResponse(200, body)))
  }

  @Test func `is known by the challenge for a token, and by no other`() throws {
    let address = try url("https://example.org")
    let destinations: [any RecordDestination] = [FHIRServer(address), InformConnect(address)]

    for destination in destinations {
      func failure(_ status: Int, _ challenge: String) -> RecordFailure? {
        destination.failure(in: TransportResponse(status, "", ["WWW-Authenticate": challenge]))
      }
      #expect(failure(401, #"Bearer realm="fhir", error="invalid_token""#)?.code == "unauthorized")
      #expect(failure(401, #"Basic realm="proxy""#) == nil)
      #expect(failure(403, "Bearer") == nil)
    }
  }

  @Test func `has an end`() throws {
    let body = #"{"message":"\#(String(repeating: "x", count: 100_000))"}"#

    let failure = InformConnect(try url("https://example.org"))
      .failure(in: TransportResponse(422, body))

    #expect(failure?.message == String(repeating: "x", count: 500))
  }
}
