// SPDX-License-Identifier: Apache-2.0

import Foundation
import IngestServer

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
    let server = try IngestServer(
      configuration: .init(
        storagePath: folder.appendingPathComponent("records.sqlite").path, address: address,
        port: UInt16(port), adminToken: try AdminToken.load(in: folder),
        log: { printError("\(Date().formatted(.iso8601)) \($0)") }))
    let stop = await StopSignal()
    print("live page: http://\(address):\(server.port)/")
    await stop.wait()
    server.stop()
    return 0
  }
}

/// The administrator's token of a server.
enum AdminToken {
  /// The token of the environment, or the one kept in the folder, which is made if it is not there.
  static func load(in folder: URL) throws -> String {
    if let token = ProcessInfo.processInfo.environment["SANTORIO_ADMIN_TOKEN"] { return token }
    let file = folder.appendingPathComponent("admin-token")
    if let token = try? String(contentsOf: file, encoding: .utf8) {
      return token.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let token = (0..<32).map { _ in String(UInt8.random(in: .min ... .max), radix: 16) }
      .map { $0.count == 1 ? "0" + $0 : $0 }.joined()
    _ = FileManager.default.createFile(
      atPath: file.path, contents: Data((token + "\n").utf8),
      attributes: [.posixPermissions: 0o600])
    printError("The administrator's token was made and written to \(file.path).")
    return token
  }
}
