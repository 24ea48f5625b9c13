// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A lock on a file that ends with its holder, however the holder ends.
final class FileLock: Sendable {
  enum Mode: Sendable {
    /// Held by one.
    case exclusive
    /// Held by any number, and by none of them while somebody holds it exclusively.
    case shared
  }

  private let descriptor: Int32

  /// Takes the lock; waits for nobody to take it exclusively, and for an exclusive holder to share it.
  ///
  /// - Throws: ``SessionError`` of code `uploaderIsRunning` when somebody else holds it.
  init(path: String, _ mode: Mode = .exclusive) throws(SessionError) {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SessionError(errno: errno, doing: "open", path) }
    guard Self.take(descriptor, mode) else {
      let code = errno
      close(descriptor)
      guard code == EWOULDBLOCK else { throw SessionError(errno: code, doing: "lock", path) }
      throw SessionError(
        .uploaderIsRunning,
        "another run(), in this process or another one, uploads from this folder already")
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Lets others share a lock that was held exclusively.
  func share() { flock(descriptor, LOCK_SH) }

  private static func take(_ descriptor: Int32, _ mode: Mode) -> Bool {
    while flock(descriptor, mode == .exclusive ? LOCK_EX | LOCK_NB : LOCK_SH) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }
}
