// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import TestSupport
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `Default user` {
  let folder: TemporaryFolder
  private let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }

  init() throws { folder = try TemporaryFolder() }

  private func session() throws -> SantorioSession {
    var configuration = SantorioSession.Configuration(
      directory: folder.url, endpoint: localURL())
    configuration.transport = transport
    configuration.clock = ManualClock()
    configuration.notificationCenter = NotificationCenter()
    return SantorioSession(configuration)
  }

  @Test func `keeps readings on the disk and asks no server`() async throws {
    let session = try session()
    try await session.start(.default)
    try await session.submit(reading("a"))

    session.resume()
    session.processQueue()
    await session.suspend()

    #expect(transport.sent.isEmpty)
    #expect(try await session.user()?.isDefault == true)
    #expect(try await session.pendingRecords() == [reading("a")])
  }

  @Test func `returns its readings when a user of the server starts, and adds none to that user's`()
    async throws
  {
    let session = try session()
    try await session.start(.default)
    try await session.submit(reading("offline"))
    let events = session.events

    try await session.start(alice)
    try await session.submit(reading("of-alice"))
    session.resume()
    let delivered = await events.first(2)
    await session.suspend()

    guard case .sessionEnded(let ended) = delivered[0] else {
      Issue.record("\(delivered)")
      return
    }
    #expect(ended.userID == "default")
    #expect(ended.unsentRecords == [reading("offline")])
    #expect(transport.batches == [["of-alice"]])
    #expect(try await session.archives().map(\.unsentRecords) == [[reading("offline")]])
  }

  @Test func `submits readings of devices only`() async throws {
    let session = try session()
    try await session.start(.default)
    var imported = reading("imported")
    imported.source = RecordSource(type: .appleHealth)

    await #expect(throws: SessionError.defaultUser) {
      try await session.submit([reading("a"), imported])
    }

    #expect(try await session.pendingCount() == 0)
    try await session.start(alice)
    try await session.submit(imported)
    #expect(try await session.pendingRecords() == [imported])
  }

  @Test func `holds readings of devices only`() async throws {
    let session = try session()
    try await session.start(.default)
    var imported = reading("imported")
    imported.source = RecordSource(type: .appleHealth)

    await #expect(throws: SessionError.defaultUser) {
      try await session.hold([reading("a"), imported])
    }

    #expect(try await session.heldCount() == 0)
    try await session.hold([reading("a")])
    #expect(try await session.heldRecords() == [reading("a")])
  }

  @Test func `has no client`() throws {
    #expect(throws: IngestClientError(.defaultUser)) {
      try IngestClient(endpoint: localURL(), user: .default)
    }
  }

  @Test func `is restored at the next launch`() async throws {
    try await session().start(.default)

    let relaunched = try session()
    session: do {
      try await relaunched.submit(reading("a"))
      relaunched.resume()
      await relaunched.suspend()
    }

    #expect(transport.sent.isEmpty)
    #expect(try await relaunched.user()?.isDefault == true)
  }
}
