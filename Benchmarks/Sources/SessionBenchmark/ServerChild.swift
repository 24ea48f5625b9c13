// SPDX-License-Identifier: Apache-2.0

import BenchmarkReport
import Foundation
import HealthRecords
import IngestServer
import SantorioCore

/// This program again, in a process of its own.
enum ChildLines {
  static func start(_ arguments: [String]) throws -> (process: Process, output: FileHandle) {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    process.standardInput = Pipe()
    process.standardOutput = output
    try process.run()
    return (process, output.fileHandleForReading)
  }

  /// Runs a child to its end and returns its lines.
  static func of(_ arguments: [String], line: (String) -> Void) throws -> [String] {
    let (process, output) = try start(arguments)
    var text = ""
    while case let data = output.availableData, !data.isEmpty {
      let new = String(decoding: data, as: UTF8.self)
      new.split(separator: "\n").forEach { line(String($0)) }
      text += new
    }
    process.waitUntilExit()
    return text.split(separator: "\n").map(String.init)
  }
}

/// The ingest server in a process of its own.
final class ServerChild {
  static let adminToken = "the-administrator"

  private let folder: TemporaryFolder
  private let process: Process
  private var users = 0
  let endpoint: URL

  struct NotStarted: Error {}

  init() throws {
    folder = try TemporaryFolder()
    let (process, output) = try ChildLines.start(["serve", folder.url.path])
    self.process = process
    let line = String(decoding: output.availableData, as: UTF8.self)
    guard let port = UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines)),
      let endpoint = URL(string: "http://127.0.0.1:\(port)")
    else { throw NotStarted() }
    self.endpoint = endpoint
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// The child: serves until it is ended.
  static func serve(_ folder: URL) throws {
    let server = try IngestServer(
      configuration: .init(storagePath: folder.path + "/store.sqlite", adminToken: adminToken))
    print(server.port)
    fflush(nil)
    while readLine() != nil {}
    server.stop()
  }

  /// A user of which the server has no records.
  func makeUser() async throws -> SantorioUser {
    struct Answer: Decodable {
      struct Mobile: Decodable { let token: String }
      let id: String
      let mobile: Mobile
    }
    users += 1
    let request = TransportRequest(
      method: "POST", url: endpoint.appendingPathComponent("v1/organizations/acme/users"),
      headers: [
        TransportHeader("Authorization", "Bearer \(Self.adminToken)"),
        TransportHeader("Content-Type", "application/json"),
      ],
      body: Array(#"{"uid":"user-\#(users)"}"#.utf8))
    let response = try await CurlTransport().send(request)
    let answer = try JSONDecoder().decode(Answer.self, from: Data(response.body))
    return SantorioUser(
      userID: answer.id, organizationID: "acme", accessToken: answer.mobile.token)
  }
}
