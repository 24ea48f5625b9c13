// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Disk space held back, so that the queue can be drained when the disk is full.
///
/// Deleting a row needs space in SQLite's log. Only the uploader releases all of it, a submitter
/// never; opening the file on a full disk releases a part.
struct ReservedDiskSpace {
  /// Twice the log's size between two checkpoints, 256 KiB, and what opening the file needs.
  static let size = 524_288 + openingSize
  /// The index of SQLite's log, 32 KiB, and a few pages.
  private static let openingSize = 65_536

  let path: String

  /// Reserves the space unless it is held; does nothing when the disk lacks it.
  func hold() {
    var status = stat()
    if unsafe lstat(path, &status) == 0, Int(status.st_size) == Self.size { return }
    do throws(SessionError) {
      let file = try DurableFile(path: path)
      try file.reserve(Self.size)
      try file.commit()
    } catch {
      // The queue also works without reserved disk space, until the disk is full.
    }
  }

  /// Releases what opening the file needs; false when there is no more.
  ///
  /// Repeated each time: a queue that can be opened but not drained at once is better than none.
  func lighten() -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, Int(status.st_size) >= Self.openingSize else {
      return false
    }
    return unsafe truncate(path, status.st_size - off_t(Self.openingSize)) == 0
  }

  /// Releases the space; false when there was none.
  func release() -> Bool { unsafe unlink(path) == 0 }
}
