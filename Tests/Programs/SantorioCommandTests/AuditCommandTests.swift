// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@testable import santorio

@Suite(.timeLimit(.minutes(15))) struct `Audit command` {
  private func audit(_ server: ServeProcess, _ words: String...) async throws -> CommandProcess {
    try await CommandProcess(["audit"] + words + ["--data", server.folder.path])
  }

  @Test func `lists lines while the server runs`() async throws {
    let server = try ServeProcess([])
    let admin = Operator(folder: server.folder)
    let (user, other) = (try await admin.user("u"), try await admin.user("v"))
    #expect(try await user.post("a", to: server) == "201")

    let all = try await audit(server, "list")
    let lines = all.output.split(separator: "\n")
    #expect(lines.count == 4, "\(all.output)")
    #expect(lines[0].hasPrefix("LINE  AT  "))
    let row = #/1     \S+Z  operator +local +user.provision  clinic +(\w+)  \{.*\}/#
    #expect(lines[1].wholeMatch(of: row)?.1 == Substring(user.id), "\(all.output)")

    let last = try await audit(server, "list", "--last", "1", "--user", user.id, "--json")
    let line = try JSONReader(parsing: Array(last.output.utf8))
    #expect(try line.member("number").integer() == 3)
    #expect(try line.member("actor").string() == "token \(user.tokenID)")
    #expect(try line.member("detail").member("created").integer() == 1)
    #expect(!all.output.contains(other.token) && !all.output.contains(user.token))
  }

  @Test func `reports a sound log and its last hash`() async throws {
    let server = try ServeProcess([])
    let admin = Operator(folder: server.folder)
    _ = try await admin.user("u")
    let first = try await audit(server, "verify")
    #expect(first.status == 0)
    let noted = try #require(
      first.output.wholeMatch(of: #/sound  1 lines\nnoted  (1:\w{64})\n/#)?.1)
    _ = try await admin.user("v")

    let second = try await audit(server, "verify", "--from", String(noted), "--json")

    #expect(second.status == 0)
    #expect(second.output.hasPrefix(#"{"sound":true,"lines":2,"noted":"2:"#), "\(second.output)")
  }

  @Test func `names the first bad line and fails`() async throws {
    let server = try ServeProcess([])
    _ = try await Operator(folder: server.folder).user("u")
    let other = String(repeating: "0", count: 64)

    let anew = try await audit(server, "verify", "--from", "1:\(other)")
    #expect(anew.status == 1)
    #expect(
      anew.output == "broken  line 1\nreason  the line does not have the hash that was noted\n")
    let cut = try await audit(server, "verify", "--from", "7:\(other)", "--json")
    #expect(cut.status == 1)
    #expect(cut.output == #"{"sound":false,"line":2,"reason":"the line is missing"}"# + "\n")
  }

  // What the server's own log had, an administrator who writes the audit log anew cannot take back.
  @Test func `accepts the hash from the server's log`() async throws {
    let first = try ServeProcess([])
    let admin = Operator(folder: first.folder)
    _ = try await admin.user("u")
    #expect(first.end() == 0)
    let data = first.folder.path
    let second = try await InterruptedProcess(
      ["serve", "--data", data, "--port", "0"], at: .said("audit log noted="))
    let noted = try #require(second.error.firstMatch(of: #/audit log noted=(\S+)/#)?.1)

    #expect(try await audit(first, "verify", "--from", String(noted)).status == 0)
  }
}
