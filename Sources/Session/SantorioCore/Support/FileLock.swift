// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An exclusive lock that ends with its holder, however the holder ends.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock.
  ///
  /// - Throws: ``SessionError`` of code `uploaderIsRunning` when somebody else holds it.
  init(path: String) throws(SessionError) {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SessionError(errno: errno, doing: "open", path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
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
}
