// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A run of the program that gets Ctrl-C at its cue.
struct InterruptedProcess {
  /// What is waited for.
  enum Cue {
    /// Words on standard error.
    case said(String)
    /// Whole lines on standard output.
    case printed(lines: Int)
  }

  let status: Int32
  let output: String
  let error: String

  init(_ arguments: [String], at cue: Cue) async throws {
    let process = Process()
    process.executableURL = try CommandProcess.executable
    process.arguments = arguments
    process.environment = CommandProcess.environment
    var (output, errors) = (Listener(), Listener())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output.pipe
    process.standardError = errors.pipe
    try await process.runToEnd {
      switch cue {
      case .said(let words): errors.listen { $0.contains(words) }
      case .printed(let lines): output.listen { $0.count(where: \.isNewline) >= lines }
      }
      process.interrupt()
    }
    status = process.terminationStatus
    output.listen { _ in false }
    errors.listen { _ in false }
    (self.output, error) = (output.text, errors.text)
  }
}

/// Keeps what comes through a pipe.
private struct Listener {
  let pipe = Pipe.make()
  private var bytes = Data()

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Waits until enough came, or all.
  mutating func listen(until isEnough: (String) -> Bool) {
    while !isEnough(text), case let more = pipe.fileHandleForReading.availableData, !more.isEmpty {
      bytes += more
    }
  }
}
