// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Disk space held back, so that the queue can be drained when the disk is full.
///
/// Deleting a row needs room in SQLite's log. Only the uploader gives all of it away, a producer
/// never; who opens the file on a full disk gives a part.
struct ReservedDiskSpace {
  /// Twice what the log grows to between two checkpoints, 256 KiB, and what opening the file needs.
  static let size = 524_288 + openingSize
  /// The index of SQLite's log, 32 KiB, and a few pages.
  private static let openingSize = 65_536

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
      // Without reservedDiskSpace the queue works as well, until the disk is full.
    }
  }

  /// Gives back what opening the file needs; false when there is no more.
  ///
  /// Again each time: a queue that can be opened and not be drained at once is better than none.
  func lighten() -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, Int(status.st_size) >= Self.openingSize else {
      return false
    }
    return unsafe truncate(path, status.st_size - off_t(Self.openingSize)) == 0
  }

  /// Gives the space back to the disk; false when there was none.
  func release() -> Bool { unsafe unlink(path) == 0 }
}
