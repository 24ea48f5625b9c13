// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Disk space held back, so that the queue can be drained when the disk is full.
///
/// Deleting a row needs room in SQLite's log. Only the uploader gives it away, a producer never.
struct Ballast {
  /// Half a MiB: twice what the log grows to between two checkpoints.
  static let size = 524_288

  let path: String

  /// Takes the space unless it is held; does nothing when the disk cannot give it.
  func hold() {
    var status = stat()
    if unsafe lstat(path, &status) == 0, Int(status.st_size) == Self.size { return }
    do throws(SessionError) {
      let file = try DurableFile(path: path)
      try file.reserve(Self.size)
      try file.commit()
    } catch {
      // Without ballast the queue works as well, until the disk is full.
    }
  }

  /// Gives the space back to the disk; false when there was none.
  func release() -> Bool { unsafe unlink(path) == 0 }
}
