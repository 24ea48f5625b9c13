// SPDX-License-Identifier: Apache-2.0

import SantorioFiles

extension FileLock {
  /// Takes the lock: exclusively if it is free, or shared, which waits for an exclusive holder.
  ///
  /// - Returns: nil when another holder has it.
  /// - Throws: ``SessionError`` when the file cannot be used.
  static func take(_ path: String, _ mode: Mode) throws(SessionError) -> FileLock? {
    do throws(Failure) {
      return try FileLock(path, mode, waiting: mode == .shared ? nil : .zero)
    } catch {
      guard error != .taken else { return nil }
      throw SessionError(error, path)
    }
  }
}

extension SessionError {
  /// Makes an error from the failure to lock a file.
  init(_ failure: FileLock.Failure, _ path: String) {
    switch failure {
    case .unopened(let code): self.init(errno: code, doing: "open", path)
    case .unlockable(let code): self.init(errno: code, doing: "lock", path)
    case .taken:
      self.init(.storageFailed, "another process uses the session's files; try again")
    }
  }
}
