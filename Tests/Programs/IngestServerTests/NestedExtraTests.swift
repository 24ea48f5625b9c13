// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import Testing

@testable import IngestServer

@Suite struct `Nested extras at the server` {
  private let test: TestServer

  init() throws { test = try TestServer() }

  private func post(_ extras: String) throws -> SocketClient.Reply {
    try test.client.request(
      "POST", test.records, token: test.alice.token, type: "application/json",
      body: reading("a", more: #","extras":\#(extras)"#))
  }

  @Test func `are kept as they were sent, and known again in any order`() throws {
    let extras = #"{"b":[1,null,{"y":true,"x":"z"}],"a":null}"#
    #expect(try post(extras).status == 201)

    let again = try post(#"{"b":[1,null,{"x":"z","y":true}]}"#)

    #expect(again.status == 200)
    #expect(try again.json().member("status").string() == "duplicate")
    let stored = try test.client.request(
      "GET", test.records + "/a", token: test.alice.token
    ).text
    #expect(stored.contains(#""extras":\#(extras)"#), "\(stored)")
  }

  @Test func `make other content when a value deep inside is another`() throws {
    #expect(try post(#"{"a":[{"b":[1]}]}"#).status == 201)

    let other = try post(#"{"a":[{"b":[2]}]}"#)

    #expect(try other.json().member("status").string() == "revised")
  }

  @Test func `are refused beyond their limits, by a code and a place without their names`() throws {
    let deep =
      String(repeating: #"{"secret":"#, count: 17) + "1" + String(repeating: "}", count: 17)
    let reply = try post(#"{"secret":\#(deep)}"#)
    let error = try reply.json().member("error")

    #expect(reply.status == 422)
    #expect(try error.member("code").string() == "too_deep")
    #expect(
      try error.member("path").string()
        == "extras" + String(repeating: "[0]", count: 17))
    #expect(!reply.text.contains("secret"))

    let many = try post("{\"a\":[" + String(repeating: "0,", count: 10_000) + "0]}")
    #expect(try many.json().member("error").member("code").string() == "too_large")
  }
}
