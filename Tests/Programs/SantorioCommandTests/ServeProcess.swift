// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `santorio serve` in a process of its own.
final class ServeProcess {
  /// Where it keeps its data.
  let folder: URL
  /// The line that says where the live page is.
  let listeningMessage: String
  private let process = Process()
  private let errors: ErrorLines

  /// Starts it; the folder of its data vanishes with its owner.
  init(_ options: [String], environment: [String: String] = [:]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let (output, errors) = (Pipe.make(), Pipe.make())
    process.executableURL = try CommandProcess.executable
    process.environment = CommandProcess.environment.merging(environment) { $1 }
    process.arguments = ["serve", "--data", folder.path, "--port", "0"] + options
    process.standardOutput = output
    process.standardError = errors
    try process.start()
    self.errors = ErrorLines(of: errors.fileHandleForReading)
    listeningMessage = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// What it has said on standard error.
  var log: String { errors.text }

  /// Waits until it has said something; false when it has ended without.
  func wait(for text: String) -> Bool { errors.wait(for: text) }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// One of the kernel's files on the process.
  func facts(_ name: String) throws -> String {
    try String(contentsOfFile: "/proc/\(process.processIdentifier)/\(name)", encoding: .utf8)
  }

  /// Ends it, and returns its status.
  func end() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }
}

/// What a process says on standard error.
private final class ErrorLines: @unchecked Sendable {
  // `changed` guards the others.
  private let changed = NSCondition()
  private var content = Data()
  private var hasEnded = false

  init(of handle: FileHandle) {
    Thread.detachNewThread { [self] in
      while case let data = handle.availableData, !data.isEmpty { take(data) }
      take(nil)
    }
  }

  private func take(_ data: Data?) {
    changed.lock()
    if let data { content += data } else { hasEnded = true }
    changed.broadcast()
    changed.unlock()
  }

  var text: String {
    changed.lock()
    defer { changed.unlock() }
    return String(decoding: content, as: UTF8.self)
  }

  func wait(for text: String) -> Bool {
    changed.lock()
    defer { changed.unlock() }
    while !hasEnded, !content.contains(text) { changed.wait() }
    return content.contains(text)
  }
}

extension Data {
  fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
