// SPDX-License-Identifier: Apache-2.0

import Foundation
import IngestServer
import SantorioCore

extension Command {
  static let serve = Command(
    name: "serve",
    summary: "Run the server that receives and keeps records.",
    forms: ["[--data FOLDER] [--address ADDRESS] [--port PORT]"],
    options: [
      CommandOption("data", "FOLDER", help: "Where records are kept; ./data if not given."),
      CommandOption(
        "address", "ADDRESS", help: "IPv4 address to listen on; 127.0.0.1 if not given."),
      CommandOption(
        "port", "PORT", help: "Port to listen on, 0 for any free one; 8080 if not given."),
    ],
    details: """
      The administrator's token provisions users and opens the live page. It is taken from the
      environment variable SANTORIO_ADMIN_TOKEN; without it one is made at the first start and kept
      in FOLDER/admin-token, readable by its owner only. The server speaks HTTP: beyond one machine,
      put a proxy with TLS before it. It runs until Ctrl-C or SIGTERM; what it has acknowledged
      survives any end.
      """
  ) { arguments in
    guard arguments.operands.isEmpty else {
      throw UsageError("«serve» takes options only.", command: "serve")
    }
    let port = try arguments.integer("port", in: 0...65_535) ?? 8080
    let folder = try DataFolder.make(arguments["data"] ?? "data", for: "serve")
    let address = arguments["address"] ?? "127.0.0.1"
    let token = try AdminToken.load(in: folder)
    let server = try IngestServer(
      configuration: .init(
        storagePath: folder.appendingPathComponent("records.sqlite").path, address: address,
        port: UInt16(port), adminToken: token,
        log: { printError("\(Date().formatted(.iso8601)) \($0)") }))
    if token == nil { try AdminToken.keep(server.adminToken, in: folder) }
    let stop = await StopSignal()
    print("live page: http://\(address):\(server.port)/")
    await stop.wait()
    server.stop()
    return 0
  }
}

/// The administrator's token of a server, kept beside its records.
enum AdminToken {
  private static func file(in folder: URL) -> URL { folder.appendingPathComponent("admin-token") }

  /// The token of the environment, or the one kept in the folder; nil at the first start.
  ///
  /// - Throws: ``CommandError`` when there is one that cannot be read, or that others may read.
  static func load(in folder: URL) throws(CommandError) -> String? {
    if let token = ProcessInfo.processInfo.environment["SANTORIO_ADMIN_TOKEN"], !token.isEmpty {
      return token
    }
    let path = file(in: folder).path
    do throws(SessionError) {
      let octets = try CredentialFiles.read(path, refusing: 0o077)
      let token = String(decoding: octets, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      if !token.isEmpty { return token }
    } catch {
      if error.code == .credentialsMissing { return nil }
      if error.code == .credentialsExposed {
        throw CommandError(
          "others may read the administrator's token; do: chmod 600 \(path)\nWho has seen it can "
            + "provision users: to have a new one made, remove the file.")
      }
    }
    throw CommandError(
      "the administrator's token in \(path) cannot be read, or is empty; run as its owner, or remove "
        + "the file to have a new one made.")
  }

  /// Keeps the token that the server made, readable by its owner only.
  static func keep(_ token: String, in folder: URL) throws(UsageError) {
    let path = file(in: folder).path
    let isWritten = FileManager.default.createFile(
      atPath: path, contents: Data((token + "\n").utf8), attributes: [.posixPermissions: 0o600])
    guard isWritten else {
      throw UsageError("The administrator's token cannot be written to \(path).", command: "serve")
    }
    printError("The administrator's token was made and written to \(path).")
  }
}
