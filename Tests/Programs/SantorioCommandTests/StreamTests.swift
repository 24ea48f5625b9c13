// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct `Standard streams` {
  /// Runs the program with files for its streams; returns its status and what it said.
  private func run(
    _ arguments: [String], input: String = "/dev/null", output: String = "/dev/null"
  ) async throws -> (status: Int32, error: String) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data().write(to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = try CommandProcess.executable
    process.arguments = arguments
    process.environment = CommandProcess.environment
    process.standardInput = FileHandle(
      fileDescriptor: unsafe open(input, O_RDONLY | O_CLOEXEC), closeOnDealloc: true)
    process.standardOutput = FileHandle(
      fileDescriptor: unsafe open(output, O_WRONLY | O_CLOEXEC), closeOnDealloc: true)
    process.standardError = try FileHandle(forWritingTo: folder)
    try await process.runToEnd()
    return (process.terminationStatus, try String(contentsOf: folder, encoding: .utf8))
  }

  @Test(arguments: [
    ["version"], ["help"], ["devices"], ["decode", "2A19", "4B"], ["demo", "--help"],
  ])
  func `fail the command when its output cannot be written`(arguments: [String]) async throws {
    let run = try await run(arguments, output: "/dev/full")
    #expect(run.status == 74)
    #expect(run.error.contains("standard output cannot be written"), "\(run.error)")
  }

  @Test(arguments: [["convert", "--to", "inform"], ["decode", "--jsonl"]])
  func `fail the command when its input cannot be read`(arguments: [String]) async throws {
    let run = try await run(arguments, input: "/")
    #expect(run.status == 1)
    #expect(run.error == "santorio: standard input cannot be read: Is a directory\n")
  }

  @Test func `explain an invalid log variable once`() async throws {
    let run = try await CommandProcess(
      ["version"], environment: ["SANTORIO_LOG": "core, blueteeth"])
    #expect(run.status == 0)
    #expect(
      run.error
        == "santorio: SANTORIO_LOG takes bluetooth, healthkit, ocr, core, all, not \"blueteeth\".\n"
    )
    let right = try await CommandProcess(["version"], environment: ["SANTORIO_LOG": "Core, all"])
    #expect(right.error.isEmpty)
    #expect(try await CommandProcess(["help"]).output.contains("SANTORIO_LOG"))
  }
}
