// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import TestSupport
import Testing

@testable import SantorioCore

/// A store that fails from one of its calls on, as if the process had ended there.
private final class EndingStore: CredentialStoring {
  private let files: CredentialFiles
  private let left: Locked<Int>

  init(_ folder: URL, calls: Int) {
    files = CredentialFiles(folder: folder)
    left = Locked(calls)
  }

  private func call() throws(SessionError) {
    let isOver = left.withLock { left in
      left -= 1
      return left < 0
    }
    if isOver { throw SessionError(.storageFailed, "the end") }
  }

  func save(_ token: String, for name: String) throws(SessionError) {
    try call()
    try files.save(token, for: name)
  }

  func token(for name: String) throws(SessionError) -> String {
    try call()
    return try files.token(for: name)
  }

  func removeToken(for name: String) throws(SessionError) {
    try call()
    try files.removeToken(for: name)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Change of the key` {
  private let folder: TemporaryFolder
  private let photo = Data([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])

  init() throws { folder = try TemporaryFolder() }

  private func configuration(
    _ credentials: (any CredentialStoring)? = nil
  ) -> SantorioSession.Configuration {
    var configuration = SantorioSession.Configuration(
      directory: folder.url, endpoint: localURL())
    configuration.transport = ScriptedTransport { request, _ in
      ScriptedTransport.stored(request)
    }
    configuration.credentials = credentials ?? CredentialFiles(folder: folder.url)
    configuration.notificationCenter = NotificationCenter()
    return configuration
  }

  /// Something in every place.
  private func fill() async throws {
    let session = SantorioSession(configuration())
    try await session.start(bob)
    try await session.submit([reading("left"), reading("behind")])
    try await session.start(alice)
    try await session.submit(reading("photo"), image: photo)
    try await session.submit((0..<250).map { reading("r\($0)") })
    let id = try #require(try await session.outbox.session()).id
    let rows = try await session.outbox.claim(id, count: 3, bytes: 1 << 20)
    let refusal = RecordFailure(status: 422, code: "bad", message: "no", path: nil)
    try await session.outbox.settle([(rows[1], .rejected(refusal))], session: id)
    try await session.outbox.hold([reading("held")])
    try await session.submit([], changing: [state, .position(position, [1, 2])], inSession: nil)
  }

  /// Everything is there, and opens with the key in the store alone.
  private func check() async throws {
    let session = SantorioSession(configuration())
    #expect(try await session.user() == alice)
    let waiting = try await session.pendingRecords()
    #expect(waiting.map(\.logID) == ["photo"] + (1..<250).map { "r\($0)" })
    #expect(waiting.dropFirst().allSatisfy { $0 == reading($0.logID) })
    let id = try #require(try await session.outbox.session()).id
    #expect(try await session.outbox.claim(id, count: 999, bytes: 1 << 24).count == 250)
    #expect(try await session.image(try #require(waiting[0].media.first)) == photo)
    #expect(try await session.heldRecords() == [reading("held")])
    let quarantined = try await session.quarantinedRecords()
    #expect(quarantined.map(\.logID) == ["r0"])
    #expect(quarantined.first?.failure?.code == "bad")
    #expect(quarantined.first?.userID == "alice")
    let archives = try await session.archives()
    #expect(archives.map(\.userID) == ["bob"])
    #expect(archives.first?.unsentRecords == [reading("left"), reading("behind")])
    let states = try await session.states(of: "a")
    #expect(states.map(\.name) == [position, state.name])
    #expect(states.map(\.value) == [[1, 2], Array("state".utf8)])
    let events = try await session.outbox.events(after: 0, count: 9).map(\.event)
    #expect(events.count == 2)
    guard case .recordFailed(let record, let failure) = events[1] else {
      Issue.record("\(events)")
      return
    }
    #expect(record == reading("r0") && failure.code == "bad")
    let store = CredentialFiles(folder: folder.url)
    #expect(throws: SessionError.self) { try store.token(for: OutboxRekey.credential) }
  }

  private let state = StateChange.fact(
    StateName(source: "a", device: "b", key: "c"), Array("state".utf8))
  private let position = StateName(source: "a", device: "é/\n", key: "")

  private func key() throws -> String {
    try CredentialFiles(folder: folder.url).token(for: OutboxKey.credential)
  }

  @Test func `keeps everything, and the old key no longer opens anything`() async throws {
    try await fill()
    let old = try key()
    let oldSeal = RowSeal(key: Array(try #require(Data(base64Encoded: old))))

    try SantorioSession.changeKey(configuration())

    #expect(try key() != old)
    try await check()
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
      let data = FileManager.default.contents(atPath: folder.path(name)) ?? Data()
      #expect(data.range(of: Data(old.utf8)) == nil)
      for logID in ["left", "behind", "photo", "r0", "r249", "held"] {
        let before = Data(try oldSeal.name(of: logID))
        #expect(data.range(of: before) == nil, "\(logID) in \(name)")
        #expect(data.range(of: Data(before.base64EncodedString().utf8)) == nil)
      }
      let plain = (name as NSString).lastPathComponent
      for place in [SealedPlace.image(plain), SealedPlace.mirror] {
        #expect(oldSeal.open(Array(data), as: place) == nil, "\(name)")
      }
    }
    let count = SantorioSession(configuration()).outbox.currentSeal
      .withLock { $0?.messageCount ?? 0 }
    #expect(count < 4 * OutboxKey.messagesAhead)
  }

  /// Each call of the store is an end once: before the rows' commit, after it, after the exchange.
  @Test(arguments: 0..<14)
  func `resumes after an interruption at any step`(calls: Int) async throws {
    try await fill()

    try? SantorioSession.changeKey(configuration(EndingStore(folder.url, calls: calls)))

    try await check()
    try SantorioSession.changeKey(configuration())
    try await check()
  }

  @Test func `waits until no process has the folder open`() async throws {
    try await fill()
    let session = SantorioSession(configuration())
    try await session.open()

    let error = #expect(throws: SessionError.self) {
      try SantorioSession.changeKey(configuration())
    }

    #expect(error?.code == .folderInUse)
    #expect(try await session.pendingCount() == 250)
  }

  @Test func `restarts the count of messages`() async throws {
    try await fill()
    try #require(try await folder.openOutbox().currentSeal.withLock { $0 })
      .resume(at: RowSeal.manyMessages)

    try SantorioSession.changeKey(configuration())

    let outbox = try await folder.openOutbox()
    let messages = try #require(outbox.currentSeal.withLock { $0?.messageCount })
    #expect(messages < 1 << 20)
  }
}
