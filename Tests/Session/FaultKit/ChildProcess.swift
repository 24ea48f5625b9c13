// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency
import TestSupport

/// A program beside the tests, in a process of its own, whose lines are read as they come.
package final class ChildProcess: @unchecked Sendable {
  // Used by one task at a time; the reading thread uses the pipe. `waitUntilExit` is not safe here:
  // it lends its thread's run loop to Foundation, which may still hold it when the thread has
  // ended.
  private let process = Process()
  private let hasEnded = DispatchGroup()
  private let hasBeenRead = DispatchGroup()
  /// What the process reads; nil once it has ended.
  private let input: Locked<FileHandle?>
  private let end = AsyncStream<Int32>.makeStream()

  /// Starts a program.
  ///
  /// `prefix` is a command that starts it; `line` is called on a thread of its own.
  package init(
    _ program: String, _ arguments: [String], prefix: [String] = [],
    line: @escaping @Sendable (String) -> Void
  ) throws {
    let (inputPipe, output) = (Pipe.make(), Pipe.make())
    input = Locked(inputPipe.fileHandleForWriting)
    let command = try prefix + [Self.path(program)] + arguments
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = inputPipe
    process.standardOutput = output
    let (process, hasEnded, hasBeenRead, end, input) = (process, hasEnded, hasBeenRead, end, input)
    process.terminationHandler = { _ in hasEnded.leave() }
    hasEnded.enter()
    do {
      try process.start()
    } catch {
      hasEnded.leave()
      throw error
    }
    hasBeenRead.enter()
    Thread {
      Self.read(output.fileHandleForReading, line)
      hasBeenRead.leave()
      hasEnded.wait()
      // Foundation keeps the pipes of a process that has ended, and crashes with a thousand files.
      try? output.fileHandleForReading.close()
      input.withLock { input in
        try? input?.close()
        input = nil
      }
      end.continuation.yield(process.terminationStatus)
      end.continuation.finish()
    }.start()
  }

  private static func read(_ handle: FileHandle, _ line: (String) -> Void) {
    var rest: [UInt8] = []
    while case let data = handle.availableData, !data.isEmpty {
      rest += data
      var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      rest = lines.popLast().map(Array.init) ?? []
      for bytes in lines { line(String(decoding: bytes, as: UTF8.self)) }
    }
  }

  deinit { kill() }

  /// The path of a program that was built beside the tests; a path stays as it is.
  package static func path(_ program: String) throws -> String {
    if program.hasPrefix("/") { return program }
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return (tests as NSString).deletingLastPathComponent + "/" + program
  }

  /// Writes a line to the process; one that has ended gets nothing.
  package func write(_ line: String) {
    input.withLock { $0?.write(Data((line + "\n").utf8)) }
  }

  /// SIGKILL: the process gets no chance to do anything more.
  ///
  /// Returns when its last line was read: what it wrote before may still be in the pipe when it has
  /// ended.
  package func kill() {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    hasEnded.wait()
    hasBeenRead.wait()
  }

  /// Waits until the process has ended and its last line was read; to be called once.
  ///
  /// - Returns: Its status, or the number of the signal that ended it.
  package func status() async -> Int32? {
    for await status in end.stream { return status }
    return nil
  }
}
