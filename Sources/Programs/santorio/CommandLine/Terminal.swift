// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// The user's terminal.
enum Terminal {
  private static let input = DispatchQueue(label: "org.santorio.command.input")

  /// Whether standard output is a terminal.
  static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether standard input is a terminal that this process may read.
  ///
  /// A background process is stopped when it tries.
  static var isInput: Bool {
    isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp()
  }

  /// How many columns and rows it has; 80 and 24 when unknown.
  static var size: (columns: Int, rows: Int) { size(of: STDOUT_FILENO) }

  /// How many columns the terminal of another descriptor has; 80 when unknown.
  static func columns(of descriptor: Int32) -> Int { size(of: descriptor).columns }

  private static func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Reads a line of standard input without its end; nil at the end of the input.
  ///
  /// It does not use the C library's stream, which would delay the end of the program while it
  /// waits for a line.
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
      // No one types more; input piped in by mistake must not fill the memory.
      if bytes.count < 4096 { bytes.append(byte) }
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  /// The text with a dot for each terminal control character, which received text may contain.
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
