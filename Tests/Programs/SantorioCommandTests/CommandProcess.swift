// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// One run of the program that was built beside the tests.
struct CommandProcess {
  let status: Int32
  let output: String
  /// The output as it is: reading it as text removes a byte order mark.
  let outputBytes: Data
  let error: String

  /// The program.
  static var executable: URL {
    get throws {
      let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return URL(fileURLWithPath: tests).deletingLastPathComponent()
        .appendingPathComponent("santorio")
    }
  }

  /// The variables of this process; the program need not free what it holds when it ends.
  static var environment: [String: String] {
    ProcessInfo.processInfo.environment.merging(["ASAN_OPTIONS": "detect_leaks=0"]) { $1 }
  }

  /// Runs the program to its end, with variables beside those of this process.
  init(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) async throws {
    let process = Process()
    process.environment = Self.environment.merging(environment) { $1 }
    process.executableURL = try Self.executable
    process.arguments = arguments
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Files and not pipes: a full pipe would block the program.
    let files = try ["in", "out", "err"].map { name in
      let file = folder.appendingPathComponent(name)
      try Data(name == "in" ? input.utf8 : "".utf8).write(to: file)
      return file
    }
    let handles = [
      try FileHandle(forReadingFrom: files[0]), try FileHandle(forWritingTo: files[1]),
      try FileHandle(forWritingTo: files[2]),
    ]
    // Processes live on (Foundation of Swift 6.3 on Linux), and would keep them open.
    defer { for handle in handles { try? handle.close() } }
    process.standardInput = handles[0]
    process.standardOutput = handles[1]
    process.standardError = handles[2]
    try await process.runToEnd()
    status = process.terminationStatus
    output = try String(contentsOf: files[1], encoding: .utf8)
    outputBytes = try Data(contentsOf: files[1])
    error = try String(contentsOf: files[2], encoding: .utf8)
  }
}

extension Process {
  /// Starts the process and waits for its end, without occupying a thread.
  func runToEnd(_ whileRunning: () throws -> Void = {}) async throws {
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    terminationHandler = { _ in continuation.yield() }
    try start()
    try whileRunning()
    for await _ in ends { return }
  }
}
