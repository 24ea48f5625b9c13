// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import HealthRecords
import SantorioJSON

/// The journal of erasures and revoked tokens, in a file beside the storage.
///
/// It prevents a restored backup from bringing them back. A line is on disk before the storage is
/// changed. When the storage is opened, the lines that it has not seen are applied to it: a storage
/// from a backup has seen only the older ones. So the journal must be kept and not be restored
/// with the storage.
///
/// A line is a JSON object: `id`, `at`, `organization`, `user`, and what was erased, see
/// ``JournalEntry/Subject-swift.enum``.
final class ErasureJournal {
  private let path: String
  private(set) var entries: [JournalEntry] = []
  /// Lines that cannot be read; they are kept.
  private let unreadable: [[UInt8]]
  /// How to undo lines whose commit has not succeeded yet; nil if there are none.
  private var undo: Undo?

  private enum Undo {
    /// The previous length of the file and number of entries.
    case cut(length: off_t, count: Int)
    /// The previous entries of the journal.
    case replace(former: [JournalEntry])
  }

  /// Reads the file; a missing file has no entries.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - log: Receives the number of unreadable lines, which are kept.
  /// - Throws: ``IngestError`` when the file exists but cannot be read.
  init(path: String, log: (String) -> Void) throws(IngestError) {
    self.path = path
    let lines = try Self.read(path).split(separator: UInt8(ascii: "\n"))
    var unreadable: [[UInt8]] = []
    for line in lines {
      if let entry = try? JournalEntry(JSONReader(parsing: Array(line))) {
        entries.append(entry)
      } else {
        unreadable.append(Array(line))
      }
    }
    self.unreadable = unreadable
    if !unreadable.isEmpty {
      log("unreadable lines in the erasure journal count=\(unreadable.count)")
    }
  }

  /// Adds entries, pending ``confirm()`` or ``retract()``; they are on disk when this returns.
  ///
  /// Earlier entries of an erased user are removed, since they name the user's records and tokens.
  func append(_ new: some Collection<JournalEntry>) throws(IngestError) {
    let erased = Set(new.filter { $0.subject == .user }.map(\.user))
    let isObsolete = { (entry: JournalEntry) in
      entry.user != nil && entry.subject != .user && erased.contains(entry.user)
    }
    if !erased.isEmpty, entries.contains(where: isObsolete) {
      undo = .replace(former: entries)
      try replace(with: entries.filter { !isObsolete($0) } + new)
    } else {
      undo = .cut(length: length, count: entries.count)
      try write(new.flatMap(\.line), to: path, O_APPEND)
      entries += new
    }
  }

  /// Confirms that the last lines were carried out.
  func confirm() { undo = nil }

  /// Removes lines that were not carried out.
  ///
  /// At the next start they must not erase later data, such as a new record with the same name.
  ///
  /// - Throws: ``IngestError`` when the file cannot be written; then nothing may be committed.
  func retract() throws(IngestError) {
    switch undo {
    case .cut(let length, let count): try cut(to: length, entries: count)
    case .replace(let former): try replace(with: former)
    case nil: return
    }
    undo = nil
  }

  /// The length of the file; 0 if it does not exist.
  private var length: off_t {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status.st_size : 0
  }

  /// Removes lines at the end, which is possible even on a full disk.
  private func cut(to length: off_t, entries count: Int) throws(IngestError) {
    let descriptor = unsafe open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT, length == 0 { return }
      throw Self.failure("cannot be opened")
    }
    defer { close(descriptor) }
    guard ftruncate(descriptor, length) == 0, fsync(descriptor) == 0 else {
      throw Self.failure("cannot be truncated")
    }
    entries.removeLast(entries.count - count)
  }

  private func replace(with all: [JournalEntry]) throws(IngestError) {
    let draft = path + ".new"
    let kept = unreadable.flatMap { $0 + [UInt8(ascii: "\n")] }
    try write(kept + all.flatMap(\.line), to: draft, O_TRUNC)
    guard unsafe rename(draft, path) == 0 else { throw Self.failure("cannot be replaced") }
    try synchronizeFolder()
    entries = all
  }

  // MARK: - System calls

  private static func read(_ path: String) throws(IngestError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw failure("cannot be opened") }
      return []
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("cannot be read") }
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
    }
  }

  private func write(_ bytes: [UInt8], to path: String, _ mode: Int32) throws(IngestError) {
    let isNew = unsafe access(path, F_OK) != 0
    let flags = O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC | mode
    let descriptor = unsafe open(path, flags, 0o600)
    guard descriptor >= 0 else { throw Self.failure("cannot be opened") }
    defer { close(descriptor) }
    // Terminate a line that a crash truncated, so that it does not corrupt the next one.
    var rest = (mode == O_APPEND && !isNew ? [UInt8(ascii: "\n")] : [])[...] + bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure("cannot be written") }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0 else { throw Self.failure("cannot be written") }
    if isNew { try synchronizeFolder() }
  }

  private func synchronizeFolder() throws(IngestError) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure("has a folder that cannot be opened") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Self.failure("cannot be written") }
  }

  private static func failure(_ what: String) -> IngestError {
    let isFull = errno == ENOSPC || errno == EDQUOT
    let cause = unsafe String(cString: strerror(errno))
    return isFull
      ? IngestError(.storageFull, "the disk is full; free some space and the server continues")
      : IngestError(.unavailable, "the erasure journal \(what)", cause: cause)
  }
}

/// Something that was erased or ended.
struct JournalEntry: Hashable, Sendable {
  enum Subject: Hashable, Sendable {
    /// The whole user.
    case user
    /// `record`: one record, by its keyed name in the storage.
    case record([UInt8])
    /// `rejections`: all items rejected until then.
    case rejections
    /// `token`: a token that ends at that time, by its identifier.
    case token(String)
  }

  let id: String
  let date: Date
  let organization: String
  /// The server's identifier of the user; nil for the token of an organisation's administrator.
  let user: String?
  let subject: Subject

  init(_ subject: Subject, of holder: TokenHolder, at date: Date) {
    var generator = SystemRandomNumberGenerator()
    id = Hexadecimal.text((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    self.date = date
    self.subject = subject
    organization = holder.organization
    user = if case .user(let path) = holder { path.id } else { nil }
  }

  /// Reads an entry.
  init(_ json: JSONReader) throws(RecordError) {
    id = try json.member("id").string()
    date = try json.member("at").instant()
    organization = try json.member("organization").string()
    user = try json.optional("user")?.string()
    if let name = try Self.name("record", in: json) {
      subject = .record(name)
    } else if let token = try json.optional("token")?.string() {
      subject = .token(token)
    } else if try json.optional("rejections") != nil {
      subject = .rejections
    } else {
      subject = .user
    }
    if user == nil {
      guard case .token = subject else { throw json.invalid("must name a user") }
    }
  }

  private static func name(
    _ key: String, in json: JSONReader
  ) throws(RecordError) -> [UInt8]? {
    guard let member = try json.optional(key) else { return nil }
    guard let name = Hexadecimal.bytes(try member.string()) else {
      throw member.invalid("must be hexadecimal digits")
    }
    return name
  }

  /// The entry as a line of the file.
  var line: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.optional("id", id)
      json.optional("at", date)
      json.optional("organization", organization)
      json.optional("user", user)
      switch subject {
      case .user: break
      case .record(let name): json.optional("record", Hexadecimal.text(name))
      case .rejections: json.optional("rejections", true)
      case .token(let id): json.optional("token", id)
      }
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }

  var holder: TokenHolder {
    user.map { .user(UserPath(organization: organization, id: $0)) } ?? .organization(organization)
  }
}
