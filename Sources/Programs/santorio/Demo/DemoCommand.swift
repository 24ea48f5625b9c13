// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Command {
  static let demo = Command(
    name: "demo",
    summary: "Watch readings of medical devices arrive on a server, all in one process.",
    forms: ["[--once] [--port PORT] [--data FOLDER]"],
    options: [
      CommandOption(
        "once", help: "End when each device's readings have been uploaded and read back."),
      CommandOption("port", "PORT", help: "Port of the server, 0 for any free one; 8080 if free."),
      CommandOption(
        "data", "FOLDER", help: "Where the records are kept; a temporary folder if not given."),
    ],
    details: """
      Starts a server, a ward of virtual devices on a simulated radio, and a gateway as "santorio hub"
      runs it, which pairs the devices, reads them passively for four patients over Core Bluetooth's
      interface, and uploads the readings. What the devices have measured in the last weeks, and measure
      now, is made up; their frames are those of real devices. One reading of a shared monitor is of
      nobody whom the gateway knows, and one battery is nearly empty. Runs until Ctrl-C; the live page,
      whose address is printed, shows the patients.

      Readings are printed to standard output, one per line, everything else to standard error. With
      --once the last line gives the counts:
      measured: N uploaded: N on server: N held for a decision: 1

      devices:
      \(DemoWard.list)
      """
  ) { arguments in
    guard arguments.operands.isEmpty else {
      throw UsageError("\"demo\" takes options only.", command: "demo")
    }
    let port = try arguments.integer("port", in: 0...65_535)
    return try await withDataFolder(arguments["data"]) { folder in
      let demo = try await Demo(folder: folder, port: port, isOnce: arguments.has("once"))
      let status =
        arguments.has("once") ? try await demo.runOnce() : try await demo.runUntilStopped()
      await demo.stop()
      return status
    }
  }

  /// Calls `body` with the folder named, or with a new one that is removed afterwards.
  private static func withDataFolder<Result: Sendable>(
    _ path: String?, _ body: (URL) async throws -> Result
  ) async throws -> Result {
    if let path { return try await body(try DataFolder.make(path, for: "demo")) }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("santorio-demo-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }
}
