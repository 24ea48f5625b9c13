// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file only for its owner that appears in its place whole and on disk, or not at all.
package struct DurableFile: ~Copyable {
  private let path: String
  private let temporaryPath: String
  private let descriptor: Int32
  private var isCommitted = false

  /// Starts a file of mode 0600 that will be placed at `path`.
  package init(path: String) throws(SessionError) {
    let temporaryPath = path + ".tmp"
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
    let descriptor = unsafe open(temporaryPath, flags, 0o600)
    guard descriptor >= 0 else { throw SessionError(errno: errno, doing: "create", path) }
    // A leftover file may have another mode.
    fchmod(descriptor, 0o600)
    self.path = path
    self.temporaryPath = temporaryPath
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
    if !isCommitted { unsafe unlink(temporaryPath) }
  }

  /// Appends bytes.
  package func write(_ bytes: [UInt8]) throws(SessionError) {
    guard Self.write(bytes, to: descriptor) else {
      throw SessionError(errno: errno, doing: "write", path)
    }
  }

  /// Writes all bytes to a file; where that fails, `errno` says why.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        guard let start = buffer.baseAddress else { return 0 }
        return unsafe Foundation.write(descriptor, start + written, bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }

  /// Reserves `size` bytes of disk space for the file.
  func reserve(_ size: Int) throws(SessionError) {
    #if canImport(Glibc)
      let code = posix_fallocate(descriptor, 0, size)
      guard code == 0 else { throw SessionError(errno: code, doing: "reserve space for", path) }
    #else
      try write([UInt8](repeating: 0, count: size))
    #endif
  }

  /// Puts the file in its place; once this returns, it survives a power loss.
  package consuming func commit() throws(SessionError) {
    guard fsync(descriptor) == 0, unsafe rename(temporaryPath, path) == 0 else {
      throw SessionError(errno: errno, doing: "save", path)
    }
    isCommitted = true
    try Self.synchronizeFolder(of: path)
  }

  /// Creates an empty file of mode 0600 unless the file exists.
  static func touch(_ path: String) throws(SessionError) {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SessionError(errno: errno, doing: "open", path) }
    close(descriptor)
  }

  /// Makes a rename or a removal in the folder of `path` durable.
  static func synchronizeFolder(of path: String) throws(SessionError) {
    let folder = (path as NSString).deletingLastPathComponent
    let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SessionError(errno: errno, doing: "open", folder) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw SessionError(errno: errno, doing: "save", folder) }
  }
}
