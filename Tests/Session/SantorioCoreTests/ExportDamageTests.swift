// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

// What is not as it was written.
extension `Exports of the queue` {
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
    await expect(.exportDamaged, "part 3 of the export is damaged") { try await take(new) }
    try (head + bytes[places[3]...]).write(to: file)
    await expect(.exportDamaged, "part 3 of the export is damaged") { try await take(new) }
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
    await expect(.storageFailed, "cannot open readings.export") { try await take(new) }
  }

  /// Who knows the passphrase could write anything, and a later version may write other records.
  @Test(arguments: [
    (ExportFrame(.record(logID: "other", held: .no), Array(#"{"log_id":"a"}"#.utf8)), true),
    (ExportFrame(.record(logID: "a", held: .no), [1, 2, 3]), true),
    (ExportFrame(.refused(logID: "a", at: 0, failure: nil), [1, 2, 3]), true),
    (ExportFrame(.owner(userID: "bob", organizationID: "acme")), false),
    (
      ExportFrame(
        .image(
          ExportedImage(
            logID: "a", digest: "../../outbox-key.token", contentType: "image/png",
            isReleased: true, failure: nil)), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
      false
    ),
  ])
  func `keep what cannot be understood`(frame: ExportFrame, isKept: Bool) async throws {
    let key = try ExportKey(passphrase: Self.passphrase, iterations: 1)
    var writer = try ExportWriter(to: file.path, key)
    try writer.write(.owner(userID: "alice", organizationID: "acme"))
    try writer.write(frame.item, frame.bytes)
    try writer.finish()
    let new = try await arrived()

    let taken = try await take(new)

    #expect(taken.refused == (isKept ? 1 : 0))
    #expect(taken.unreadable == (isKept ? 0 : 1))
    #expect(taken.isComplete == isKept)
    #expect(try await new.quarantine().map(\.bytes) == (isKept ? [frame.bytes] : []))
    #expect(try await new.count() == 0)
    #expect(await new.images.digests() == [])
  }

  @Test func `with a damaged part give all others, where that is allowed`() async throws {
    try await fill()
    try await export()
    var bytes = try Data(contentsOf: file)
    bytes[places(bytes)[3] + 40] ^= 1
    try bytes.write(to: file)
    let new = try await arrived()

    await expect(.exportDamaged, "part 4 of the export is damaged") { try await take(new) }
    try await expectNothing(new)
    let taken = try await take(new, allowingIncomplete: true)

    #expect(taken.unreadable == 1)
    #expect(!taken.isComplete)
    #expect(taken.records + taken.images + taken.leftOut == 10)
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
}
