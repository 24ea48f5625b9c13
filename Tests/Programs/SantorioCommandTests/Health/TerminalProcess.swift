// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport

/// A run of the program whose standard error is a terminal, and that gets a signal once it has shown
/// enough there.
struct TerminalProcess {
  /// What the terminal got.
  let shown: String
  let output: String
  /// The exit status; 128 and the number of the signal for a process that a signal has ended.
  let status: Int32

  init(
    _ arguments: [String], columns: UInt16 = 80, signal: Int32 = SIGKILL,
    when isEnough: @escaping @Sendable (String) -> Bool = { _ in false }
  ) async throws {
    let terminal = try PseudoTerminal(columns: columns)
    let process = Process()
    let output = Pipe.make()
    process.executableURL = try CommandProcess.executable
    process.arguments = arguments
    process.environment = CommandProcess.environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = terminal.end
    try process.start()
    // The terminal is at its end when the process has its last descriptor.
    try terminal.end.close()
    let number = process.processIdentifier
    shown = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          returning: terminal.readAll(until: isEnough) { kill(number, signal) })
      }
    }
    process.waitUntilExit()
    self.output = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let bySignal = process.terminationReason == .uncaughtSignal
    status = process.terminationStatus + (bySignal ? 128 : 0)
  }

  /// What was written in place of each other on the line, without the codes that do so.
  static func steps(_ shown: String) -> [String] {
    shown.replacing("\u{1b}[K", with: "").split(separator: "\r").map(String.init)
  }
}

/// A terminal without a screen.
private final class PseudoTerminal: Sendable {
  /// The end that a program has.
  let end: FileHandle
  private let master: Int32

  // Of the kernel's interface, as macros that Swift does not see: TIOCSPTLCK and TIOCGPTPEER.
  private static let (lock, other): (UInt, UInt) = (0x4004_5431, 0x5441)

  init(columns: UInt16) throws {
    master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var isLocked: Int32 = 0
    guard master >= 0, unsafe ioctl(master, Self.lock, &isLocked) == 0 else {
      throw POSIXError(.ENOTTY)
    }
    let descriptor = ioctl(master, Self.other, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(.ENOTTY) }
    end = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }

  deinit { close(master) }

  /// Reads until no one has the other end, and calls a function once when enough has come.
  func readAll(until isEnough: (String) -> Bool, _ body: () -> Void) -> String {
    var isCalled = false
    var (shown, bytes) = ("", [UInt8](repeating: 0, count: 4096))
    while case let count = unsafe read(master, &bytes, bytes.count), count > 0 {
      shown += String(decoding: bytes.prefix(count), as: UTF8.self)
      guard !isCalled, isEnough(shown) else { continue }
      isCalled = true
      body()
    }
    return shown
  }
}
