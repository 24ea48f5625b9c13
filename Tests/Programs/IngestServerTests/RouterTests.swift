// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import IngestServer

@Suite struct `Request header` {
  @Test(
    arguments: [
      ("/a/b", ["a", "b"]), ("/", [""]), ("/a%2Fb/c", ["a/b", "c"]), ("/%C3%A4", ["ä"]),
      ("//a/", ["", "a", ""]), ("/%00", ["\0"]),
    ])
  func `splits a path before unescaping it`(path: String, segments: [String]) {
    #expect(RequestHead(method: "GET", path: path).segments == segments)
  }

  @Test(arguments: ["/%", "/%4", "/%zz", "/%FF", "/%+1", "a"])
  func `rejects a path with an invalid escape`(path: String) {
    #expect(RequestHead(method: "GET", path: path).segments == nil)
  }

  @Test(
    arguments: [
      ("Bearer abc", "abc"), ("bearer abc", "abc"), ("Bearer  abc ", "abc"), ("Basic abc", nil),
      ("Bearer", nil), ("Bearer a b", nil), ("", nil),
    ])
  func `finds the bearer token`(header: String, token: String?) {
    var head = RequestHead(method: "GET", path: "/")
    head.authorization = header

    #expect(head.bearerToken == token)
  }

  @Test func `finds the media type without its parameters`() {
    var head = RequestHead(method: "POST", path: "/")
    head.contentType = "Application/JSON; charset=utf-8"

    #expect(head.mediaType == "application/json")
  }
}

@Suite struct `Route table` {
  private let router = Router(
    routes: Routes(now: { .now }, isHealthy: { true }).all)

  private func find(_ method: String, _ path: String) -> String {
    let segments = RequestHead(method: method, path: path).segments ?? []
    return switch router.find(method, segments) {
    case .route(let route, let parameters):
      "\(route.template) \(parameters.sorted { $0.key < $1.key }.map(\.value))"
    case .otherMethods(let methods): methods.joined(separator: " ")
    case .nothing: "nothing"
    }
  }

  @Test func `finds routes and the values of their parameters`() {
    #expect(find("GET", "/") == "/ []")
    #expect(
      find("POST", "/v1/organizations/acme/users") == "/v1/organizations/{organization}/users "
        + #"["acme"]"#)
    #expect(
      find("GET", "/v1/organizations/acme/users/7/records/a%2Fb")
        == "/v1/organizations/{organization}/users/{user}/records/{log_id} "
        + #"["a/b", "acme", "7"]"#)
    #expect(
      find("HEAD", "/v1/organizations/acme/users/7")
        == #"/v1/organizations/{organization}/users/{user} ["acme", "7"]"#)
  }

  @Test func `names the methods of an existing path`() {
    #expect(find("DELETE", "/healthz") == "GET HEAD")
    #expect(find("PUT", "/v1/organizations/acme/users") == "GET HEAD POST")
    #expect(find("PUT", "/v1/organizations/acme/users/7/records") == "GET HEAD POST")
  }

  @Test(arguments: ["/v1", "/healthz/", "/v1/organizations//users", "/v2/events"])
  func `finds nothing for unknown paths`(path: String) {
    #expect(find("GET", path) == "nothing")
  }
}

@Suite struct `Access token` {
  @Test func `has 256 random bits and a digest`() throws {
    let token = try AccessToken.random()

    #expect(token.text.count == 64)
    #expect(try AccessToken.random().text != token.text)
    #expect(token.digest == AccessToken.digest(of: token.text))
    #expect(
      AccessToken.digest(of: "abc").prefix(4) == [0xba, 0x78, 0x16, 0xbf])
  }

  @Test func `is compared as a whole`() {
    #expect(AccessToken.equal([1, 2, 3], [1, 2, 3]))
    #expect(!AccessToken.equal([1, 2, 3], [1, 2, 4]))
    #expect(!AccessToken.equal([1, 2, 3], [1, 2]))
    #expect(!AccessToken.equal([], [1]))
  }
}
