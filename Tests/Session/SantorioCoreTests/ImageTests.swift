// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioSQLite
import TestSupport
import Testing

@testable import SantorioCore

/// Bytes that begin as a JPEG does.
private func photo(_ number: UInt8, size: Int = 1000) -> Data {
  Data([0xff, 0xd8, 0xff, 0xe0, number] + [UInt8](repeating: number, count: size))
}

@Suite(.timeLimit(.minutes(15))) struct `Images` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func session(
    _ transport: ScriptedTransport,
    random: @escaping @Sendable (ClosedRange<Double>) -> Double = { _ in 0 }
  ) async throws -> SantorioSession {
    var configuration = SantorioSession.Configuration(
      directory: folder.url, endpoint: localURL())
    configuration.transport = transport
    configuration.random = random
    configuration.notificationCenter = NotificationCenter()
    let session = SantorioSession(configuration)
    try await session.start(alice)
    return session
  }

  /// Records are stored; images are answered by `answer`, to which the digest of the image is
  /// added.
  private func transport(
    _ answer: @escaping @Sendable (TransportRequest) -> TransportResponse
  ) -> ScriptedTransport {
    ScriptedTransport { request, _ in
      guard request.method == "PUT" else { return ScriptedTransport.stored(request) }
      var response = answer(request)
      guard response.status == 201 else { return .success(response) }
      let rest = String(decoding: response.body, as: UTF8.self).dropFirst()
      let digest = #"{"sha256":"\#(request.url.lastPathComponent)""#
      response.body = Array((rest.isEmpty ? "\(digest)}" : "\(digest),\(rest)").utf8)
      return .success(response)
    }
  }

  private func files() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path("images"))) ?? []).sorted()
  }

  @Test func `are sent after their record, reported with the server's address, and removed`()
    async throws
  {
    let transport = transport { _ in
      TransportResponse(201, #"{"id":"m7","url":"/v1/media/m7"}"#)
    }
    let session = try await session(transport)
    try await session.submit(reading("a"), image: photo(1))
    let digest = try #require(try await session.pendingRecords().first?.media.first?.sha256)
    #expect(files() == [digest])
    #expect(try await session.pendingImageCount() == 1)

    let delivered = await session.runUntilDelivered(2)

    #expect(transport.sent.map(\.method) == ["GET", "POST", "PUT"])
    let request = try #require(transport.sent.last)
    #expect(request.url.path.hasSuffix("/users/alice/records/a/media/\(digest)"))
    #expect(request.body == Array(photo(1)))
    #expect(request.headers.contains(TransportHeader("Content-Type", "image/jpeg")))
    guard case .recordSubmitted(let record, _) = delivered[0] else {
      Issue.record("\(delivered)")
      return
    }
    #expect(
      record.media == [RecordMedia(sha256: digest, contentType: "image/jpeg", byteCount: 1005)])
    #expect(
      delivered[1]
        == .imageSubmitted(
          RecordMedia(
            sha256: digest, contentType: "image/jpeg", byteCount: 1005, id: "m7",
            url: "/v1/media/m7"), logID: "a"))
    #expect(files() == [])
    #expect(try await session.pendingImageCount() == 0)
  }

  @Test func `are encrypted on the disk`() async throws {
    let session = try await session(transport { _ in TransportResponse(201) })
    try await session.submit(reading("a"), image: photo(7))

    let data = try Data(contentsOf: URL(fileURLWithPath: folder.path("images/\(files()[0])")))

    #expect(data.range(of: Data([7, 7, 7, 7, 7, 7])) == nil)
    let media = try #require(try await session.pendingRecords().first?.media.first)
    #expect(try await session.image(media) == photo(7))
  }

  @Test func `of one content serve several records and stay until the last was sent`() async throws
  {
    let refusals = Locked(1)
    let session = try await session(
      transport { request in
        let isRefused =
          request.url.path.contains("/records/b/")
          && refusals.withLock { count in
            count -= 1
            return count >= 0
          }
        return TransportResponse(isRefused ? 422 : 201)
      })
    try await session.submit(reading("a"), image: photo(1))
    try await session.submit(reading("b"), image: photo(1))
    #expect(files().count == 1)

    let delivered = await session.runUntilDelivered(4)

    #expect(
      delivered.suffix(2).map(\.description) == [
        "image submitted", "image failed: the server refused the record with status 422",
      ])
    #expect(files().count == 1)
    let refused = try await session.quarantinedImages()
    #expect(refused.map(\.logID) == ["b"])
    #expect(refused.map(\.failure.status) == [422])
    #expect(try await session.image(refused[0].media) == photo(1))

    #expect(try await session.retryQuarantinedImages() == 1)
    #expect(await session.runUntilDelivered(1).map(\.description) == ["image submitted"])
    #expect(files() == [])
  }

  @Test(arguments: [400, 404, 410, 413, 415, 422])
  func `that the server refuses are reported, and their record is unchanged`(status: Int)
    async throws
  {
    let session = try await session(transport { _ in TransportResponse(status) })
    try await session.submit(reading("a"), image: photo(1))

    let delivered = await session.runUntilDelivered(2)

    guard case .imageFailed(let media, logID: "a", let failure) = delivered[1] else {
      Issue.record("\(delivered)")
      return
    }
    #expect(failure.status == status)
    #expect(try await session.image(media) == photo(1))
    #expect(try await session.quarantinedRecords().isEmpty)
  }

  @Test func `wait with their record while the server is away, and are tried again`() async throws {
    let attempts = Locked(0)
    let session = try await session(
      transport { _ in
        let attempt = attempts.withLock { count in
          count += 1
          return count
        }
        return TransportResponse(attempt < 3 ? 503 : 201)
      })
    try await session.submit(reading("a"), image: photo(1))

    let delivered = await session.runUntilDelivered(2)

    #expect(delivered.map(\.description) == ["record submitted", "image submitted"])
    #expect(attempts.withLock { $0 } == 3)
  }

  @Test func `that make the server fail repeatedly are sent after the others`() async throws {
    let session = try await session(
      transport { request in
        TransportResponse(request.url.path.contains("/records/a/") ? 500 : 201)
      },
      // The first two waits are over at once.
      random: { $0.upperBound > 2 ? $0.upperBound : 0 })
    try await session.submit(reading("a"), image: photo(1))
    try await session.submit(reading("b"), image: photo(2))

    let delivered = await session.runUntilDelivered(3)

    guard case .imageSubmitted(_, logID: "b") = delivered[2] else {
      Issue.record("\(delivered)")
      return
    }
    #expect(try await session.pendingImageCount() == 1)
    #expect(try await session.quarantinedImages().isEmpty)
  }

  @Test func `that can no longer be read are reported as failed, and the others are sent`()
    async throws
  {
    let session = try await session(transport { _ in TransportResponse(201) })
    try await session.submit(reading("a"), image: photo(1))
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder.path("images/\(files()[0])")))
    try await session.submit(reading("b"), image: photo(2))

    let delivered = await session.runUntilDelivered(4)

    guard case .imageFailed(_, logID: "a", let failure) = delivered[2] else {
      Issue.record("\(delivered)")
      return
    }
    #expect(failure.code == "damaged")
    #expect(delivered[3].description == "image submitted")
  }

  @Test func `are stored with their record or not at all`() async throws {
    let session = try await session(transport { _ in TransportResponse(201) })
    try SQLiteDatabase(path: folder.path("outbox.sqlite")).execute(
      "CREATE TRIGGER no BEFORE INSERT ON image BEGIN SELECT raise(ABORT, 'no'); END")

    await #expect { try await session.submit(reading("a"), image: photo(1)) } throws: {
      ($0 as? SessionError)?.code == .storageFailed
    }

    #expect(try await session.pendingCount() == 0)
    try await session.outbox.removeUnusedImages()
    #expect(files() == [])
  }

  @Test func `count towards the size of the queue`() async throws {
    var configuration = SantorioSession.Configuration(
      directory: folder.url, endpoint: localURL())
    configuration.transport = transport { _ in TransportResponse(201) }
    configuration.maximumBytes = 200_000
    let session = SantorioSession(configuration)
    try await session.start(alice)
    try await session.submit(reading("a"), image: photo(1, size: 90_000))

    await #expect {
      try await session.submit(reading("b"), image: photo(2, size: 90_000))
    } throws: {
      ($0 as? SessionError)?.code == .outboxFull
    }

    #expect(files().count == 1)
  }

  @Test func `are kept with the archive of an ended session, and removed with it`() async throws {
    let session = try await session(transport { _ in TransportResponse(201) })
    try await session.submit(reading("a"), image: photo(1))

    let ended = try await session.end()

    let media = try #require(ended.unsentRecords.first?.media.first)
    #expect(try await session.image(media) == photo(1))
    try await session.removeArchive(try #require(ended.archive))
    #expect(try await session.image(media) == nil)
    #expect(files() == [])
  }

  @Test(
    arguments: [
      ([0xff, 0xd8, 0xff, 0xdb], "image/jpeg"),
      ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "image/png"),
      (Array("\0\0\0\u{18}ftypmif1\0\0\0\0mif1heic".utf8), "image/heic"),
      // The shortest file with a brand, and one byte less.
      (Array("\0\0\0\u{10}ftypheic\0\0\0\0".utf8), "image/heic"),
      (Array("\0\0\0\u{10}ftypheic\0\0\0".utf8), nil),
      // A brand that is cut, and one beyond the end of its box.
      (Array("\0\0\0\u{18}ftypmif1\0\0\0\0mif1hei".utf8), nil),
      (Array("\0\0\0\u{14}ftypmif1\0\0\0\0mif1heic".utf8), nil),
      // The server would refuse it for ever: nothing says how it is coded.
      (Array("\0\0\0\u{14}ftypmif1\0\0\0\0mif1".utf8), nil),
      (Array("\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom".utf8), nil), (Array("GIF89a".utf8), nil),
      ([], nil),
      (Array("<svg>".utf8), nil),
    ] as [([UInt8], String?)])
  func `are recognised by their first bytes`(bytes: [UInt8], type: String?) async throws {
    #expect(ImageType(of: bytes)?.rawValue == type)
    guard type == nil else { return }
    let session = try await session(transport { _ in TransportResponse(201) })
    await #expect { try await session.submit(reading("a"), image: Data(bytes)) } throws: {
      ($0 as? SessionError)?.code == .invalidRecord
    }
  }

  @Test func `of more than 16 MiB are refused`() async throws {
    let session = try await session(transport { _ in TransportResponse(201) })

    await #expect {
      try await session.submit(reading("a"), image: photo(1, size: 16 << 20))
    } throws: {
      ($0 as? SessionError)?.code == .invalidRecord
    }
  }
}
