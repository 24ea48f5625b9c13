// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import SantorioConcurrency
import SantorioCryptography

/// Images as files in one folder, named by their digest.
///
/// A file gets its name once all of it is on disk: it is written under a temporary name,
/// synchronised and renamed, and then the folder is synchronised.
struct MediaFolder: MediaStore {
  private static let partial = ".part"
  /// The file that identifies the storage of the images.
  private static let note = ".storage"

  let path: String
  /// The names of the files that are being written.
  private let writing = Locked<Set<String>>([])

  /// Opens or creates the folder, accessible to its owner only.
  init(path: String) throws(IngestError) {
    self.path = path
    if unsafe mkdir(path, 0o700) == 0 {
      try Self.synchronize(path + "/..")
    } else if errno != EEXIST {
      throw Self.failure("cannot create the image folder; its parent must be writable")
    }
    try synchronize()
  }

  func makePartial(_ digest: MediaDigest) throws(IngestError) -> PartialImage {
    let name = "\(digest.hex)-\(try AccessToken.randomHex(bytes: 8))\(Self.partial)"
    writing.withLock { _ = $0.insert(name) }
    return try PartialImage(digest, path: "\(path)/\(name)") { [writing] in
      writing.withLock { _ = $0.remove(name) }
    }
  }

  func keep(_ partial: PartialImage) throws(IngestError) {
    try partial.rename(to: file(partial.digest))
    try synchronize()
  }

  func open(_ digest: MediaDigest) throws(IngestError) -> OpenImage? {
    let descriptor = unsafe Glibc.open(file(digest), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw Self.failure("cannot read an image")
    }
    let found: (digest: String, size: Int)
    do throws(IngestError) {
      found = try Self.digest(of: descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    let image = OpenImage(descriptor, size: found.size)
    return found.digest == digest.hex ? image : nil
  }

  /// Reads a file without changing its offset.
  private static func digest(
    of descriptor: Int32
  ) throws(IngestError) -> (digest: String, size: Int) {
    var digest = SHA256Stream()
    var size = 0
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = unsafe Glibc.pread(descriptor, &buffer, buffer.count, size)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("cannot read an image") }
      guard count > 0 else { return (digest.finish(), size) }
      digest.update(buffer[..<count])
      size += count
    }
  }

  func remove(_ digest: MediaDigest) throws(IngestError) { try remove(digest.hex) }

  func removePartials() throws(IngestError) {
    for name in try names() where name.hasSuffix(Self.partial) {
      let isImageFile = MediaDigest(hex: String(name.prefix(64))) != nil
      if isImageFile, !writing.withLock({ $0.contains(name) }) { try remove(name) }
    }
  }

  func images(olderThan date: Date) throws(IngestError) -> [MediaDigest] {
    try names().filter { isOlder($0, than: date) }.compactMap(MediaDigest.init(hex:))
  }

  func belongs(to storage: String) throws(IngestError) -> Bool {
    if let owner = try owner() { return owner == storage }
    // Images without the note may belong to any storage.
    guard try !names().contains(where: { MediaDigest(hex: $0) != nil }) else { return false }
    try note(owner: storage)
    return true
  }

  /// The storage of the images; nil if it is not noted.
  private func owner() throws(IngestError) -> String? {
    let descriptor = unsafe Glibc.open("\(path)/\(Self.note)", O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw Self.failure(Self.ownerUnreadable)
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw Self.failure(Self.ownerUnreadable) }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  private func note(owner storage: String) throws(IngestError) {
    let flags = O_CREAT | O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
    let draft = "\(path)/\(Self.note).new"
    let descriptor = unsafe Glibc.open(draft, flags, 0o600)
    guard descriptor >= 0 else { throw Self.failure(Self.unwritable) }
    let bytes = Array(storage.utf8)
    let count = unsafe Glibc.write(descriptor, bytes, bytes.count)
    let isKept = count == bytes.count && fsync(descriptor) == 0
    close(descriptor)
    guard isKept, unsafe rename(draft, "\(path)/\(Self.note)") == 0 else {
      throw Self.failure(Self.unwritable)
    }
    try synchronize()
  }

  private func isOlder(_ name: String, than date: Date) -> Bool {
    var status = stat()
    guard unsafe lstat("\(path)/\(name)", &status) == 0 else { return false }
    return Double(status.st_mtim.tv_sec) < date.timeIntervalSince1970
  }

  private func file(_ digest: MediaDigest) -> String { "\(path)/\(digest.hex)" }

  private func remove(_ name: String) throws(IngestError) {
    guard unsafe unlink("\(path)/\(name)") == 0 || errno == ENOENT else {
      throw Self.failure("cannot remove an image")
    }
    try synchronize()
  }

  private func names() throws(IngestError) -> [String] {
    guard let folder = unsafe opendir(path) else {
      throw Self.failure("cannot read the image folder")
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

  static let unwritable = "cannot write an image"
  private static let ownerUnreadable = "cannot read which storage the image folder belongs to"

  private static func synchronize(_ path: String) throws(IngestError) {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("cannot open the image folder") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("cannot write the image folder") }
  }

  static func failure(_ message: String) -> IngestError {
    let isFull = errno == ENOSPC || errno == EDQUOT
    let cause = unsafe String(cString: strerror(errno))
    return isFull
      ? IngestError(.storageFull, "the disk is full; free some space and the server continues")
      : IngestError(.unavailable, message, cause: cause)
  }
}
