// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import IngestServer

@Suite struct `Contract` {
  /// What the description says of one operation.
  private struct Operation: Equatable {
    var bodyTypes: [String] = []
    var statuses: Set<Int> = []
  }

  /// The operations of the description by method and path, found by their indentation.
  private func described() throws -> [String: Operation] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Documentation/ingest-api.yaml").standardized
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    var operations: [String: Operation] = [:]
    var (path, name, isBody) = ("", "", false)
    for line in lines.prefix(while: { $0 != "components:" }) {
      let (indentation, key) = (line.prefix { $0 == " " }.count, line.drop { $0 == " " })
      switch indentation {
      case 2: path = String(key.dropLast())
      case 4:
        name = "\(key.dropLast().uppercased()) \(path)"
        if key.hasSuffix(":"), path.hasPrefix("/") { operations[name] = Operation() }
      case 6:
        isBody = key == "requestBody:"
        // The bodies that several operations share are all of one type.
        if key.hasPrefix("requestBody: {$ref") {
          operations[name]?.bodyTypes.append("application/json")
        }
      case 8:
        if let status = Int(key.dropFirst().prefix(3)) {
          operations[name]?.statuses.insert(status)
        }
      case 10:
        if isBody { operations[name]?.bodyTypes.append(String(key.prefix { $0 != ":" })) }
      default: break
      }
    }
    return operations.filter { !$0.key.hasPrefix("PARAMETERS") }
  }

  private let routes = Routes(now: { .now }, isHealthy: { true }).all

  @Test func `describes exactly the routes that the server has`() throws {
    #expect(try Set(described().keys) == Set(routes.map { "\($0.method) \($0.template)" }))
    #expect(routes.count == 29)
  }

  @Test func `describes exactly the bodies that the server accepts`() throws {
    let operations = try described()

    for route in routes {
      let operation = try #require(operations["\(route.method) \(route.template)"])
      #expect(operation.bodyTypes == route.body?.types ?? [], "\(route.method) \(route.template)")
    }
  }

  // MARK: - Statuses

  private struct Request {
    var path: String
    var token: String?
    var type: String?
    var headers: [String] = []
    var body: [UInt8]?
  }

  private func answers(
    _ test: TestServer, _ method: String, _ requests: [Request]
  ) throws -> Set<Int> {
    try Set(
      requests.map { request in
        try test.client.request(
          method, request.path, token: request.token, type: request.type, headers: request.headers,
          bytes: request.body
        ).status
      })
  }

  /// The statuses that the description gives a route, but for that of a server in trouble.
  private func statuses(_ method: String, _ place: String) throws -> Set<Int> {
    let path = "/v1/organizations/{organization}/users/{user}/records/{log_id}" + place
    return try #require(described()["\(method) \(path)"]).statuses.subtracting([503])
  }

  private func variants(_ request: Request) -> [Request] {
    var (nobody, stranger) = (request, request)
    nobody.token = nil
    stranger.token = TestServer.adminToken
    return [request, nobody, stranger]
  }

  @Test func `lists exactly the statuses of the record routes`() throws {
    let test = try TestServer()
    let one = test.records + "/a"
    let good = Request(
      path: one, token: test.alice.token, type: "application/json", body: Array(reading("a").utf8))
    var (update, malformed, large, other, foreign) = (good, good, good, good, good)
    update.headers = ["If-Match: *"]
    malformed.body = [0x7b]
    large.body = Array(repeating: 0x20, count: Route.Body.json.maximum + 1)
    other.type = "text/plain"
    foreign.body = Array(reading("b").utf8)
    let puts = [update] + variants(good) + [good, malformed, large, other, foreign]
    let plain = Request(path: one, token: test.alice.token)

    #expect(try answers(test, "PUT", puts) == statuses("PUT", ""))
    let others = ["/x", "/a?deleted=maybe"].map {
      Request(path: test.records + $0, token: test.alice.token)
    }
    let read = variants(plain) + others
    #expect(try answers(test, "GET", read) == statuses("GET", ""))
    var (misread, late) = (plain, plain)
    misread.headers = ["If-Match: one"]
    late.headers = ["If-Match: \"7\""]
    let deletions = [misread, late] + variants(plain) + [plain]
    #expect(try answers(test, "DELETE", deletions) == statuses("DELETE", ""))
  }

  @Test func `lists exactly the statuses of the image routes`() throws {
    let test = try TestServer()
    _ = try test.post([reading("a")])
    let image = TestImage(1)
    let list = Request(path: test.records + "/a/media", token: test.alice.token)
    let elsewhere = Request(path: test.records + "/x/media", token: test.alice.token)
    let good = Request(
      path: "\(list.path)/\(image.digest)", token: test.alice.token, type: image.type,
      body: image.bytes)
    var (lost, noDigest, large, other, changed) = (good, good, good, good, good)
    lost.path = "\(elsewhere.path)/\(image.digest)"
    noDigest.path = list.path + "/1"
    large.body = Array(repeating: 0, count: Route.Body.image.maximum + 1)
    other.type = "image/gif"
    changed.body = image.bytes + [0]

    let puts = variants(good) + [good, lost, noDigest, large, other, changed]
    #expect(try answers(test, "PUT", puts) == statuses("PUT", "/media/{sha256}"))
    #expect(
      try answers(test, "GET", variants(list) + [elsewhere]) == statuses("GET", "/media"))
    let read = variants(Request(path: good.path, token: test.alice.token))
    let unknown = Request(path: noDigest.path, token: test.alice.token)
    #expect(try answers(test, "GET", read + [unknown]) == statuses("GET", "/media/{sha256}"))
  }
}
