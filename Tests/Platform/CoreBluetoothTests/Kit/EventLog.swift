// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Lines in the order of the calls; any thread may write and read.
final class EventLog: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  func note(_ line: String) {
    lock.lock()
    defer { lock.unlock() }
    lines.append(line)
  }

  /// Everything that was noted.
  var all: [String] {
    lock.lock()
    defer { lock.unlock() }
    return lines
  }

  func has(_ line: String) -> Bool { all.contains(line) }

  func count(_ beginning: String) -> Int { all.filter { $0.hasPrefix(beginning) }.count }

  func clear() {
    lock.lock()
    defer { lock.unlock() }
    lines = []
  }
}

extension Data {
  /// Two digits a byte.
  var hex: String { map { String(format: "%02x", $0) }.joined() }
}

extension Optional where Wrapped == any Error {
  /// " domain code", or nothing.
  var suffix: String {
    guard let error = self as NSError? else { return "" }
    return " \(error.domain) \(error.code)"
  }
}
