// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A run of the program that gets Ctrl-C once it has said something on standard error.
struct InterruptedProcess {
  let status: Int32
  let output: String
  private(set) var error = ""

  init(_ arguments: [String], at words: String) async throws {
    let process = Process()
    process.executableURL = try CommandProcess.executable
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    var said = ""
    try await process.runToEnd {
      while !said.contains(words), case let more = errors.fileHandleForReading.availableData,
        !more.isEmpty
      {
        said += String(decoding: more, as: UTF8.self)
      }
      process.interrupt()
    }
    said += String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    status = process.terminationStatus
    self.output = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    error = said
  }
}
