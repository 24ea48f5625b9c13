// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A server in a process of its own.
final class ServerChild {
  let port: UInt16
  private let process = Process()
  private let input = Pipe.make()

  init(_ storage: String) throws {
    let output = Pipe.make()
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    // AddressSanitizer keeps what was freed, up to 256 MiB, which is no memory of the server's.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=1"]) { $1 }
    process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent()
      .appendingPathComponent("IngestServerChild")
    process.arguments = [storage, TestServer.adminToken, "0"]
    process.standardInput = input
    process.standardOutput = output
    try process.start()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = try #require(UInt16(line.dropFirst("listening ".count).dropLast()))
  }

  /// The most memory that the process has had (`VmHWM`), in bytes.
  func peakBytes() throws -> Int {
    let status = try String(
      contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.split(separator: " ")[1])) * 1024
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
