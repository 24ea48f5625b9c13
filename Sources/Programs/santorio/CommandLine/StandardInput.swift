// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The lines of standard input as bytes: invalid UTF-8 must not be repaired silently.
struct StandardInput {
  private var bytes: [UInt8] = []
  private var start = 0
  /// Up to where there is no end of a line: a long line is searched once, not with each part of it.
  private var searched = 0
  private var isAtEnd = false

  /// The next line without its end, as soon as it is there; nil at the end of the input.
  mutating func line() throws(CommandError) -> [UInt8]? {
    while true {
      if let end = bytes[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return Array(bytes[start..<end])
      }
      guard !isAtEnd else { break }
      bytes.removeFirst(start)
      start = 0
      searched = bytes.count
      try fill()
    }
    defer { start = bytes.count }
    return start < bytes.count ? Array(bytes[start...]) : nil
  }

  private mutating func fill() throws(CommandError) {
    var more = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe more.withUnsafeMutableBytes {
      unsafe read(STDIN_FILENO, $0.baseAddress, $0.count)
    }
    guard count >= 0 else {
      guard errno != EINTR else { return }
      let reason = unsafe String(cString: strerror(errno))
      throw CommandError("standard input cannot be read: \(reason)")
    }
    isAtEnd = count == 0
    bytes += more.prefix(count)
  }
}
