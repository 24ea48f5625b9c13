// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HealthRecords
import SantorioConcurrency
import SantorioJSON

/// All data of a user as lines of JSON, made part by part.
///
/// Each line is an object with one member that names its kind: the user, its tokens (without their
/// text), every revision of every record, images, rejected items, and the audit log lines about the
/// user. The last line is `end`; an export without it is incomplete.
final class UserExport: Sendable {
  /// The memory that making a part may take, in bytes.
  static let memory = 2 << 20
  /// A multiple of three, so that the base64 of the parts can be concatenated.
  private static let imagePart = 192 << 10
  private static let limit = PageLimit(count: 100, bytes: 256 << 10)

  private enum Stage {
    case user
    case revisions(after: Int64)
    case images(Images)
    case image(OpenImage, offset: Int, then: Images)
    case rejections(after: Int64)
    case audit(after: Int64)
    case end
    case over
  }

  private typealias Images = ArraySlice<(record: Int64, image: StoredMedia)>

  private let account: Account
  private let store: any RecordStore
  private let media: MediaQueue
  private let isAllowed: @Sendable () throws(IngestError) -> Bool
  private let state = Locked((stage: Stage.user, lines: 0))

  /// Creates an export; `isAllowed` is asked before each part whether the caller may still get it.
  init(
    of account: Account, from store: any RecordStore, _ media: MediaQueue,
    while isAllowed: @escaping @Sendable () throws(IngestError) -> Bool
  ) {
    (self.account, self.store, self.media) = (account, store, media)
    self.isAllowed = isAllowed
  }

  /// Makes the next part, which may be empty; nil after the last one.
  ///
  /// - Throws: ``IngestError`` when the storage cannot be read, or when the user was erased or the
  ///   token ended meanwhile.
  func next() throws(IngestError) -> [UInt8]? {
    guard try isAllowed() else {
      throw IngestError(.unavailable, "the token ended during the export")
    }
    guard try store.account(account.path) == account else {
      throw IngestError(.unavailable, "the user was erased during the export")
    }
    return try state.withLock { state throws(IngestError) in
      var part = ExportPart()
      switch state.stage {
      case .user: state.stage = try writeUser(to: &part)
      case .revisions(let after): state.stage = try writeRevisions(after: after, to: &part)
      case .images(let images): state.stage = try write(images, to: &part)
      case .image(let image, let offset, let rest):
        state.stage = try write(image, from: offset, then: rest, to: &part)
      case .rejections(let after): state.stage = try writeRejections(after: after, to: &part)
      case .audit(let after): state.stage = try writeAudit(after: after, to: &part)
      case .end:
        let lines = state.lines
        part.line("end") { $0.optional("lines", lines) }
        state.stage = .over
      case .over: return nil
      }
      state.lines += part.lines
      return part.bytes
    }
  }

  private func writeUser(to part: inout ExportPart) throws(IngestError) -> Stage {
    part.line("user") { json in
      json.optional("id", account.id)
      json.optional("uid", account.uid)
      json.optional("organization", account.organization)
      json.optional("created_at", account.created)
    }
    for token in try store.tokens(of: .user(account.path)) ?? [] {
      part.line("token") { token.writeMembers(to: &$0) }
    }
    return .revisions(after: 0)
  }

  private func writeRevisions(
    after: Int64, to part: inout ExportPart
  ) throws(IngestError) -> Stage {
    let page = try store.history(of: account, after: after, limit: Self.limit)
    for revision in page.elements { part.line("revision") { revision.writeMembers(to: &$0) } }
    if let last = page.elements.last, page.isCut { return .revisions(after: last.arrival) }
    return .images(try store.media(of: account)[...])
  }

  private func writeRejections(
    after: Int64, to part: inout ExportPart
  ) throws(IngestError) -> Stage {
    let page = try store.rejections(of: account, after: after, limit: Self.limit)
    for item in page.elements { part.line("rejection") { item.writeMembers(to: &$0) } }
    if let last = page.elements.last, page.isCut { return .rejections(after: last.number) }
    return .audit(after: 0)
  }

  private func writeAudit(after: Int64, to part: inout ExportPart) throws(IngestError) -> Stage {
    let own = Set(try store.tokens(of: .user(account.path)) ?? []).map { "token \($0.id)" }
    let page = try store.auditLines(of: account.path, after: after, limit: Self.limit)
    for line in page.elements {
      part.line("audit") { json in
        json.optional("number", Int(line.number))
        json.optional("at", line.date)
        json.optional("actor", line.actor)
        // The address of an administrator is not disclosed to the user.
        json.optional("address", own.contains(line.actor) ? line.address : nil)
        json.optional("action", line.note.action)
        json.key("detail")
        json.value(Array(line.note.detail.utf8))
      }
    }
    if let last = page.elements.last, page.isCut { return .audit(after: last.number) }
    return .end
  }

  // MARK: - Images

  private func write(_ former: Images, to part: inout ExportPart) throws(IngestError) -> Stage {
    var images = former
    guard let next = images.popFirst() else { return .rejections(after: 0) }
    guard let image = try media.open(next.image.description.digest) else {
      // Deleted meanwhile with its record, or damaged; the log reports damage.
      part.line("image") { next.image.writeMembers(to: &$0, of: next.record) }
      return .images(images)
    }
    part.beginImage(next.image, of: next.record)
    return .image(image, offset: 0, then: images)
  }

  private func write(
    _ image: OpenImage, from offset: Int, then rest: Images, to part: inout ExportPart
  ) throws(IngestError) -> Stage {
    let bytes = try image.read(at: offset, count: Self.imagePart)
    part.append(Data(bytes).base64EncodedString())
    let end = offset + bytes.count
    guard !bytes.isEmpty || end >= image.size else {
      throw IngestError(.unavailable, "an image file was truncated while it was read")
    }
    guard end >= image.size else { return .image(image, offset: end, then: rest) }
    part.endImage()
    return .images(rest)
  }
}

/// Some lines of an export.
private struct ExportPart {
  private(set) var bytes: [UInt8] = []
  private(set) var lines = 0

  /// Adds a line: an object with one member, an object.
  mutating func line(_ name: String, _ members: (inout JSONWriter) -> Void) {
    var json = JSONWriter()
    json.object { json in
      json.key(text: name)
      json.object(members)
    }
    // In the JSON text as sent, a line break is only whitespace.
    bytes += json.bytes.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 }
    endLine()
  }

  /// Starts the line of an image, up to its content.
  mutating func beginImage(_ image: StoredMedia, of record: Int64) {
    var json = JSONWriter()
    json.object { image.writeMembers(to: &$0, of: record) }
    bytes += #"{"image":"#.utf8 + json.bytes.dropLast() + #","content":""#.utf8
  }

  mutating func append(_ text: String) { bytes += text.utf8 }

  mutating func endImage() {
    bytes += #""}}"#.utf8
    endLine()
  }

  private mutating func endLine() {
    bytes.append(0x0a)
    lines += 1
  }
}

extension StoredMedia {
  /// Writes the members of an image without its content, as named in the API description.
  fileprivate func writeMembers(to json: inout JSONWriter, of record: Int64) {
    json.optional("record", String(record))
    json.optional("id", String(id))
    json.optional("sha256", description.digest.hex)
    json.optional("content_type", description.type.rawValue)
    json.optional("size", description.size)
  }
}
