// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A lock on a small file of a session's folder, for reading and then replacing it.
///
/// It is held briefly, across processes, and ends with its holder, however that ends.
package struct StateLock: Sendable {
  private let path: String

  /// Makes a lock for a file, stored beside it.
  package init(for file: URL) { path = file.path + ".lock" }

  /// Runs a body while no other process does the same.
  ///
  /// - Parameter body: The work to do; keep it short, since others wait for it.
  /// - Returns: What the body returned.
  /// - Throws: ``SessionError`` when the lock cannot be taken, and what the body throws.
  package func exclusively<Result>(_ body: () throws -> Result) throws -> Result {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SessionError(errno: errno, doing: "open", path) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw SessionError(errno: errno, doing: "lock", path) }
    }
    return try body()
  }
}
