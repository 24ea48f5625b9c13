// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A lock on a file that ends with its holder, however the holder ends.
///
/// It may outlive its holder by a moment: a process that is just being started inherits it until it
/// has loaded its program. So whoever finds it taken looks again, for ``timeout``.
final class FileLock: Sendable {
  enum Mode: Sendable {
    /// Held by one.
    case exclusive
    /// Held by any number, and by none of them while somebody holds it exclusively.
    case shared
  }

  /// How long a lock that is found taken is tried again, and how often.
  static let timeout = Duration.seconds(5)
  static let pause = Duration.milliseconds(20)

  private let descriptor: Int32

  /// Takes the lock: exclusively if nobody has it now, or shared, which waits for an exclusive
  /// holder.
  ///
  /// - Returns: nil when somebody else holds it.
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

  /// Lets others share a lock that was held exclusively, once no other holds it exclusively.
  func share() { _ = Self.take(descriptor, .shared) }

  /// Takes a lock that was shared for oneself; blocks for ``timeout`` at most.
  ///
  /// - Parameter isNeedless: Whether the lock is not needed any more.
  /// - Returns: false when others go on sharing it, or when it is needless; it is shared again
  ///   then.
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
