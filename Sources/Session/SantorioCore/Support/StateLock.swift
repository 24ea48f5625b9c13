// SPDX-License-Identifier: Apache-2.0

package import Foundation
import SantorioFiles

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
    let lock = try taken()
    defer { lock.release() }
    return try body()
  }

  private func taken() throws(SessionError) -> FileLock {
    do throws(FileLock.Failure) {
      return try FileLock(path, waiting: nil)
    } catch {
      throw SessionError(error, path)
    }
  }
}
