// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// The terminal that a person sits at.
enum Terminal {
  private static let input = DispatchQueue(label: "org.santorio.command.input")

  /// Whether standard output is a terminal.
  static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether standard input is a terminal that this process may read: one in the background is
  /// stopped when it tries.
  static var isInput: Bool {
    isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp()
  }

  /// How many columns and rows it has; 80 and 24 when it does not tell.
  static var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
      size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Reads a line of standard input without its end; nil at the end of the input.
  ///
  /// It reads by itself, since the C library's stream would hold up the end of the program while a
  /// line is waited for.
  static func line() async -> String? {
    await withCheckedContinuation { continuation in
      input.async { continuation.resume(returning: readLine()) }
    }
  }

  private static func readLine() -> String? {
    var (bytes, byte): ([UInt8], UInt8) = ([], 0)
    while true {
      let count = unsafe read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { break }
      guard byte != UInt8(ascii: "\n") else { return String(decoding: bytes, as: UTF8.self) }
      // Nobody types more; what is piped in by mistake shall not fill the memory.
      if bytes.count < 4096 { bytes.append(byte) }
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  /// The text with a dot for each character that would steer the terminal: what comes from the air
  /// may hold any.
  var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            "·"
          default: scalar
          }
        }))
  }
}
