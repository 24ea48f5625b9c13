// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import SantorioConcurrency

/// An exclusive lock on a storage, until it is released or the process ends in any way.
///
/// Two servers on one storage would remove each other's images: each would take the files whose
/// rows the other is about to write for leftovers.
final class StorageLock: Sendable {
  /// How long to retry when the lock is taken.
  ///
  /// A child process inherits the lock of its parent until it has loaded its program.
  static let longestWait = 5_000  // milliseconds
  private static let pause = 50

  private let descriptor: Locked<Int32?>

  /// Acquires the lock of a storage.
  ///
  /// - Parameters:
  ///   - path: The storage file; the lock file is beside it.
  ///   - milliseconds: How long to wait for another holder.
  /// - Throws: ``IngestError``; if the lock is taken, of code `storageInUse` with its holder.
  init(storage path: String, waiting milliseconds: Int = longestWait) throws(IngestError) {
    let path = path + ".lock"
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    let descriptor = unsafe open(path, flags, 0o600)
    guard descriptor >= 0 else {
      throw IngestError(
        .unavailable, "cannot open \(path); its folder must exist and be writable",
        cause: unsafe String(cString: strerror(errno)))
    }
    var left = milliseconds
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, left > 0 else {
        defer { close(descriptor) }
        throw Self.taken(path, by: descriptor)
      }
      usleep(useconds_t(Self.pause * 1000))
      left -= Self.pause
    }
    self.descriptor = Locked(descriptor)
    Self.write("process \(getpid()) since \(Date().formatted(.iso8601))", to: descriptor)
  }

  deinit { release() }

  /// Releases the storage for another server.
  func release() {
    let held = descriptor.withLock { descriptor in
      defer { descriptor = nil }
      return descriptor
    }
    guard let held else { return }
    Self.write("", to: held)
    close(held)
  }

  /// Writes the holder of the lock, for servers that find it taken.
  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)
    ftruncate(descriptor, 0)
    _ = unsafe pwrite(descriptor, &bytes, bytes.count, 0)
  }

  private static func taken(_ path: String, by descriptor: Int32) -> IngestError {
    var bytes = [UInt8](repeating: 0, count: 200)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    let holder = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    return IngestError(
      .storageInUse,
      "another server is using the storage (\(holder.isEmpty ? path : holder)); stop it or choose "
        + "another folder")
  }
}
