// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A small file only for its owner that is read and replaced as a whole.
package struct PlainFile: Sendable {
  private let path: String

  /// Refers to a file, which need not exist.
  package init(_ file: URL) { path = file.path }

  /// The content; nil when there is no such file.
  ///
  /// - Throws: ``SessionError`` when the file cannot be read.
  package func read() throws(SessionError) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      guard errno != ENOENT else { return nil }
      throw SessionError(errno: errno, doing: "open", path)
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      return [UInt8](try file.readToEnd() ?? Data())
    } catch {
      throw SessionError(errno: EIO, doing: "read", path)
    }
  }

  /// Replaces the content; once this returns, it survives a power loss.
  ///
  /// - Throws: ``SessionError`` when it cannot be written; the old content is then kept.
  package func write(_ bytes: [UInt8]) throws(SessionError) {
    let file = try DurableFile(path: path)
    try file.write(bytes)
    try file.commit()
  }
}
