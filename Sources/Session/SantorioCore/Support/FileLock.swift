// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A lock on a file that ends with its holder, however the holder ends.
///
/// It may outlive its holder briefly: a process that is being started inherits it until it has
/// loaded its program. So a process that finds it taken tries again, for ``timeout``.
final class FileLock: Sendable {
  enum Mode: Sendable {
    /// Held by one process.
    case exclusive
    /// Held by any number, and by none of them while it is held exclusively.
    case shared
  }

  /// How long a taken lock is retried, and how often.
  static let timeout = Duration.seconds(5)
  static let pause = Duration.milliseconds(20)

  private let descriptor: Int32

  /// Takes the lock: exclusively if it is free, or shared, which waits for an exclusive holder.
  ///
  /// - Returns: nil when another holder has it.
  /// - Throws: ``SessionError`` when the file cannot be used.
  init?(path: String, _ mode: Mode) throws(SessionError) {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SessionError(errno: errno, doing: "open", path) }
    guard Self.take(descriptor, mode) else {
      let code = errno
      close(descriptor)
      guard code == EWOULDBLOCK else { throw SessionError(errno: code, doing: "lock", path) }
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Shares a lock that was held exclusively, once no other process holds it exclusively.
  func share() { _ = Self.take(descriptor, .shared) }

  /// Makes a shared lock exclusive; blocks for ``timeout`` at most.
  ///
  /// - Parameter isNeedless: Whether the lock is no longer needed.
  /// - Returns: false when others keep sharing it, or when it is not needed; it is then shared
  ///   again.
  func makeExclusive(unless isNeedless: () -> Bool = { false }) -> Bool {
    for _ in 0...Int(Self.timeout / Self.pause) {
      if Self.take(descriptor, .exclusive) { return true }
      if isNeedless() { break }
      usleep(useconds_t(Self.pause.milliseconds * 1000))
    }
    share()
    return false
  }

  private static func take(_ descriptor: Int32, _ mode: Mode) -> Bool {
    while flock(descriptor, mode == .exclusive ? LOCK_EX | LOCK_NB : LOCK_SH) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }
}
