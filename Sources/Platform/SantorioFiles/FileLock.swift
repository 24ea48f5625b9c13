// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A lock on a file (flock(2)) that ends with its holder, however the holder ends.
///
/// It may outlive its holder briefly: a process that is being started inherits it until it has
/// loaded its program. So a process that finds it taken should retry for ``timeout``.
package final class FileLock: Sendable {
  package enum Mode: Sendable {
    /// Held by one holder.
    case exclusive
    /// Held by any number, and by none of them while it is held exclusively.
    case shared
  }

  /// Why a lock was not taken.
  package enum Failure: Error, Hashable {
    /// The file cannot be opened, with the number of the system's error; a link is not followed.
    case unopened(errno: Int32)
    /// Another holder has the lock.
    case taken
    /// The file cannot be locked, with the number of the system's error.
    case unlockable(errno: Int32)
  }

  /// How long to retry a lock that its holder should release soon, and how often.
  package static let timeout = Duration.seconds(5)
  package static let pause = Duration.milliseconds(20)

  private let descriptor: Locked<Int32?>

  /// Takes a lock.
  ///
  /// - Parameters:
  ///   - path: The file; it is created with mode 0600 unless it exists.
  ///   - mode: Whether others may share the lock.
  ///   - waiting: How long to block while another holder has it; nil for no limit.
  /// - Throws: ``Failure``.
  package init(
    _ path: String, _ mode: Mode = .exclusive, waiting: Duration? = .zero
  ) throws(Failure) {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .unopened(errno: errno) }
    guard Self.take(descriptor, mode, waiting: waiting) else {
      let code = errno
      close(descriptor)
      throw code == EWOULDBLOCK ? Failure.taken : Failure.unlockable(errno: code)
    }
    self.descriptor = Locked(descriptor)
  }

  deinit { release() }

  /// Releases the lock for others.
  package func release() {
    let held = descriptor.withLock { descriptor in
      defer { descriptor = nil }
      return descriptor
    }
    if let held { close(held) }
  }

  /// Shares a lock that was held exclusively, once no other process holds it exclusively.
  package func share() { _ = take(.shared, waiting: nil) }

  /// Makes a shared lock exclusive.
  ///
  /// - Parameters:
  ///   - waiting: How long to block while others share the lock.
  ///   - isNeedless: Whether the lock is no longer needed.
  /// - Returns: false when others keep sharing it, or when it is not needed; it is then shared
  ///   again.
  package func makeExclusive(
    waiting: Duration = timeout, unless isNeedless: () -> Bool = { false }
  ) -> Bool {
    if take(.exclusive, waiting: waiting, unless: isNeedless) { return true }
    share()
    return false
  }

  private func take(
    _ mode: Mode, waiting: Duration?, unless isNeedless: () -> Bool = { false }
  ) -> Bool {
    guard let held = descriptor.withLock({ $0 }) else { return false }
    return Self.take(held, mode, waiting: waiting, unless: isNeedless)
  }

  private static func take(
    _ descriptor: Int32, _ mode: Mode, waiting: Duration?, unless isNeedless: () -> Bool = { false }
  ) -> Bool {
    let lock = mode == .exclusive ? LOCK_EX : LOCK_SH
    var triesLeft = waiting.map { Int($0 / pause) } ?? 0
    while flock(descriptor, waiting == nil ? lock : lock | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      guard code == EWOULDBLOCK, triesLeft > 0, !isNeedless() else {
        errno = code
        return false
      }
      triesLeft -= 1
      usleep(20_000)
    }
    return true
  }

  // MARK: - The holder

  /// Writes a text about the holder into the file, for those that find the lock taken.
  package func write(holder text: String) {
    guard let held = descriptor.withLock({ $0 }) else { return }
    var bytes = Array(text.utf8)
    ftruncate(held, 0)
    _ = unsafe pwrite(held, &bytes, bytes.count, 0)
  }

  /// The text about the holder of a lock; empty when there is none.
  ///
  /// - Parameter path: The file.
  /// - Returns: Its first 200 bytes.
  package static func holder(at path: String) -> String {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 200)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
