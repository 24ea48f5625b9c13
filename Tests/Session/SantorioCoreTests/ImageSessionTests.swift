// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

/// What becomes of images when their record is refused, replaced or archived, and sessions change.
@Suite(.timeLimit(.minutes(15))) struct `Images of several sessions` {
  let folder: TemporaryFolder
  let outbox: Outbox

  init() async throws {
    folder = try TemporaryFolder()
    outbox = try await folder.openOutbox()
    _ = try await outbox.begin(alice)
  }

  private func image(_ logID: String, _ bytes: [UInt8] = [1, 2, 3]) -> ImageItem {
    let media = RecordMedia(of: bytes, contentType: "image/png")
    return ImageItem(
      logID: logID, digest: media.sha256, contentType: media.contentType, bytes: bytes)
  }

  private func submit(_ logID: String, systolic: Double = 120) async throws {
    try await outbox.submit([reading(logID, systolic: systolic)], images: [image(logID)])
  }

  private func session() async throws -> Int64 { try #require(try await outbox.session()).id }

  /// Settles all that waits.
  private func settle(_ result: DeliveryResult) async throws {
    let session = try await session()
    let rows = try await outbox.claim(session, count: 9, bytes: 1 << 20)
    try await outbox.settle(rows.map { ($0, result) }, session: session)
  }

  private func due() async throws -> String? {
    try await outbox.claimImage(session())?.row.logID
  }

  private static let refused = DeliveryResult.rejected(
    RecordFailure(status: 422, code: "bad", message: "no", path: nil))
  private static let submitted = DeliveryResult.stored(serverID: nil)

  @Test func `are sent in the next session of the same user when their record was sent before`()
    async throws
  {
    try await submit("a")
    try await settle(Self.submitted)
    _ = try await outbox.endSession()

    _ = try await outbox.begin(bob)
    #expect(try await due() == nil)
    _ = try await outbox.begin(alice)

    #expect(try await due() == "a")
    #expect(try await outbox.imageCount() == 1)
  }

  @Test func `return to the queue with their record from the archive`() async throws {
    try await submit("a")
    let ended = try #require(try await outbox.endSession())
    #expect(try await outbox.imageCount() == 0)
    _ = try await outbox.begin(alice)
    #expect(try await due() == nil)

    try await outbox.submit(ended.unsentRecords)
    #expect(try await due() == nil)
    try await outbox.removeArchive(try #require(ended.archive))
    try await settle(Self.submitted)

    #expect(try await due() == "a")
  }

  @Test func `stay with their user when another user's record has the same identifier`()
    async throws
  {
    try await submit("a")
    _ = try await outbox.endSession()
    _ = try await outbox.begin(bob)

    try await outbox.submit([reading("a")])
    try await settle(Self.submitted)

    #expect(try await due() == nil)
  }

  @Test func `are sent when their record was refused first and stored after a correction`()
    async throws
  {
    try await submit("a", systolic: 999)
    try await settle(Self.refused)
    #expect(try await due() == nil)

    try await submit("a", systolic: 120)
    try await settle(Self.submitted)
    #expect(try await due() == "a")
    let kept = try await outbox.quarantine().map(\.id)
    #expect(try await outbox.discardQuarantined(kept) == 1)

    #expect(try await due() == "a")
  }

  @Test func `of a refused record outlive an archive of the same session`() async throws {
    try await submit("a")
    try await settle(Self.refused)
    try await submit("b")
    let archive = try #require(try await outbox.endSession()?.archive)

    try await outbox.removeArchive(archive)
    _ = try await outbox.begin(alice)
    #expect(try await outbox.retryQuarantined(nil) == 1)
    try await settle(Self.submitted)

    #expect(try await due() == "a")
  }

  @Test func `whose file is damaged are repaired by submitting them again`() async throws {
    try await submit("a")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("images")).first)
    try Data([9]).write(to: URL(fileURLWithPath: folder.path("images/\(name)")))
    try await settle(Self.submitted)
    #expect(try await due() == nil)
    #expect(try await outbox.refusedImages().map(\.failure.code) == ["damaged"])

    try await submit("a")
    try await settle(Self.submitted)

    #expect(try await due() == "a")
  }

  @Test func `that were refused can be discarded, with their files`() async throws {
    try await submit("a")
    try await settle(Self.submitted)
    let claimed = try #require(try await outbox.claimImage(session()))
    try await outbox.settle(claimed.row, .rejected(.imagesNotTaken))
    let refused = try await outbox.refusedImages()

    #expect(try await outbox.discardImages(refused) == 1)
    #expect(try await outbox.discardImages(refused) == 0)

    #expect(try await outbox.refusedImages().isEmpty)
    #expect(try await outbox.imageBytes(claimed.row.digest) == nil)
    #expect(try await outbox.usedBytes() < 1 << 20)
  }

  @Test func `that were refused are released for their own user only`() async throws {
    try await submit("a")
    try await settle(Self.submitted)
    let claimed = try #require(try await outbox.claimImage(session()))
    try await outbox.settle(claimed.row, .rejected(.imagesNotTaken))

    _ = try await outbox.begin(bob)
    #expect(try await outbox.retryImages() == 0)
    _ = try await outbox.begin(alice)
    #expect(try await outbox.retryImages() == 1)

    #expect(try await due() == "a")
  }
}
