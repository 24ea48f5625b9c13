// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import TestSupport
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `API client and the real server` {
  private func error(_ body: () async throws -> Void) async -> IngestClientError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? IngestClientError
    }
  }

  @Test func `posts to the real server`() async throws {
    let server = try LiveServer()
    let client = try IngestClient(endpoint: server.url, user: server.alice)

    let first = try await client.post(reading("a/1"))
    let second = try await client.post([reading("a/1"), reading("b", systolic: 130)])

    #expect(first.outcome == .created)
    #expect(first.revision == 1)
    #expect(try second.map { try $0.get().outcome } == [.duplicate, .created])
    #expect(try second[0].get().serverID == first.serverID)
    #expect(try server.stored() == ["a/1", "b"])
  }

  @Test func `returns what the real server did with each of two contents of one record`()
    async throws
  {
    let server = try LiveServer()
    let client = try IngestClient(endpoint: server.url, user: server.alice)

    let results = try await client.post([
      reading("a"), reading("a", systolic: 130), reading("a", systolic: 130),
    ])

    #expect(try results.map { try $0.get().outcome } == [.created, .revised, .duplicate])
    #expect(try results.map { try $0.get().revision } == [1, 2, 2])
  }

  @Test func `updates, deletes and restores on the real server`() async throws {
    let server = try LiveServer()
    let client = try IngestClient(endpoint: server.url, user: server.alice)

    #expect(await error { _ = try await client.update(reading("a/1")) }?.code == .unknownRecord)
    #expect(try await client.upsert(reading("a/1")).outcome == .created)
    #expect(try await client.upsert(reading("a/1")).outcome == .duplicate)
    let updated = try await client.update(reading("a/1", systolic: 130))
    #expect(updated.outcome == .revised)
    #expect(updated.revision == 2)
    try await client.delete("a/1")
    #expect(await error { try await client.delete("a/1") }?.code == .unknownRecord)
    #expect(await error { _ = try await client.update(reading("a/1")) }?.code == .unknownRecord)
    // A meter that is read again brings nothing back; a person's wish does.
    #expect(try await client.post(reading("a/1")).outcome == .duplicate)
    #expect(await error { _ = try await client.update(reading("a/1")) }?.code == .unknownRecord)
    _ = try await client.upsert(reading("a/1", systolic: 140))
    #expect(try await client.update(reading("a/1", systolic: 141)).outcome == .revised)
  }

  @Test func `corrects an unchanged record, and the correction stays`() async throws {
    let server = try LiveServer()
    let client = try IngestClient(endpoint: server.url, user: server.alice)
    let first = try await client.post(reading("a/1", systolic: 127))

    let corrected = try await client.update(
      reading("a/1", systolic: 118), ifRevision: first.revision)
    let late = await error {
      _ = try await client.update(reading("a/1", systolic: 119), ifRevision: 1)
    }

    #expect(corrected.outcome == .revised && corrected.revision == 2)
    #expect(late?.code == .revisionMismatch && late?.status == 412)
    #expect(try await client.post(reading("a/1", systolic: 127)).outcome == .duplicate)
    let again = try await client.post([reading("a/1", systolic: 131)])
    #expect(try again[0].get().outcome == .superseded)
    #expect(try again[0].get().revision == 2)
  }

  @Test func `uploads images to the real server`() async throws {
    let server = try LiveServer()
    let client = try IngestClient(endpoint: server.url, user: server.alice)
    let image: [UInt8] = [0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]
    func upload(_ type: String = "image/jpeg") async throws -> RecordMedia {
      try await client.uploadImage(image, contentType: type, for: "a/1")
    }

    #expect(await error { _ = try await upload() }?.code == .unknownRecord)
    _ = try await client.post(reading("a/1"))
    let first = try await upload()
    let second = try await upload()

    #expect(first == second)
    #expect(first.byteCount == 7)
    #expect(first.id?.isEmpty == false)
    #expect(first.url?.contains(first.sha256) == true)
    #expect(await error { _ = try await upload("image/gif") }?.code == .refused)
  }

  @Test func `is refused by the real server with a wrong token`() async throws {
    let server = try LiveServer()
    var mallory = server.alice
    mallory.accessToken = "guessed"
    let client = try IngestClient(endpoint: server.url, user: mallory)

    let thrown = await error { _ = try await client.post(reading("a")) }

    #expect(thrown?.code == .credentialsRefused)
    #expect(thrown?.status == 401)
    #expect(thrown?.isRetryable == false)
  }
}
