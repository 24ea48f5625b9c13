// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

/// What is taken along to a new phone: all that a user has on the old one.
@Suite(.timeLimit(.minutes(15))) struct `Exports of the queue` {
  private static let passphrase = "a long enough passphrase"
  private static let failure = RecordFailure(status: 422, code: "bad", message: "no", path: "x")

  let phones: (old: TemporaryFolder, new: TemporaryFolder)
  let old: Outbox

  init() async throws {
    phones = (try TemporaryFolder(), try TemporaryFolder())
    old = try await phones.old.openOutbox()
  }

  private var file: URL { phones.new.url.appendingPathComponent("readings.export") }

  /// Everything that an export holds, and an archive of Bob's.
  private func fill() async throws {
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

  private func image(_ logID: String) -> ImageItem {
    let bytes = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(logID.utf8)
    let media = RecordMedia(of: bytes, contentType: "image/png")
    return ImageItem(
      logID: logID, digest: media.sha256, contentType: media.contentType, bytes: bytes)
  }

  private func settle(
    _ outbox: Outbox, _ logID: String, _ result: DeliveryResult
  ) async throws {
    let session = try #require(try await outbox.session()).id
    let rows = try await outbox.claim(session, count: 99, bytes: 1 << 20)
    try await outbox.settle(
      rows.filter { $0.logID == logID }.map { ($0, result) }, session: session)
  }

  /// Exports with a key that is made quickly.
  @discardableResult
  private func export(_ passphrase: String = Self.passphrase) async throws -> QueueExport {
    let key = try ExportKey(passphrase: passphrase, iterations: 1)
    return try await old.export(to: file.path, key)
  }

  private func take(
    _ outbox: Outbox, _ passphrase: String = Self.passphrase, allowingIncomplete: Bool = false
  ) async throws -> QueueExport {
    let key = try ExportReader.key(of: file, passphrase: passphrase)
    return try await outbox.takeExport(file, key, allowingIncomplete: allowingIncomplete)
  }

  /// The outbox of the new phone, with a session of a user.
  private func arrived(_ user: SantorioUser? = alice) async throws -> Outbox {
    let outbox = try await phones.new.openOutbox()
    if let user { _ = try await outbox.begin(user) }
    return outbox
  }

  private static func expected(_ change: (inout QueueExport) -> Void = { _ in }) -> QueueExport {
    var export = QueueExport()
    (export.waiting, export.held, export.refused, export.images) = (3, 3, 1, 3)
    change(&export)
    return export
  }

  private func expectNothing(_ outbox: Outbox) async throws {
    #expect(try await outbox.count() == 0)
    #expect(try await outbox.quarantineCount() == 0)
    #expect(await outbox.images.digests() == [])
  }

  private func expect(
    _ code: SessionError.Code, _ message: String? = nil, _ comment: Comment? = nil,
    _ body: () async throws -> QueueExport
  ) async {
    let error = await #expect(throws: SessionError.self, comment) { try await body() }
    #expect(error?.code == code, comment)
    if let message { #expect(error?.message.contains(message) == true, comment) }
  }

  // MARK: - Taking along

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

  // MARK: - Damage

  /// Where the frames of an export begin, and its end.
  private func places(_ bytes: Data) -> [Int] {
    var places = [ExportKey.headerSize]
    while let place = places.last, place + 4 <= bytes.count {
      let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      places.append(place + 4 + size)
    }
    return places
  }

  @Test func `that end early are refused, or taken as far as they go`() async throws {
    try await fill()
    try await export()
    let whole = try Data(contentsOf: file)
    let places = places(whole)
    #expect(places.last == whole.count)
    #expect(places.count == 14)

    for (index, place) in places.dropLast().enumerated() {
      for end in [place, place + 2, place + 20] {
        try whole.prefix(end).write(to: file)
        let new = try await arrived()
        await expect(.exportDamaged, "ends too early", "\(end)") { try await take(new) }
        try await expectNothing(new)
        guard index > 0 else { continue }
        let taken = try await take(new, allowingIncomplete: true)
        #expect(!taken.isComplete)
        #expect(taken.records + taken.images + taken.leftOut == index - 1)
        #expect(try await new.count() == taken.waiting + taken.held)
        try await empty(new)
      }
    }
  }

  private func empty(_ outbox: Outbox) async throws {
    try SQLiteDatabase(path: phones.new.path("outbox.sqlite")).execute(
      "DELETE FROM q; DELETE FROM quarantine; DELETE FROM image")
    for digest in await outbox.images.digests() { await outbox.images.remove(digest) }
  }

  @Test func `with any changed byte are refused`() async throws {
    try await fill()
    try await export()
    let whole = try Data(contentsOf: file)
    let new = try await arrived()
    var random = SeededGenerator(seed: 5)
    let places =
      Array(0..<ExportKey.headerSize + 80)
      + (0..<cases(few: 60, many: 2000)).map { _ in
        Int.random(in: whole.indices, using: &random)
      }

    for place in places where !(17..<21).contains(place) {
      var bytes = whole
      bytes[place] ^= UInt8(1 << Int.random(in: 0...7, using: &random))
      try bytes.write(to: file)
      let error = await #expect(throws: SessionError.self, "\(place)") { try await take(new) }
      #expect(
        [.exportDamaged, .wrongPassphrase, .storageIsNewer].contains(try #require(error).code),
        "\(place)")
    }
    try await expectNothing(new)
  }

  @Test func `with parts of another place or file are refused`() async throws {
    try await fill()
    try await export()
    let bytes = try Data(contentsOf: file)
    let places = places(bytes)
    func part(_ index: Int) -> Data { bytes[places[index]..<places[index + 1]] }
    let head = bytes.prefix(places[2])
    let new = try await arrived()

    try (head + part(3) + part(2) + bytes[places[4]...]).write(to: file)
    await expect(.exportDamaged, "damaged after 2 parts") { try await take(new) }
    try (head + bytes[places[3]...]).write(to: file)
    await expect(.exportDamaged, "damaged after 2 parts") { try await take(new) }
    try (bytes + part(2)).write(to: file)
    #expect(try await take(new).isComplete)
  }

  @Test func `of another kind are refused with the reason`() async throws {
    let new = try await arrived()
    func refuses(
      _ bytes: Data, _ message: String, _ code: SessionError.Code = .exportDamaged
    ) async throws {
      try bytes.write(to: file)
      await expect(code, message) { try await take(new) }
    }
    try await refuses(Data(), "is not an export")
    try await refuses(Data("hello".utf8), "is not an export")
    let magic = Data("SANTORIO EXPORT\n".utf8)
    try await refuses(magic + [1, 0, 0], "ends too early")
    try await refuses(magic + [2] + Data(count: 20), "update the library", .storageIsNewer)
    try await refuses(magic + [0] + Data(count: 20), "first bytes")
    try await refuses(magic + [1] + Data(count: 20), "first bytes")
    try await refuses(magic + [1, 255, 255, 255, 255] + Data(count: 16), "first bytes")
    let small = magic + [1, 0, 0, 0, 1] + Data(count: 16)
    try await refuses(small, "ends too early")
    try await refuses(small + [255, 255, 255, 255], "the beginning of the file", .wrongPassphrase)
    try FileManager.default.removeItem(at: file)
    await expect(.storageFailed, "cannot read readings.export") { try await take(new) }
  }

  /// Whoever knows the passphrase could write anything.
  @Test(arguments: [
    ExportFrame(.record(logID: "other", held: .no), Array(#"{"log_id":"a"}"#.utf8)),
    ExportFrame(.record(logID: "a", held: .no), [1, 2, 3]),
    ExportFrame(.refused(logID: "a", at: 0, failure: nil), [1, 2, 3]),
    ExportFrame(.owner(userID: "bob", organizationID: "acme")),
    ExportFrame(
      .image(
        ExportedImage(
          logID: "a", digest: "../../outbox-key.token", contentType: "image/png", isReleased: true,
          failure: nil)), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
  ])
  func `with parts that make no sense are refused`(frame: ExportFrame) async throws {
    let key = try ExportKey(passphrase: Self.passphrase, iterations: 1)
    var writer = try ExportWriter(to: file.path, key)
    try writer.write(.owner(userID: "alice", organizationID: "acme"))
    try writer.write(frame.item, frame.bytes)
    try writer.finish()
    let new = try await arrived()

    await expect(.exportDamaged) { try await take(new) }
    try await expectNothing(new)
  }

  @Test func `that do not begin with their owner are refused`() async throws {
    let key = try ExportKey(passphrase: Self.passphrase, iterations: 1)
    for isEmpty in [true, false] {
      var writer = try ExportWriter(to: file.path, key)
      if !isEmpty {
        try writer.write(.refused(logID: "a", at: 0, failure: nil), [])
      }
      try writer.finish()
      let new = try await arrived()
      await expect(.exportDamaged) { try await take(new, allowingIncomplete: true) }
      try await expectNothing(new)
    }
  }

  @Test func `that do not fit are not taken in part`() async throws {
    _ = try await old.begin(alice)
    try await old.submit((0..<300).map { reading("\($0)") }, images: [image("1")])
    try await export()
    let new = Outbox(
      folder: phones.new.url, maximumBytes: 120_000,
      credentials: CredentialFiles(folder: phones.new.url),
      now: { Date(timeIntervalSince1970: 1_772_600_000) })
    _ = try await new.begin(alice)

    await expect(.outboxFull) { try await take(new) }
    try await expectNothing(new)
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
