// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

/// What is taken along to a new phone: all that a user has on the old one.
@Suite(.timeLimit(.minutes(15))) struct `Exports of the queue` {
  static let passphrase = "a long enough passphrase"
  static let failure = RecordFailure(status: 422, code: "bad", message: "no", path: "x")

  let phones: (old: TemporaryFolder, new: TemporaryFolder)
  let old: Outbox

  init() async throws {
    phones = (try TemporaryFolder(), try TemporaryFolder())
    old = try await phones.old.openOutbox()
  }

  var file: URL { phones.new.url.appendingPathComponent("readings.export") }

  /// Everything that an export holds, and an archive of Bob's.
  func fill() async throws {
    _ = try await old.begin(bob)
    try await old.submit([reading("of-bob")])
    _ = try await old.begin(alice)
    try await old.submit(
      [reading("a", systolic: 111), reading("earlier")], images: [image("earlier")])
    try await old.hold([reading("earlier-held")])
    _ = try await old.endSession()
    _ = try await old.begin(alice)
    try await old.submit([reading("refused"), reading("sent")], images: [image("sent")])
    try await settle(old, "sent", .stored(serverID: nil))
    try await settle(old, "refused", .rejected(Self.failure))
    try await old.submit([reading("a")], images: [image("a")])
    try await old.submit([reading("b")])
    try await old.hold([reading("held"), reading("declined")])
    try await old.decline(["declined"], keeping: 9)
  }

  func image(_ logID: String) -> ImageItem {
    let bytes = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(logID.utf8)
    let media = RecordMedia(of: bytes, contentType: "image/png")
    return ImageItem(
      logID: logID, digest: media.sha256, contentType: media.contentType, bytes: bytes)
  }

  func settle(
    _ outbox: Outbox, _ logID: String, _ result: DeliveryResult
  ) async throws {
    let session = try #require(try await outbox.session()).id
    let rows = try await outbox.claim(session, count: 99, bytes: 1 << 20)
    try await outbox.settle(
      rows.filter { $0.logID == logID }.map { ($0, result) }, session: session)
  }

  /// Exports with a key that is made quickly.
  @discardableResult
  func export(_ passphrase: String = Self.passphrase) async throws -> QueueExport {
    let key = try ExportKey(passphrase: passphrase, iterations: 1)
    return try await old.export(to: file.path, key)
  }

  func take(
    _ outbox: Outbox, _ passphrase: String = Self.passphrase, allowingIncomplete: Bool = false
  ) async throws -> QueueExport {
    let source = try ExportSource(file)
    return try await QueueImport(
      source: source, key: source.key(of: passphrase), allowsIncomplete: allowingIncomplete,
      outbox: outbox
    ).run()
  }

  /// The outbox of the new phone, with a session of a user.
  func arrived(_ user: SantorioUser? = alice) async throws -> Outbox {
    let outbox = try await phones.new.openOutbox()
    if let user { _ = try await outbox.begin(user) }
    return outbox
  }

  static func expected(_ change: (inout QueueExport) -> Void = { _ in }) -> QueueExport {
    var export = QueueExport()
    (export.waiting, export.held, export.refused, export.images) = (3, 3, 1, 3)
    change(&export)
    return export
  }

  func expectNothing(_ outbox: Outbox) async throws {
    #expect(try await outbox.count() == 0)
    #expect(try await outbox.quarantineCount() == 0)
    #expect(await outbox.images.digests() == [])
  }

  func expect(
    _ code: SessionError.Code, _ message: String? = nil, _ comment: Comment? = nil,
    _ body: () async throws -> QueueExport
  ) async {
    let error = await #expect(throws: SessionError.self, comment) { try await body() }
    #expect(error?.code == code, comment)
    if let message { #expect(error?.message.contains(message) == true, comment) }
  }

  // MARK: - Taking along

  @Test func `bring what was sent in parts and what was released, of the user alone`() async throws
  {
    let server = FHIRServer(localURL(), profile: .ehr)
    for user in [alice, bob] {
      _ = try await old.begin(user)
      var ledger = PartLedger()
      ledger.willSend("pulse")
      try await old.note(ledger, as: Outbox.ledgerName(of: "a", user, at: server))
      try await old.hold([reading("h-\(user.userID)")])
      try await old.release(
        ["h-\(user.userID)"], deciding: ["h-\(user.userID)"],
        by: UserDecision(by: "nurse", at: Date()))
    }
    _ = try await old.begin(alice)
    try await export()
    let new = try await arrived()
    _ = try await take(new)

    for source in Outbox.memory {
      let own = try await old.states(of: source).filter { $0.name.device.contains("alice") }
      #expect(own.count == 1)
      #expect(try await new.states(of: source) == own)
    }
    try await new.hold([reading("h-alice")])
    #expect(try await new.held().isEmpty)
  }

  @Test func `bring all that the user has, and nothing of others`() async throws {
    try await fill()
    let export = try await export()
    // The one of the archive is older than the one that waits.
    #expect(export == Self.expected { $0.waiting = 4 })
    #expect(try await old.count() == 4)

    let new = try await arrived()
    let taken = try await take(new)
    #expect(taken == Self.expected { $0.leftOut = 1 })

    #expect(try await new.pending() == [reading("a"), reading("b"), reading("earlier")])
    #expect(
      try await new.held() == [reading("held"), reading("declined"), reading("earlier-held")])
    let refused = try #require(try await new.quarantine().first)
    #expect(try HealthRecord(informJSON: refused.bytes) == reading("refused"))
    #expect(refused.failure == Self.failure)
    #expect(refused.userID == "alice")
    #expect(refused.date == (try await old.quarantine().first?.date))
    #expect(try await new.archives() == [])
    #expect(try await new.imageCount() == 3)

    // What was declined may leave the queue; what is held may not.
    try await new.decline([], keeping: 0)
    #expect(try await new.held() == [reading("held"), reading("earlier-held")])
  }

  @Test func `bring images with their records' state`() async throws {
    try await fill()
    try await export()
    let new = try await arrived()
    _ = try await take(new)
    let session = try #require(try await new.session()).id

    let claimed = try #require(try await new.claimImage(session))
    #expect(claimed.row.logID == "sent")
    #expect(claimed.bytes == image("sent").bytes)
    try await new.settle(claimed.row, .stored(claimed.row.media))
    #expect(try await new.claimImage(session) == nil)
    try await settle(new, "a", .stored(serverID: nil))
    #expect(try await new.claimImage(session)?.row.logID == "a")
  }

  @Test func `bring refused images with the reason`() async throws {
    _ = try await old.begin(alice)
    try await old.submit([reading("a")], images: [image("a")])
    try await settle(old, "a", .stored(serverID: nil))
    let session = try #require(try await old.session()).id
    let claimed = try #require(try await old.claimImage(session))
    try await old.settle(claimed.row, .rejected(Self.failure))
    try await export()
    let new = try await arrived()

    #expect(try await take(new).images == 1)

    #expect(try await new.refusedImages() == (try await old.refusedImages()))
    #expect(try await new.refusedImages().first?.failure == Self.failure)
  }

  @Test func `change nothing when they are imported again`() async throws {
    try await fill()
    try await export()
    let new = try await arrived()
    _ = try await take(new)
    let before = (try await new.pending(), try await new.held(), try await new.quarantine())

    let again = try await take(new)

    var none = QueueExport()
    none.leftOut = 11
    #expect(again == none)
    #expect(try await new.pending() == before.0)
    #expect(try await new.held() == before.1)
    #expect(try await new.quarantine() == before.2)
    #expect(try await new.imageCount() == 3)
  }

  @Test func `leave newer contents and decisions of the new phone as they are`() async throws {
    try await fill()
    try await export()
    let new = try await arrived()
    try await new.submit([reading("a", systolic: 99), reading("held", systolic: 98)])
    try await new.hold([reading("b", systolic: 97)])

    let taken = try await take(new)

    #expect(taken == Self.expected { ($0.waiting, $0.held, $0.leftOut) = (1, 2, 4) })
    #expect(
      try await new.pending() == [
        reading("a", systolic: 99), reading("held", systolic: 98), reading("earlier"),
      ])
    #expect(try await new.held().first == reading("b", systolic: 97))
  }

  @Test func `say how many damaged records they lack`() async throws {
    try await fill()
    try SQLiteDatabase(path: phones.old.path("outbox.sqlite")).execute(
      """
      UPDATE q SET body = x'0102' WHERE log_id = \(phones.old.sqlName("b"));
      UPDATE quarantine SET body = x'0102'
      """)

    let export = try await export()

    #expect(export == Self.expected { ($0.waiting, $0.refused, $0.leftOut) = (3, 0, 2) })
    #expect(try await take(arrived()).isComplete)
  }

  // MARK: - Whose they are

  @Test func `are for the same user only`() async throws {
    try await fill()
    try await export()

    await expect(.noSession) { try await take(arrived(nil)) }
    let new = try await arrived(bob)
    await expect(.otherUser) { try await take(new) }
    var other = alice
    other.organizationID = "other"
    _ = try await new.begin(other)
    await expect(.otherUser) { try await take(new) }
    try await expectNothing(new)
  }

  @Test func `are not made of what belongs to nobody yet`() async throws {
    _ = try await old.begin(.default)
    try await old.submit([reading("a")])
    await expect(.defaultUser, "start a session for a user") { try await export() }
    #expect(try phones.new.names() == [])
  }

  @Test func `stop when another user's session begins`() async throws {
    try await fill()
    try await export()
    let new = try await arrived()
    let number = try await new.admit(.owner(userID: "alice", organizationID: "acme"), bytes: 0)
    _ = try await new.begin(bob)
    let frame = ExportFrame(.refused(logID: "a", at: 0, failure: nil), [1])
    await expect(.sessionEnded) {
      try await new.take([frame], inSession: number, isLast: true)
    }
  }

  @Test func `need a session`() async throws {
    await expect(.noSession) { try await export() }
    #expect(try phones.new.names() == [])
  }

  // MARK: - Passphrases

  @Test func `do not open with another passphrase`() async throws {
    try await fill()
    try await export()
    let new = try await arrived()

    await expect(.wrongPassphrase) { try await take(new, "another long passphrase") }
    await expect(.wrongPassphrase) {
      try await take(new, "another long passphrase", allowingIncomplete: true)
    }
    try await expectNothing(new)
  }

  @Test func `take a passphrase as it is meant`() async throws {
    try await fill()
    // An accent as a character of its own, and as a part of the letter.
    try await export("  gru\u{308}n wie die Wiese\n")
    #expect(try await take(arrived(), "gr\u{FC}n wie die Wiese").waiting == 3)
  }

  @Test(arguments: ["", "elevenchars", "   elevenchars   "])
  func `refuse a short passphrase`(passphrase: String) async throws {
    await expect(.weakPassphrase, "12 characters") { try await export(passphrase) }
  }

  @Test func `get passphrases that nobody guesses or misreads`() {
    let passphrases = (0..<100).map { _ in SantorioSession.randomPassphrase() }
    #expect(Set(passphrases).count == 100)
    for passphrase in passphrases {
      #expect(passphrase.wholeMatch(of: /([a-z2-9]{5}-){3}[a-z2-9]{5}/) != nil)
      #expect(passphrase.allSatisfy { !"ilo01".contains($0) })
    }
  }

  // MARK: - The file

  @Test func `show nothing, and belong to their owner`() async throws {
    try await fill()
    try await export()

    let bytes = try Data(contentsOf: file)
    for text in ["alice", "acme", "log_id", "systolic", "PNG"] {
      #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)")
    }
    #expect(bytes.prefix(16) == Data("SANTORIO EXPORT\n".utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(try phones.new.names() == ["readings.export"])
  }

  @Test func `differ each time`() async throws {
    try await fill()
    try await export()
    let first = try Data(contentsOf: file)
    try await export()
    let second = try Data(contentsOf: file)
    #expect(first.dropFirst(21).prefix(16) != second.dropFirst(21).prefix(16))
    #expect(first.suffix(40) != second.suffix(40))
  }

  @Test func `cost a guess 600,000 iterations`() throws {
    let header = try ExportKey(passphrase: Self.passphrase).header
    #expect(header.dropFirst(17).prefix(4).reduce(0) { $0 << 8 | Int($1) } == 600_000)
  }

  @Test func `are not written beside a full or missing folder`() async throws {
    try await fill()
    let key = try ExportKey(passphrase: Self.passphrase, iterations: 1)
    await expect(.storageFailed, "cannot create x.export") {
      try await old.export(to: phones.new.path("missing/x.export"), key)
    }
    #expect(try await old.count() == 4)
  }

  @Test func `leave other files alone`() async throws {
    try await fill()
    let key = try ExportKey(passphrase: Self.passphrase, iterations: 1)
    try Data("theirs".utf8).write(to: file.appendingPathExtension("tmp"))
    try Data("mine".utf8).write(to: file)
    await expect(.storageFailed, "cannot save readings.export: File exists") {
      try await old.export(to: file.path, key, replacing: false)
    }
    #expect(try Data(contentsOf: file) == Data("mine".utf8))
    try await export()
    #expect(try Data(contentsOf: file.appendingPathExtension("tmp")) == Data("theirs".utf8))
    #expect(try phones.new.names() == ["readings.export", "readings.export.tmp"])
  }

  @Test(arguments: ["x", "archive-7.records", "images/x"])
  func `are not written into the session's folder`(name: String) async throws {
    try await fill()
    let key = try ExportKey(passphrase: Self.passphrase, iterations: 1)
    await expect(.storageFailed, "the session's folder is no place for an export") {
      try await old.export(to: phones.old.path(name), key)
    }
    #expect(!FileManager.default.fileExists(atPath: phones.old.path(name)))
  }

  @Test(arguments: [nil, Data()])
  func `are not made without an archive that cannot be read`(content: Data?) async throws {
    try await fill()
    let name = try #require(try phones.old.names().last { $0.hasSuffix(".records") })
    try FileManager.default.removeItem(atPath: phones.old.path(name))
    if let content { try content.write(to: URL(fileURLWithPath: phones.old.path(name))) }
    await expect(.storageFailed, "\(name) cannot be read, or is empty") { try await export() }
    #expect(try phones.new.names() == [])
  }

  @Test func `say that an image is gone`() async throws {
    try await fill()
    await old.images.remove(image("a").digest)
    let export = try await export()
    #expect(export.images == 2)
    #expect(export.leftOut == 1)
  }

  @Test func `release images whose record did not come along`() async throws {
    _ = try await old.begin(alice)
    try await old.submit([reading("a")], images: [image("a")])
    try SQLiteDatabase(path: phones.old.path("outbox.sqlite")).execute("UPDATE q SET body = x'01'")
    #expect(try await export().leftOut == 1)
    let new = try await arrived()
    #expect(try await take(new).images == 1)
    let session = try #require(try await new.session()).id
    #expect(try await new.claimImage(session)?.row.logID == "a")
  }

  @Test func `are read from files only`() async throws {
    let new = try await arrived()
    await expect(.storageFailed, "is a folder, a pipe or a device") {
      try await QueueImport(
        source: ExportSource(phones.new.url), key: ExportKey(passphrase: Self.passphrase),
        allowsIncomplete: false, outbox: new
      ).run()
    }
    let pipe = phones.new.path("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(throws: SessionError.self) { try ExportSource(URL(fileURLWithPath: pipe)) }
  }

  @Test func `close no other file when they are none`() async throws {
    let folder = try TemporaryFolder()
    let closedByOthers = await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          (0..<3000).count { _ in
            let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
            return close(descriptor) != 0
          }
        }
      }
      group.addTask {
        for _ in 0..<3000 { _ = try? ExportSource(folder.url) }
        return 0
      }
      return await group.reduce(0, +)
    }
    #expect(closedByOthers == 0)
  }

  @Test func `let others store readings while they are imported`() async throws {
    _ = try await old.begin(alice)
    try await old.submit((0..<1000).map { reading("\($0)") })
    try await export()
    let new = try await arrived()
    let other = try await phones.new.openOutbox()
    let isImporting = Task { try await take(new) }
    try await other.submit((0..<50).map { reading("other \($0)") })
    #expect(try await isImporting.value.waiting == 1000)
    #expect(try await new.count() == 1050)
  }

  // MARK: - A session's

  @Test func `of a session arrive on the server, once`() async throws {
    func session(_ folder: TemporaryFolder, _ transport: ScriptedTransport) -> SantorioSession {
      SantorioSession(configuration(folder, transport, clock: ManualClock()))
    }
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    let passphrase = SantorioSession.randomPassphrase()
    let phone = session(phones.old, transport)
    try await phone.start(alice)
    try await phone.submit([reading("a"), reading("b")])
    let export = try await phone.exportQueue(to: file, passphrase: passphrase)
    #expect(export.description == "2 waiting, 0 held and 0 refused records, 0 images; 0 left out")

    let next = session(try TemporaryFolder(), transport)
    try await next.start(alice)
    let events = next.events
    next.resume()
    let taken = try await next.importQueue(from: file, passphrase: passphrase)
    let delivered = await events.first(2)
    await next.suspend()

    #expect(taken == export)
    #expect(
      delivered == [
        .recordSubmitted(reading("a"), serverID: "s-a"),
        .recordSubmitted(reading("b"), serverID: "s-b"),
      ])
    #expect(transport.batches == [["a", "b"]])
  }
}

extension TemporaryFolder {
  fileprivate func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}
