// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore
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

  @Test(arguments: [">&-", "2>&-", ">&- 2>&- <&-"])
  func `never end up in a file of the queue when they are closed`(closed: String) async throws {
    let queue = QueueFixture()
    defer { try? FileManager.default.removeItem(at: queue.folder) }
    let session = try queue.session()
    try await session.start(queue.alice)
    try await session.submit(queue.record("a"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "exec \"$0\" queue export --data \"$1\" \(closed)",
      try CommandProcess.executable.path, queue.folder.path,
    ]
    process.environment = CommandProcess.environment.merging(["SANTORIO_LOG": "all"]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try await process.runToEnd()

    #expect(process.terminationStatus == (closed.hasPrefix(">") ? 74 : 0))
    let files = FileManager.default.enumerator(atPath: queue.folder.path)?.allObjects ?? []
    for name in files.compactMap({ $0 as? String }) {
      let path = queue.folder.appendingPathComponent(name).path
      let bytes = FileManager.default.contents(atPath: path) ?? Data()
      for text in ["systolic", "Santorio"] {
        #expect(bytes.range(of: Data(text.utf8)) == nil, "\(name)")
      }
    }
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
