// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Images as files in one folder, named by their digest.
///
/// A file appears under its name when all of it is on the disk: it is written beside, synchronised
/// and renamed, and then the folder is synchronised.
struct MediaFolder: MediaStore {
  private static let partial = ".part"

  let path: String

  /// Opens or makes the folder, for its owner only.
  init(path: String) throws(IngestError) {
    self.path = path
    if unsafe mkdir(path, 0o700) == 0 {
      try Self.synchronize(path + "/..")
    } else if errno != EEXIST {
      throw Self.failure("the folder of images cannot be made; its parent must be writable")
    }
    try synchronize()
  }

  func write(_ octets: [UInt8], as digest: MediaDigest) throws(IngestError) {
    let partial = file(digest) + Self.partial
    do throws(IngestError) {
      try Self.write(octets, to: partial)
      guard unsafe rename(partial, file(digest)) == 0 else { throw Self.failure(Self.unwritable) }
      try synchronize()
    } catch {
      unsafe unlink(partial)
      throw error
    }
  }

  func read(_ digest: MediaDigest) throws(IngestError) -> [UInt8]? {
    let descriptor = unsafe open(file(digest), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw Self.failure("an image cannot be read")
    }
    defer { close(descriptor) }
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.failure("an image cannot be read") }
      guard count > 0 else { break }
      octets += buffer.prefix(count)
    }
    return MediaDigest(of: octets) == digest ? octets : nil
  }

  func remove(_ digest: MediaDigest) throws(IngestError) { try remove(digest.hex) }

  func tidy() throws(IngestError) -> [MediaDigest] {
    var digests: [MediaDigest] = []
    for name in try names() {
      if let digest = MediaDigest(hex: name) {
        digests.append(digest)
      } else if name.hasSuffix(Self.partial),
        MediaDigest(hex: String(name.dropLast(Self.partial.count))) != nil
      {
        try remove(name)
      }
    }
    return digests
  }

  private func file(_ digest: MediaDigest) -> String { "\(path)/\(digest.hex)" }

  private func remove(_ name: String) throws(IngestError) {
    guard unsafe unlink("\(path)/\(name)") == 0 || errno == ENOENT else {
      throw Self.failure("an image cannot be removed")
    }
    try synchronize()
  }

  private func names() throws(IngestError) -> [String] {
    guard let folder = unsafe opendir(path) else {
      throw Self.failure("the folder of images cannot be read")
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      names.append(name)
    }
    return names
  }

  private func synchronize() throws(IngestError) { try Self.synchronize(path) }

  // MARK: - System calls

  private static let unwritable = "an image cannot be written"

  private static func write(_ octets: [UInt8], to path: String) throws(IngestError) {
    let flags = O_CREAT | O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
    let descriptor = unsafe open(path, flags, 0o600)
    guard descriptor >= 0 else { throw failure(unwritable) }
    defer { close(descriptor) }
    var rest = octets[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { rest in
        unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(unwritable) }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0 else { throw failure(unwritable) }
  }

  private static func synchronize(_ path: String) throws(IngestError) {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("the folder of images cannot be opened") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("the folder of images cannot be written") }
  }

  private static func failure(_ message: String) -> IngestError {
    let isFull = errno == ENOSPC || errno == EDQUOT
    let cause = unsafe String(cString: strerror(errno))
    return isFull
      ? IngestError(.storageFull, "the disk is full; make room and the server goes on by itself")
      : IngestError(.unavailable, message, cause: cause)
  }
}
