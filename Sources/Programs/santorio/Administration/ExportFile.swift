// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords

/// The file of an export, readable by its owner only.
///
/// It gets its name when it is complete and on the disk.
final class ExportFile: @unchecked Sendable {
  // Unchecked: the transport's thread is the only one that writes, and `finish` comes after it.
  let path: String
  private let draft: String
  private let descriptor: Int32
  private var isInPlace = false
  private var lines = 0
  // The beginning of the line that is being received, and of the one before it.
  private var (line, lastLine): ([UInt8], [UInt8]) = ([], [])
  private(set) var failure: CommandError?

  /// The last line is no longer than this.
  private static let longestEnd = 64

  /// Starts the file.
  ///
  /// - Throws: ``CommandError`` when the path already exists, or cannot be created.
  init(path: String) throws(CommandError) {
    self.path = path
    draft = "\(path).\(getpid()).part"
    var facts = stat()
    guard unsafe lstat(path, &facts) != 0 else {
      throw CommandError("\(path) already exists; choose another file name")
    }
    descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.error("created", path) }
  }

  deinit {
    discard()
    if descriptor >= 0 { close(descriptor) }
  }

  /// Removes what was written, unless the file is complete.
  ///
  /// A process that ends does not wait for `deinit`.
  func discard() {
    if !isInPlace, descriptor >= 0 { unsafe unlink(draft) }
  }

  /// Writes the next part.
  ///
  /// - Throws: ``CommandError`` when it cannot be written, see ``failure``.
  func take(_ part: [UInt8]) throws(CommandError) {
    var rest = part[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let error = Self.error("written", path)
        failure = error
        throw error
      }
      rest = rest.dropFirst(count)
    }
    countLines(part)
  }

  private func countLines(_ part: [UInt8]) {
    var rest = part[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      keep(rest[..<end])
      (lastLine, line) = (line, [])
      lines += 1
      rest = rest[(end + 1)...]
    }
    keep(rest)
  }

  private func keep(_ bytes: ArraySlice<UInt8>) {
    line += bytes.prefix(max(0, Self.longestEnd - line.count))
  }

  /// Gives the complete file its name.
  ///
  /// - Returns: How many lines it has.
  /// - Throws: ``CommandError`` when the export is incomplete, or it cannot be saved.
  func finish() throws(CommandError) -> Int {
    let end = try? JSONReader(parsing: lastLine).optional("end")?.member("lines").integer()
    guard line.isEmpty, let end, end == lines - 1 else {
      discard()
      throw CommandError(
        "the export is incomplete: the user was erased meanwhile, the server stopped, or the "
          + "connection broke; try again")
    }
    // A link fails where a file exists; a rename would replace it.
    guard fsync(descriptor) == 0, unsafe link(draft, path) == 0 else {
      discard()
      throw Self.error("saved", path)
    }
    unsafe unlink(draft)
    isInPlace = true
    return lines
  }

  private static func error(_ what: String, _ path: String) -> CommandError {
    CommandError("\(path) cannot be \(what): \(unsafe String(cString: strerror(errno)))")
  }
}
