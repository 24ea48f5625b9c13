// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An export that is being written; it appears in its place whole, or not at all.
///
/// The draft lies beside the place, under a name that nobody knows before. An app may write to a
/// place that its user has chosen, but not beside it: then the draft is in the temporary folder,
/// and copied at the end.
struct ExportDraft: ~Copyable {
  private let path: String
  private let draft: String
  private let descriptor: Int32
  private let isBeside: Bool
  private var isCommitted = false

  /// - Throws: ``SessionError`` when there is no place for it.
  init(for path: String) throws(SessionError) {
    let url = URL(fileURLWithPath: path)
    let name = ".\(url.lastPathComponent).\(UUID().uuidString.prefix(8)).part"
    var draft = url.deletingLastPathComponent().appendingPathComponent(name).path
    var descriptor = Self.create(draft)
    isBeside = descriptor >= 0 || ![EPERM, EACCES].contains(errno)
    if !isBeside {
      draft = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
      descriptor = Self.create(draft)
    }
    guard descriptor >= 0 else { throw SessionError(errno: errno, "create", path) }
    self.path = path
    self.draft = draft
    self.descriptor = descriptor
  }

  private static func create(_ path: String) -> Int32 {
    unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  deinit {
    close(descriptor)
    if !isCommitted { unsafe unlink(draft) }
  }

  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws(SessionError) { try Self.write(bytes, descriptor, path) }

  private static func write(
    _ bytes: [UInt8], _ descriptor: Int32, _ path: String
  ) throws(SessionError) {
    guard DurableFile.write(bytes, to: descriptor) else {
      throw SessionError(errno: errno, "write", path)
    }
  }

  /// Puts the file in its place; once this returns, it survives a power loss.
  ///
  /// - Parameter isReplacing: Whether it takes the place of another file.
  /// - Throws: ``SessionError``, of code `storageFailed` also when there is another file.
  consuming func commit(replacing isReplacing: Bool) throws(SessionError) {
    guard fsync(descriptor) == 0 else { throw SessionError(errno: errno, "save", path) }
    guard isBeside else { return try copy(replacing: isReplacing) }
    if unsafe isReplacing ? rename(draft, path) != 0 : !Self.place(draft, path) {
      // Not each file system can name a file only where there is none.
      guard !isReplacing, [EPERM, ENOTSUP, ENOSYS].contains(errno) else {
        throw SessionError(errno: errno, "save", path)
      }
      return try copy(replacing: false)
    }
    isCommitted = true
    try DurableFile.synchronizeFolder(of: path)
  }

  /// Gives a file another name, unless that exists.
  private static func place(_ draft: String, _ path: String) -> Bool {
    #if canImport(Darwin)
      return unsafe renamex_np(draft, path, UInt32(RENAME_EXCL)) == 0
    #else
      guard unsafe link(draft, path) == 0 else { return false }
      unsafe unlink(draft)
      return true
    #endif
  }

  private func copy(replacing isReplacing: Bool) throws(SessionError) {
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (isReplacing ? O_TRUNC : O_EXCL)
    let target = unsafe open(path, flags, 0o600)
    guard target >= 0 else { throw SessionError(errno: errno, "create", path) }
    defer { close(target) }
    fchmod(target, 0o600)
    var part = [UInt8](repeating: 0, count: 1 << 20)
    var place: off_t = 0
    while true {
      let count = unsafe pread(descriptor, &part, part.count, place)
      guard count >= 0 else { throw SessionError(errno: errno, "read", draft) }
      guard count > 0 else { break }
      try Self.write(Array(part[..<count]), target, path)
      place += off_t(count)
    }
    guard fsync(target) == 0 else { throw SessionError(errno: errno, "save", path) }
  }
}
