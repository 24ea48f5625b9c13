// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore
import Testing

@testable import santorio

/// Runs an operator's command on the server of a folder, about the organisation "clinic".
struct Operator {
  let folder: URL

  func run(_ words: String...) async throws -> CommandProcess {
    try await run(words)
  }

  func run(_ words: [String]) async throws -> CommandProcess {
    try await CommandProcess(words + ["--organization", "clinic", "--data", folder.path])
  }

  /// Runs a command that must succeed, and reads the object that it prints.
  func json(_ words: String...) async throws -> JSONReader {
    let run = try await run(words + ["--json"])
    #expect(run.status == 0, "\(run.error)")
    return try JSONReader(parsing: Array(run.output.utf8))
  }

  /// Makes a user; returns its id, its token and the token's id.
  func user(_ uid: String, _ options: String...) async throws -> ServedUser {
    let run = try await run(["user", "add", uid, "--json"] + options)
    let user = try JSONReader(parsing: Array(run.output.utf8))
    let token = try user.member("mobile")
    return ServedUser(
      id: try user.member("id").string(), token: try token.member("token").string(),
      tokenID: try token.member("id").string())
  }
}

/// A user of a server that runs in a process of its own.
struct ServedUser {
  let id: String
  let token: String
  let tokenID: String

  /// Sends a request to the server as this user; returns status and code, for instance `401
  /// revoked_token`.
  func ask(
    _ server: ServeProcess, _ method: String, _ path: String = "", body: String? = nil,
    token: String? = nil
  ) async throws -> String {
    let base = server.listeningMessage.dropFirst("live page: ".count).dropLast(2)
    let url = try #require(URL(string: "\(base)/v1/organizations/clinic/users/\(id)\(path)"))
    let answer = try await CurlTransport().send(
      TransportRequest(
        method: method, url: url,
        headers: [
          TransportHeader("Authorization", "Bearer \(token ?? self.token)"),
          TransportHeader("Content-Type", "application/json"),
        ], body: body.map { Array($0.utf8) }))
    let code = try? JSONReader(parsing: answer.body).member("error").member("code").string()
    return code.map { "\(answer.status) \($0)" } ?? "\(answer.status)"
  }

  /// Sends a reading.
  func post(_ logID: String, to server: ServeProcess) async throws -> String {
    try await ask(
      server, "POST", "/records",
      body: #"{"log_id":"\#(logID)","type":"measurement","start_time":"2026-03-04T05:06:07Z","#
        + #""source":{"type":"bluetooth"},"#
        + #""metrics":[{"type":"systolic","unit":"mmHg","value":120}]}"#)
  }
}
