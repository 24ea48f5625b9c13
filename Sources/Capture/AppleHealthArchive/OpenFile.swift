// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A regular file that is open for reading.
struct OpenFile: ~Copyable {
  let descriptor: Int32
  let size: Int

  /// Opens a file; one that was found in a folder must not be a symbolic link.
  init(_ path: String, isInside: Bool = false) throws(ExportArchiveError) {
    // A pipe without a writer would be waited for.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (isInside ? O_NOFOLLOW : 0)
    let descriptor = unsafe Glibc.open(path, flags)
    guard descriptor >= 0 else { throw .system(errno) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Glibc.close(descriptor)
      throw .special
    }
    self.descriptor = descriptor
    size = Int(status.st_size)
  }

  deinit { Glibc.close(descriptor) }

  /// Reads until the memory is full or the file ends; returns how much was read.
  func read(into memory: UnsafeMutableRawBufferPointer) throws(ExportArchiveError) -> Int {
    var count = 0
    while count < memory.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
      let result = unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
      if result < 0, errno == EINTR { continue }
      guard result >= 0 else { throw .system(errno) }
      if result == 0 { break }
      count += result
    }
    return count
  }

  /// The first bytes of the file, from which reading must not have begun.
  func beginning(_ length: Int) throws(ExportArchiveError) -> [UInt8] {
    try unsafe [UInt8](filling: length) { memory throws(ExportArchiveError) in
      try unsafe read(into: memory)
    }
  }

  func seek(to offset: Int) throws(ExportArchiveError) {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw .system(errno) }
  }
}

extension [UInt8] {
  /// As many bytes as a function writes to memory of a size.
  init(
    filling length: Int,
    _ body: (UnsafeMutableRawBufferPointer) throws(ExportArchiveError) -> Int
  ) throws(ExportArchiveError) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 16)
    defer { unsafe memory.deallocate() }
    let count = try unsafe body(memory)
    self = unsafe Array(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }
}
