// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import SantorioFiles

/// An exclusive lock on a storage, until it is released or the process ends in any way.
///
/// Two servers on one storage would remove each other's images: each would take the files whose
/// rows the other is about to write for leftovers.
final class StorageLock: Sendable {
  private let lock: FileLock

  /// Acquires the lock of a storage.
  ///
  /// - Parameters:
  ///   - path: The storage file; the lock file is beside it.
  ///   - timeout: How long to wait for another holder.
  /// - Throws: ``IngestError``; if the lock is taken, of code `storageInUse` with its holder.
  init(storage path: String, waiting timeout: Duration = FileLock.timeout) throws(IngestError) {
    let path = path + ".lock"
    do throws(FileLock.Failure) {
      lock = try FileLock(path, waiting: timeout)
    } catch {
      throw Self.failure(error, path)
    }
    lock.write(holder: "process \(getpid()) since \(Date().formatted(.iso8601))")
  }

  deinit { release() }

  /// Releases the storage for another server.
  func release() {
    lock.write(holder: "")
    lock.release()
  }

  private static func failure(_ failure: FileLock.Failure, _ path: String) -> IngestError {
    switch failure {
    case .unopened(let code):
      return IngestError(
        .unavailable, "cannot open \(path); its folder must exist and be writable",
        cause: unsafe String(cString: strerror(code)))
    case .unlockable(let code):
      return IngestError(
        .unavailable, "cannot lock \(path); its file system must support locks",
        cause: unsafe String(cString: strerror(code)))
    case .taken:
      let holder = FileLock.holder(at: path)
      return IngestError(
        .storageInUse,
        "another server is using the storage (\(holder.isEmpty ? path : holder)); stop it or choose "
          + "another folder")
    }
  }
}
