// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import SantorioCore

/// A program beside the tests, in a process of its own, whose lines are read as they come.
final class ChildProcess: @unchecked Sendable {
  // Used by one test at a time; the reading thread uses the pipe alone.
  private let process = Process()
  private let input = Pipe()

  /// Starts a program.
  ///
  /// `prefix` is a command that starts it; `line` is called on a thread of its own, at the end with
  /// nil.
  init(
    _ program: String, _ arguments: [String], prefix: [String] = [],
    line: @escaping @Sendable (String?) -> Void
  ) throws {
    let output = Pipe()
    let command = try prefix + [Self.path(program)] + arguments
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let handle = output.fileHandleForReading
    Thread {
      var rest = Data()
      while case let data = handle.availableData, !data.isEmpty {
        rest += data
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          line(String(decoding: rest[..<end], as: UTF8.self))
          rest = Data(rest[rest.index(after: end)...])
        }
      }
      line(nil)
    }.start()
  }

  deinit { end() }

  /// The path of a program that was built beside the tests.
  static func path(_ program: String) throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return (tests as NSString).deletingLastPathComponent + "/" + program
  }

  func write(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }

  /// SIGKILL: the process gets no chance to do anything more.
  func end() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
