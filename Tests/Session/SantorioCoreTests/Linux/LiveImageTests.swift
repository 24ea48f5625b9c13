// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import TestSupport
import Testing

@testable import SantorioCore

/// Images on their way to the real server.
@Suite(.timeLimit(.minutes(15))) struct `Images at the real server` {
  private let server: LiveServer
  private let folder: TemporaryFolder
  private let transport = CurlTransport()
  private let photo = Data([0xff, 0xd8, 0xff, 0xe0] + [UInt8](repeating: 0x5a, count: 40_000))

  init() throws {
    server = try LiveServer()
    folder = try TemporaryFolder()
  }

  private func session() async throws -> SantorioSession {
    var configuration = SantorioSession.Configuration(directory: folder.url, endpoint: server.url)
    configuration.notificationCenter = NotificationCenter()
    let session = SantorioSession(configuration)
    try await session.start(server.alice)
    return session
  }

  private func ask(_ method: String, _ path: String) async throws -> TransportResponse {
    try await transport.send(
      TransportRequest(
        method: method, url: try #require(URL(string: server.url.absoluteString + path)),
        headers: [TransportHeader("Authorization", "Bearer \(server.alice.accessToken)")]))
  }

  @Test func `arrive after their record, and the server returns them at the address it gave`()
    async throws
  {
    let session = try await session()
    try await session.submit(reading("a"), image: photo)

    let delivered = await session.runUntilDelivered(2)

    guard case .imageSubmitted(let media, logID: "a") = delivered[1] else {
      Issue.record("\(delivered)")
      return
    }
    let path = try #require(media.url)
    let answer = try await ask("GET", path)
    #expect(answer.status == 200)
    #expect(answer.header("Content-Type") == "image/jpeg")
    #expect(Data(answer.body) == photo)
    let record = try await ask(
      "GET", "/v1/organizations/acme/users/\(server.alice.userID)/records/a")
    let stored = try HealthRecord(informJSON: record.body)
    #expect(stored.media.map(\.sha256) == [media.sha256])
  }

  @Test func `of a record that was deleted on the server since are reported as failed, and kept`()
    async throws
  {
    let session = try await session()
    try await session.submit(reading("a"))
    _ = await session.runUntilDelivered(1)
    let user = "/v1/organizations/acme/users/\(server.alice.userID)"
    #expect(try await ask("DELETE", "\(user)/records/a").status == 204)

    try await session.submit(reading("a"), image: photo)
    let delivered = await session.runUntilDelivered(2)

    guard case .recordSubmitted = delivered[0],
      case .imageFailed(let media, logID: "a", let failure) = delivered[1]
    else {
      Issue.record("\(delivered)")
      return
    }
    #expect(failure.status == 404)
    #expect(failure.code == "unknown_record")
    #expect(try await session.image(media) == photo)
    #expect(try await ask("GET", "\(user)/records/a").status == 404)
  }
}
