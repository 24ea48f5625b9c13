// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import santorio

/// The unit of the server's guide, against the program that it starts.
@Suite(.timeLimit(.minutes(15))) struct `Server unit` {
  private static let root = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../Examples/Server").standardized

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
  }

  /// The values of `KEY=VALUE` lines.
  private static func values(_ name: String) throws -> [String: [String]] {
    var values: [String: [String]] = [:]
    for line in try text(name).split(separator: "\n") where !line.hasPrefix("#") {
      guard let equals = line.firstIndex(of: "=") else { continue }
      values[String(line[..<equals]), default: []].append(String(line[equals...].dropFirst()))
    }
    return values
  }

  @Test func `starts a valid command, behind a proxy and without one`() throws {
    let unit = try Self.values("santorio-server.service")
    let command = try #require(unit["ExecStart"]?.first)
    let settings = try Self.text("server.conf").split(separator: "\n")
      .compactMap { $0.firstMatch(of: #/^#?LISTEN=(.*)$/#)?.1 }
    #expect(settings.count == 2)
    for listen in settings {
      let words = command.replacingOccurrences(of: "$LISTEN", with: listen)
        .split(separator: " ").map(String.init)
      #expect(words.prefix(2) == ["/usr/local/bin/santorio", "serve"])
      let arguments = try Arguments(parsing: Array(words.dropFirst(2)), for: .serve)
      let options = try ServeOptions(arguments)
      #expect(arguments["data"] == "%S/santorio-server" && arguments.operands.isEmpty)
      #expect(options.exposed.isEmpty && options.isBehindProxy == (options.certificate == nil))
    }
  }

  @Test func `has no privileges, no core dumps, and passes the token as a credential`()
    throws
  {
    let unit = try Self.values("santorio-server.service")
    let expected = [
      "User": "santorio-server", "StateDirectory": "santorio-server", "StateDirectoryMode": "0700",
      "CapabilityBoundingSet": "", "NoNewPrivileges": "yes", "ProtectSystem": "strict",
      "LimitCORE": "0", "MemoryMax": "512M", "KillSignal": "SIGTERM",
      "ExecReload": "/bin/kill -HUP $MAINPID",
      "RestartPreventExitStatus": String(Santorio.usageStatus),
      "LoadCredential": "\(AdminToken.credential):/etc/santorio/admin-token",
    ]
    for (key, value) in expected { #expect(unit[key] == [value], "\(key)") }
  }

  /// Runs `systemd-analyze` on the unit, with this program for the one that is installed.
  private func analyze(_ words: String...) async throws -> (status: Int32, text: String) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let unit = folder.appendingPathComponent("santorio-server.service")
    let program = try CommandProcess.executable.path
    try Self.text(unit.lastPathComponent)
      .replacingOccurrences(of: "/usr/local/bin/santorio", with: program)
      .write(to: unit, atomically: true, encoding: .utf8)
    let said = folder.appendingPathComponent("said")
    try Data().write(to: said)
    let output = try FileHandle(forWritingTo: said)
    defer { try? output.close() }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.systemd)
    process.arguments = words + [unit.path]
    process.standardOutput = output
    process.standardError = output
    try await process.runToEnd()
    return (process.terminationStatus, try String(contentsOf: said, encoding: .utf8))
  }

  private static let systemd = "/usr/bin/systemd-analyze"
  private static let hasSystemd = FileManager.default.isExecutableFile(atPath: systemd)

  @Test(.enabled(if: hasSystemd)) func `is understood by systemd`() async throws {
    let verdict = try await analyze("verify", "--man=no", "--recursive-errors=no")
    #expect(verdict.status == 0 && verdict.text.isEmpty, "\(verdict.text)")
  }

  // Ubuntu 22.04 has systemd 249, which judges units of the running system only.
  @Test(.enabled(if: hasSystemd)) func `has a low exposure score`() async throws {
    let verdict = try await analyze("security", "--offline=true", "--threshold=20")
    #expect(verdict.status == 0 || verdict.text.contains("unrecognized option"), "\(verdict.text)")
  }
}
