// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `Uploader` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func configuration(_ answer: @escaping ScriptedTransport.Answer) -> (
    SantorioSession.Configuration, ScriptedTransport
  ) {
    let transport = ScriptedTransport(answer)
    var configuration = SantorioSession.Configuration(
      directory: folder.url, endpoint: localURL())
    configuration.transport = transport
    configuration.random = { _ in 0 }
    configuration.notificationCenter = NotificationCenter()
    configuration.retryTriggers = []
    return (configuration, transport)
  }

  @Test func `keeps the session when suspending cancels the refresh of a token`() async throws {
    let asked = AsyncStream<Void>.makeStream()
    let never = AsyncStream<String>.makeStream()
    var (configuration, _) = configuration { request, number in
      number == 0 ? ScriptedTransport.stored(request) : .success(TransportResponse(401))
    }
    configuration.refreshToken = { _ in
      asked.continuation.yield()
      for await token in never.stream { return token }
      return nil
    }
    let session = SantorioSession(configuration)
    try await session.start(alice)
    try await session.submit(reading("a"))

    session.resume()
    for await _ in asked.stream { break }
    await session.suspend()

    #expect(try await session.user() == alice)
    #expect(try await session.pendingRecords() == [reading("a")])
  }

  @Test func `compresses no more after a 400, however many records there were`() async throws {
    let (configuration, transport) = configuration { request, _ in
      request.isPacked ? .success(TransportResponse(400)) : ScriptedTransport.stored(request)
    }
    let ids = (0..<20).map { "r\($0)" }
    let session = SantorioSession(configuration)
    try await session.start(alice)
    try await session.submit(ids.map { reading($0) })
    _ = await session.runUntilDelivered(20)

    #expect(transport.sent.map(\.isPacked) == [false, true, false])
    #expect(transport.batches == [ids, ids])
  }

  @Test func `sends the others when one record makes the server fail`() async throws {
    let (configuration, transport) = configuration { request, _ in
      ScriptedTransport.logIDs(request).contains("r3")
        ? .success(TransportResponse(500)) : ScriptedTransport.stored(request)
    }
    let ids = (0..<20).map { "r\($0)" }
    let session = SantorioSession(configuration)
    try await session.start(alice)
    try await session.submit(ids.map { reading($0) })

    let delivered = await session.runUntilDelivered(19)

    let others = ids.filter { $0 != "r3" }
    #expect(
      delivered == others.map { .recordSubmitted(reading($0), serverID: "s-\($0)") })
    #expect(try await session.pendingRecords() == [reading("r3")])
    #expect(transport.batches.first == ids)
  }
}
