// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A server in a process of its own.
final class ServerChild {
  let port: UInt16
  private let process = Process()
  private let input = Pipe()

  init(_ storage: String) throws {
    let output = Pipe()
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent()
      .appendingPathComponent("IngestServerChild")
    process.arguments = [storage, TestServer.adminToken, "0"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = try #require(UInt16(line.dropFirst("listening ".count).dropLast()))
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
