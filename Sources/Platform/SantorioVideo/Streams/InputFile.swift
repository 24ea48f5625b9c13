// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file, a FIFO or standard input, opened for reading.
final class InputFile {
  private let descriptor: Int32
  private let isOwn: Bool
  private let path: String
  private static let chunk = 65_536

  /// Opens a path, or standard input for `-`; a FIFO is waited for until it has a writer.
  init(path: String) throws(VideoError) {
    self.path = path == "-" ? "Standard input" : path
    isOwn = path != "-"
    if path == "-" {
      descriptor = STDIN_FILENO
      return
    }
    guard !path.utf8.contains(0) else { throw .cannotOpen(path: path, code: ENOENT) }
    var result: Int32
    repeat {
      result = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    } while result < 0 && errno == EINTR
    guard result >= 0 else { throw .cannotOpen(path: path, code: errno) }
    descriptor = result
  }

  deinit { if isOwn { close(descriptor) } }

  /// Waits for bytes; none at the end.
  func read() throws(VideoError) -> [UInt8] {
    while true {
      var code: Int32 = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
        let result = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        code = result < 0 ? errno : 0
        count = max(result, 0)
      }
      if code == 0 { return bytes }
      if code == EAGAIN || code == EWOULDBLOCK {
        wait()
      } else if code != EINTR {
        throw .cannotRead(path: path, code: code)
      }
    }
  }

  /// Standard input may not block, if another program has set it so.
  private func wait() {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&waiting, 1, -1)
  }
}
