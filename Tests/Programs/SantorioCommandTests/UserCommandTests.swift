// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@testable import IngestServer
@testable import santorio

@Suite(.timeLimit(.minutes(15))) struct `User command` {
  @Test func `creates users through the server's socket without a token`() async throws {
    let server = try ServeProcess([])
    let admin = Operator(folder: server.folder)

    let gateway = try await admin.user("bed-12", "--scope", "write", "--label", "ward 3")
    #expect(try await gateway.post("a", to: server) == "201")
    #expect(try await gateway.ask(server, "GET", "/records") == "403 missing_scope")

    let list = try await admin.run("user", "list")
    #expect(list.status == 0)
    let line = #/USER +CREATED +UID\n(\w+)  [0-9T:.Z-]+  bed-12\n/#
    #expect(list.output.wholeMatch(of: line)?.1 == Substring(gateway.id), "\(list.output)")
    let shown = try await admin.run("user", "show", gateway.id)
    #expect(shown.output.contains("uid      bed-12\nrecords  1\n"), "\(shown.output)")
    #expect(shown.output.contains("\(gateway.tokenID)  live   write"), "\(shown.output)")
    #expect(shown.output.contains(" -        ward 3\n"), "\(shown.output)")
    #expect(try await admin.json("user", "show", gateway.id).member("records").integer() == 1)
    #expect(server.end() == 0)
  }

  @Test func `prints a new token with its terms`() async throws {
    let server = try ServeProcess([])

    let added = try await Operator(folder: server.folder)
      .run("user", "add", "bed-12", "--scope", "read,write", "--days", "30")

    let text =
      #/user      \w{32}\nuid       bed-12\ntoken     \w{64}\ntoken id  \w{16}\nscopes    write,read\nexpires   2\d{3}-\S+Z\n/#
    #expect(added.output.wholeMatch(of: text) != nil, "\(added.output)")
  }

  @Test func `works on the folder as the operator when no server runs`() async throws {
    let server = try ServeProcess([])
    let admin = Operator(folder: server.folder)
    #expect(server.end() == 0)

    let user = try await admin.user("bed-12")
    let shown = try await admin.json("user", "show", user.id)

    #expect(try shown.member("uid").string() == "bed-12")
    let log = try AuditLog(storage: server.folder.path + "/records.sqlite")
    let line = try #require(try log.last(1).first)
    #expect([line.actor, line.address, line.action] == ["operator", "local", "user.provision"])
    let names = try FileManager.default.contentsOfDirectory(atPath: server.folder.path)
    #expect(!names.contains("server.sock"))
  }

  @Test func `requires the administrator's token for a remote server`() async throws {
    let server = try ServeProcess([])
    let address = String(server.listeningMessage.dropFirst("live page: ".count).dropLast())
    let file = server.folder.path + "/admin-token"
    let words = ["user", "add", "u", "--organization", "clinic", "--server", address]

    let good = try await CommandProcess(words + ["--token-file", file])
    #expect(good.status == 0, "\(good.error)")
    let token = try String(contentsOfFile: file, encoding: .utf8).trimmed
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let variable = try await CommandProcess(words, environment: ["SANTORIO_ADMIN_TOKEN": token])
    #expect(variable.status == 0, "\(variable.error)")

    let wrong = try await CommandProcess(
      words, environment: ["SANTORIO_ADMIN_TOKEN": "of-another-server"])
    #expect(wrong.status == 1)
    #expect(wrong.error.contains("the server answers 401 unknown_token"), "\(wrong.error)")
    #expect(unsafe chmod(file, 0o640) == 0)
    let open = try await CommandProcess(words + ["--token-file", file])
    #expect(open.status == 1)
    #expect(open.error.contains("others may read the administrator's token"), "\(open.error)")
    #expect(server.end() == 0)
    #expect(unsafe chmod(file, 0o600) == 0)
    let gone = try await CommandProcess(words + ["--token-file", file])
    #expect(gone.error.contains("the request to the server failed: unreachable"), "\(gone.error)")
  }

  // What root made in the folder the server could not write afterwards.
  @Test(.enabled(if: geteuid() == 0))
  func `refuses another user's folder when no server runs`() async throws {
    let server = try ServeProcess([])
    #expect(server.end() == 0)
    let storage = server.folder.path + "/records.sqlite"
    #expect(unsafe chown(storage, 65_534, 65_534) == 0)
    let before = try FileManager.default.contentsOfDirectory(atPath: server.folder.path)

    let run = try await Operator(folder: server.folder).run("user", "list")

    #expect(run.status == 1)
    #expect(run.error.contains("belongs to user nobody"), "\(run.error)")
    let after = try FileManager.default.contentsOfDirectory(atPath: server.folder.path)
    #expect(Set(after) == Set(before))
  }

  @Test func `reports a folder that is not a server's`() async throws {
    let run = try await Operator(folder: FileManager.default.temporaryDirectory)
      .run("user", "list")

    #expect(run.status == 1)
    #expect(run.error.contains("is not a server's folder"), "\(run.error)")
  }

  @Test func `rotates and revokes tokens`() async throws {
    let server = try ServeProcess([])
    let admin = Operator(folder: server.folder)
    let user = try await admin.user("u")

    let next = try await admin.json("user", "rotate", user.id, user.tokenID, "--overlap", "0")
    let token = try next.member("token").string()
    #expect(try await user.ask(server, "GET") == "401 revoked_token")
    #expect(try await user.ask(server, "GET", token: token) == "200")
    let more = try await admin.json("user", "token", user.id, "--days", "1")
    let id = try more.member("id").string()
    #expect(try await admin.run("user", "revoke", user.id, id).status == 0)
    let third = try more.member("token").string()
    #expect(try await user.ask(server, "GET", token: third) == "401 revoked_token")
    #expect(try await admin.run("user", "revoke", user.id, "--all").error == "revoked all tokens\n")
    #expect(try await user.ask(server, "GET", token: token) == "401 revoked_token")

    let unknown = try await admin.run("user", "revoke", user.id, "0")
    #expect(unknown.status == 1)
    #expect(unknown.error.contains("404 unknown_token_id"), "\(unknown.error)")
  }

  @Test func `shows rejected items and wipes them`() async throws {
    let server = try ServeProcess([])
    let admin = Operator(folder: server.folder)
    let user = try await admin.user("u")
    #expect(try await user.ask(server, "POST", "/records", body: "{}") == "422 missing")

    let shown = try await admin.run("user", "rejections", user.id)
    #expect(shown.output.contains("  2      missing at metrics: "), "\(shown.output)")
    let body = try await admin.json("user", "rejections", user.id).member("body").string()
    #expect(body == "{}")
    #expect(try await admin.run("user", "rejections", user.id, "--wipe").status == 0)
    #expect(try await admin.json("user", "rejections", user.id).optional("body") == nil)
  }

  @Test func `exports a user to a private file`() async throws {
    let server = try ServeProcess([])
    let admin = Operator(folder: server.folder)
    let user = try await admin.user("u")
    #expect(try await user.post("a", to: server) == "201")
    let file = server.folder.path + "/export.ndjson"

    let export = try await admin.run("user", "export", user.id, file)

    #expect(export.status == 0, "\(export.error)")
    let facts = try FileManager.default.attributesOfItem(atPath: file)
    #expect(facts[.posixPermissions] as? Int == 0o600)
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.first?.contains(#""uid":"u""#) == true)
    #expect(lines.last == "{\"end\":{\"lines\":\(lines.count - 1)}}")
    #expect(export.error == "\(lines.count) lines written to \(file)\n")

    let again = try await admin.run("user", "export", user.id, file)
    #expect(again.status == 1 && again.error.contains("already exists"), "\(again.error)")
    let unknown = try await admin.run("user", "export", "nobody", file + "2")
    #expect(unknown.error.contains("404 unknown_user"), "\(unknown.error)")
    let names = try FileManager.default.contentsOfDirectory(atPath: server.folder.path)
    #expect(names.filter { $0.hasPrefix("export") } == ["export.ndjson"])
  }

  @Test func `erases a user after confirmation and reports what was removed`() async throws {
    let server = try ServeProcess([])
    let admin = Operator(folder: server.folder)
    let user = try await admin.user("bed-12")
    #expect(try await user.post("a", to: server) == "201")

    let asked = try await admin.run("user", "erase", user.id)
    #expect(asked.status == 64)
    #expect(asked.error.contains("\"erase\" cannot be undone; confirm it with --yes."))
    #expect(try await user.ask(server, "GET") == "200")
    let erased = try await admin.run("user", "erase", user.id, "--yes")
    #expect(erased.status == 0)
    #expect(
      erased.error
        == "erased user \(user.id), \"bed-12\": 1 record with all images, 1 token, and what was refused\n"
    )
    #expect(try await user.ask(server, "GET") == "401 revoked_token")
    let again = try await admin.run("user", "erase", user.id, "--yes")
    #expect(again.status == 1 && again.error.contains("404 unknown_user"), "\(again.error)")
  }

  @Test func `has a form for each route of administrators`() throws {
    let user = "/v1/organizations/{organization}/users/{user}"
    let administrators = "/v1/organizations/{organization}/administrators"
    let forms = [
      "GET \(administrators)": "administrator list",
      "POST \(administrators)": "administrator token",
      "DELETE \(administrators)/{token}": "administrator revoke",
      "POST \(administrators)/{token}/rotation": "administrator rotate",
      "GET /v1/organizations/{organization}/users": "user list",
      "POST /v1/organizations/{organization}/users": "user add",
      "GET \(user)": "user show", "DELETE \(user)": "user erase",
      "GET \(user)/export": "user export", "GET \(user)/tokens": "user show",
      "POST \(user)/tokens": "user token", "DELETE \(user)/tokens": "user revoke",
      "DELETE \(user)/tokens/{token}": "user revoke",
      "POST \(user)/tokens/{token}/rotation": "user rotate",
      "GET \(user)/rejections": "user rejections", "DELETE \(user)/rejections": "user rejections",
    ]
    let routes = Routes(now: { .now }, isHealthy: { true }).all.filter(
      \.access.admitsAdministrators
    )
    .map { "\($0.method) \($0.template)" }

    // The events are what the live page shows.
    #expect(Set(routes) == Set(forms.keys).union(["GET /v1/events"]))
    for form in forms.values {
      let words = form.split(separator: " ").map(String.init)
      let command = try #require(Command.all.first { $0.name == words[0] })
      #expect(command.forms.contains { $0.hasPrefix(words[1] + " ") }, "\(form)")
    }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Administrator command` {
  @Test func `creates, rotates and revokes tokens of an organisation's administrators`()
    async throws
  {
    let server = try ServeProcess([])
    let admin = Operator(folder: server.folder)
    let user = try await admin.user("u")
    let first = try await admin.json("administrator", "token", "--label", "night shift")
    let id = try first.member("id").string()
    let token = try first.member("token").string()
    #expect(try await user.ask(server, "GET", "/tokens", token: token) == "200")

    let second = try await admin.json("administrator", "rotate", id, "--overlap", "0")
    let next = try second.member("id").string()
    #expect(try await user.ask(server, "GET", "/tokens", token: token) == "401 revoked_token")
    #expect(try await admin.run("administrator", "revoke", next).error == "revoked \(next)\n")

    let list = try await admin.run("administrator", "list")
    #expect(
      list.output.matches(of: #/\w{16}  revoked  .*  night shift\n/#).count == 2, "\(list.output)")
  }
}

@Suite struct `Export file` {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent(UUID().uuidString)

  private func export(_ parts: [String]) throws -> (lines: Int?, names: [String]) {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var file: ExportFile? = try ExportFile(path: folder.path + "/export")
    for part in parts { try file?.take(Array(part.utf8)) }
    let lines = try? file?.finish()
    file = nil
    return (lines, try FileManager.default.contentsOfDirectory(atPath: folder.path))
  }

  @Test func `appears when its last line marks it as complete`() throws {
    let long = String(repeating: "x", count: 1_000)
    let (lines, names) = try export(
      [#"{"user":{}}"#, "\n", "{\"revision\":\"\(long)", "\"}\n{\"end\":{\"li", "nes\":2}}\n"])
    #expect(lines == 3 && names == ["export"])
  }

  @Test(
    arguments: [
      [], ["{\"user\":{}}\n"], ["{\"end\":{\"lines\":0}}"], ["{\"end\":{\"lines\":1}}\n"],
      ["{\"user\":{}}\n{\"end\":{\"lines\":1}}\nx"],
    ])
  func `does not appear when it is incomplete`(parts: [String]) throws {
    let (lines, names) = try export(parts)
    #expect(lines == nil && names.isEmpty)
  }
}
