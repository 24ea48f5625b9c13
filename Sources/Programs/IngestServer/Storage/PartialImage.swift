// SPDX-License-Identifier: Apache-2.0

import Glibc
import SantorioConcurrency

/// The file of an image that is being received; it is removed on deinit unless it is kept.
final class PartialImage: Sendable {
  /// The expected digest of the image.
  let digest: MediaDigest
  let path: String
  /// Whether the file was removed or kept.
  private let isOver = Locked(false)
  private let ended: @Sendable () -> Void

  /// Creates the file, accessible to its owner only; `ended` is called on deinit.
  init(
    _ digest: MediaDigest, path: String, ended: @escaping @Sendable () -> Void
  ) throws(IngestError) {
    self.digest = digest
    self.path = path
    self.ended = ended
    let flags = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC
    let descriptor = unsafe Glibc.open(path, flags, 0o600)
    guard descriptor >= 0 else { throw MediaFolder.failure(MediaFolder.unwritable) }
    close(descriptor)
  }

  deinit {
    discard()
    ended()
  }

  /// Removes the file, unless it is kept.
  func discard() {
    let wasOver = isOver.withLock { isOver in
      defer { isOver = true }
      return isOver
    }
    if !wasOver { unsafe unlink(path) }
  }

  /// Appends bytes; the file is open only meanwhile, so that many uploads need few descriptors.
  func append(_ bytes: [UInt8]) throws(IngestError) {
    let descriptor = unsafe Glibc.open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw MediaFolder.failure(MediaFolder.unwritable) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { rest in
        unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw MediaFolder.failure(MediaFolder.unwritable) }
      rest = rest.dropFirst(count)
    }
  }

  /// Synchronises the file and renames it within the same folder.
  func rename(to name: String) throws(IngestError) {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw MediaFolder.failure(MediaFolder.unwritable) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0, unsafe Glibc.rename(path, name) == 0 else {
      throw MediaFolder.failure(MediaFolder.unwritable)
    }
    isOver.withLock { $0 = true }
  }
}

/// An opened image whose content matches its digest; it is closed on deinit.
final class OpenImage: Sendable {
  /// In bytes.
  let size: Int
  private let descriptor: Locked<Int32?>

  /// Takes over a descriptor.
  init(_ descriptor: Int32, size: Int) {
    self.size = size
    self.descriptor = Locked(descriptor)
  }

  deinit {
    if let descriptor = take() { close(descriptor) }
  }

  /// Reads some bytes; fewer at the end, none after it or once the descriptor was handed over.
  func read(at offset: Int, count: Int) throws(IngestError) -> [UInt8] {
    try descriptor.withLock { descriptor throws(IngestError) in
      guard let descriptor else { return [] }
      var bytes = [UInt8](repeating: 0, count: count)
      var filled = 0
      while filled < count {
        let read = unsafe bytes.withUnsafeMutableBytes { bytes in
          unsafe pread(
            descriptor, bytes.baseAddress?.advanced(by: filled), count - filled, offset + filled)
        }
        if read < 0, errno == EINTR { continue }
        guard read >= 0 else { throw MediaFolder.failure("cannot read an image") }
        guard read > 0 else { break }
        filled += read
      }
      return Array(bytes.prefix(filled))
    }
  }

  /// Hands over the descriptor, which the caller must close; nil the second time.
  func take() -> Int32? {
    descriptor.withLock { descriptor in
      defer { descriptor = nil }
      return descriptor
    }
  }
}
