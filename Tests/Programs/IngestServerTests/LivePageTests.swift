// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@testable import IngestServer
import SantorioCryptography

@Suite struct `Live page` {
  private let reply: SocketClient.Reply

  init() throws { reply = try TestServer().client.request("GET", "/") }

  @Test func `is confined to its own style, its own script and its own server`() throws {
    #expect(reply.status == 200)
    #expect(reply.headers["content-type"] == "text/html; charset=utf-8")
    #expect(reply.headers["x-content-type-options"] == "nosniff")
    #expect(reply.headers["cache-control"] == "no-store")
    #expect(reply.headers["referrer-policy"] == "no-referrer")
    let policy = try #require(reply.headers["content-security-policy"])
    #expect(policy.hasPrefix("default-src 'none'; connect-src 'self'; "))
    #expect(!policy.contains("unsafe"))
  }

  @Test(arguments: [("style", "<style>"), ("script", "<script>")])
  func `contains exactly the script that its policy allows`(kind: String, tag: String) throws {
    let text = try #require(reply.text.components(separatedBy: tag).last)
    let content = try #require(text.components(separatedBy: "</\(kind)>").first)

    let digest = Data(SHA256Digest.bytes(Array(content.utf8))).base64EncodedString()

    #expect(
      reply.headers["content-security-policy"]?.contains("\(kind)-src 'sha256-\(digest)'") == true)
  }

  /// A browser runs nothing of a script in which a constant is declared twice.
  @Test func `declares each name of its script once`() throws {
    let script = try #require(reply.text.components(separatedBy: "<script>").last)
    let lines = script.components(separatedBy: "\n").filter {
      $0.hasPrefix("const ") || $0.hasPrefix("let ") || $0.hasPrefix("function ")
        || $0.hasPrefix("async function ")
    }
    let names = lines.flatMap { line in
      line.matches(of: /(?:const|let|function|,) (\w+)(?: =|\()/).map { String($0.1) }
    }

    #expect(names.count > 30)
    #expect(Set(names).count == names.count, "\(names)")
  }

  @Test func `knows the names of all metrics`() throws {
    let text = try #require(reply.text.components(separatedBy: #"id="metrics">"#).last)
    let json = try #require(text.components(separatedBy: "</script>").first)
    let names = try JSONReader(parsing: Array(json.utf8))

    #expect(try names.member("systolic").string() == "Systolic blood pressure")
    for row in MetricTable.rows {
      #expect(try names.member(row.type.rawValue).string() == row.displayName)
    }
  }

  @Test func `knows what may be found about a device`() throws {
    let text = try #require(reply.text.components(separatedBy: #"id="statuses">"#).last)
    let json = try #require(text.components(separatedBy: "</script>").first)
    let statuses = try JSONReader(parsing: Array(json.utf8))

    for finding in DeviceStatusFinding.allCases {
      let status = try statuses.member(finding.rawValue)
      #expect(try status.member("text").string() == finding.displayName)
      #expect(try status.optionalString("ended") == finding.ended?.rawValue)
    }
  }

  @Test func `has each element that its script asks for`() throws {
    let markup = try #require(reply.text.components(separatedBy: "<script>").first)
    let asked = Set(reply.text.matches(of: /byId\('([\w-]+)'\)/).map { String($0.1) })

    #expect(asked.count > 15)
    for id in asked { #expect(markup.contains(#"id="\#(id)""#), "\(id)") }
  }

  @Test func `has a heading for each part and a label for each field`() throws {
    #expect(reply.text.contains(#"<section id="patients" aria-labelledby="patients-title">"#))
    #expect(reply.text.contains(#"<h2 id="patients-title">"#))
    #expect(reply.text.contains(#"<h2 id="arrivals-title">"#))
    for field in reply.text.matches(of: /<(?:input|select) id="(\w+)"/) {
      let id = String(field.1)
      let label = try Regex("for=\"\(id)\"|<label>[^<]*<\\w+ id=\"\(id)\"")
      #expect(reply.text.contains(label), "\(id)")
    }
  }

  @Test(arguments: [
    "innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "http://", "https://", "style=",
  ])
  func `never turns data into markup nor loads from another host`(text: String) {
    #expect(!reply.text.contains(text))
  }
}
