// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import TestSupport
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `Session and the real server` {
  @Test func `delivers every record to the server once, over TCP`() async throws {
    let server = try LiveServer()
    let folder = try TemporaryFolder()
    var made = SantorioSession.Configuration(directory: folder.url, endpoint: server.url)
    made.notificationCenter = NotificationCenter()
    made.maximumBatchRecords = 7
    let session = SantorioSession(made)
    try await session.start(server.alice)
    let events = session.events

    let delivered = try await running(session) {
      for start in stride(from: 0, to: 100, by: 10) {
        try await session.submit((start..<start + 10).map { reading("r\($0)") })
      }
      return await events.first(100)
    }

    #expect(try server.stored() == (0..<100).map { "r\($0)" }.sorted())
    #expect(delivered.count == 100)
    #expect(try await session.pendingCount() == 0)
  }

  @Test func `is ended by the real server when its token is wrong`() async throws {
    let server = try LiveServer()
    let folder = try TemporaryFolder()
    let session = SantorioSession(
      SantorioSession.Configuration(directory: folder.url, endpoint: server.url))
    var stranger = server.alice
    stranger.accessToken = "wrong"

    await #expect { try await session.start(stranger) } throws: {
      ($0 as? SessionError)?.code == .credentialsRefused
    }
  }

  @Test func `reaches the real server, with compressed bodies`() async throws {
    let server = try LiveServer()
    let ids = (0..<50).map { "r\($0)" }
    let line = RecordingTransport()

    let folder = try TemporaryFolder()
    var made = SantorioSession.Configuration(directory: folder.url, endpoint: server.url)
    made.transport = line
    made.notificationCenter = NotificationCenter()
    let session = SantorioSession(made)
    try await session.start(server.alice)
    try await session.submit(ids.map { reading($0) })

    let delivered = await session.runUntilDelivered(50)

    #expect(delivered.count == 50)
    #expect(try server.stored() == ids.sorted())
    #expect(line.packed == [200])
  }
}

/// Libcurl, with a note of what became of compressed bodies.
private final class RecordingTransport: HTTPTransport {
  private let line = CurlTransport()
  private let statuses = Locked<[Int]>([])

  /// The statuses of the answers to compressed bodies.
  var packed: [Int] { statuses.withLock { $0 } }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let response = try await line.send(request)
    if request.isPacked { statuses.withLock { $0.append(response.status) } }
    return response
  }
}
