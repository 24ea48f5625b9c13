// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency
import SantorioFiles
import SessionTesting
import TestSupport
import Testing

@testable import SantorioCore

/// How a session opens its folder, keeps it open, and closes it.
@Suite(.timeLimit(.minutes(15))) struct `Opening of a session` {
  let folder: TemporaryFolder
  let clock = ManualClock()
  let system = NotificationCenter()

  init() throws { folder = try TemporaryFolder() }

  private func made(
    _ credentials: any CredentialStoring, in directory: URL? = nil
  ) -> SantorioSession {
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    var configuration = configuration(folder, transport, clock: clock)
    configuration.directory = directory ?? folder.url
    configuration.credentials = credentials
    configuration.systemNotificationCenter = system
    return SantorioSession(configuration)
  }

  private var files: CredentialFiles { CredentialFiles(folder: folder.url) }

  /// Whether no process and no session has the file open, as soon as processes that are being
  /// started have given up what they inherit.
  private var isClosed: Bool { (try? use(waiting: FileLock.timeout)) != nil }
  private var isOpen: Bool { (try? use(waiting: .zero)) == nil }
  private func use(waiting: Duration) throws -> FileLock {
    try FileLock(folder.path("outbox.sqlite.use"), waiting: waiting)
  }

  @Test func `waits for the first call`() async throws {
    let inner = folder.url.appendingPathComponent("session", isDirectory: true)
    let session = made(CredentialFiles(folder: inner), in: inner)
    #expect(!FileManager.default.fileExists(atPath: inner.path))

    #expect(try await session.pendingCount() == 0)

    #expect(FileManager.default.fileExists(atPath: inner.path + "/outbox.sqlite"))
  }

  @Test func `touches no file before the device is unlocked`() async throws {
    let store = LockableCredentials(files, isLocked: true)
    let session = made(store)

    await #expect { try await session.submit(reading("a")) } throws: {
      ($0 as? SessionError)?.code == .storageLocked
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])

    store.isLocked = false
    try await session.start(alice)
    try await session.submit(reading("a"))
    #expect(try await session.pendingRecords() == [reading("a")])
  }

  @Test func `waits until the device is unlocked, then sends what waits`() async throws {
    do {
      let session = made(files)
      try await session.start(alice)
      try await session.submit(reading("a"))
    }
    let store = LockableCredentials(files, isLocked: true)
    let session = made(store)
    let (events, clock, system) = (session.events, clock, system)

    let delivered = try await running(session) {
      _ = await clock.sleepBegins { $0 == .seconds(60) }
      #expect(session.uploadState == .waiting(.locked()))
      store.isLocked = false
      system.post(
        name: Notification.Name("UIApplicationProtectedDataDidBecomeAvailable"), object: nil)
      return await events.first(1)
    }

    #expect(delivered == [.recordSubmitted(reading("a"), serverID: "s-a")])
  }

  @Test func `asks again after a minute, should the system not report the unlocking`()
    async throws
  {
    let store = LockableCredentials(files, isLocked: true)
    let session = made(store)
    let clock = clock

    try await running(session) {
      _ = await clock.sleepBegins { $0 == .seconds(60) }
      store.isLocked = false
      clock.advance(by: .seconds(60))
      // The uploader rests: the folder is open.
      _ = await clock.sleepBegins { $0 == WakeUp.untilCalled }
    }
    #expect(FileManager.default.fileExists(atPath: folder.path("outbox.sqlite")))
  }

  @Test func `ends with the suspension, which leaves no file open or locked`() async throws {
    let session = made(files)
    session.resume()
    try await session.start(alice)
    #expect(isOpen)

    await session.suspend()

    #expect(isClosed)
    #expect(
      (try? FileLock(folder.path("outbox.sqlite.lock"), waiting: FileLock.timeout)) != nil,
      "the lock against another uploader")
  }

  /// The session sends the reading `a` once it runs, with an open file.
  private func expectToSend(_ session: SantorioSession) async throws {
    let events = session.events
    session.resume()
    #expect(await events.first(1) == [.recordSubmitted(reading("a"), serverID: "s-a")])
    #expect(isOpen)
  }

  @Test func `is repeated by each call while the session is suspended`() async throws {
    let session = made(files)
    try await session.start(alice)
    await session.suspend()

    try await session.submit(reading("a"))
    await session.outbox.untilClosed()

    #expect(isClosed)
    #expect(try await session.pendingRecords() == [reading("a")])
    await session.outbox.untilClosed()
    #expect(isClosed)

    try await expectToSend(session)
    await session.suspend()
  }

  @Test func `is repeated by each call of a session that has never run, where apps are suspended`()
    async throws
  {
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    var made = configuration(folder, transport, clock: clock)
    made.closesUnusedFile = true
    let session = SantorioSession(made)
    try await session.start(alice)
    await session.outbox.untilClosed()
    #expect(isClosed)

    // For a reading it is open all the time.
    await session.keepFileOpen()
    try await session.submit(reading("a"))
    await session.outbox.untilClosed()
    #expect(isOpen)
    await session.suspend()
    #expect(isOpen)
    await session.letFileClose()
    #expect(isClosed)

    try await expectToSend(session)
    await session.suspend()
    #expect(isClosed)
  }

  @Test func `stays for a session that runs again before its suspension is over`() async throws {
    let session = made(files)
    try await session.start(alice)
    await session.outbox.keepOpen()
    // What a suspension does last, when the next run has begun already.
    await session.outbox.closeBetweenCalls()
    try await session.submit(reading("a"))
    await session.outbox.untilClosed()
    #expect(isOpen)
    await session.outbox.letClose()
    #expect(isClosed)
  }

  @Test func `costs little of the key`() async throws {
    let session = made(files)
    try await session.start(alice)
    await session.suspend()
    for number in 0..<9 {
      try await session.submit(reading("\(number)"))
      await session.outbox.untilClosed()
      #expect(isClosed)
    }
    await session.keepFileOpen()
    try await session.open()
    let count = try #require(session.outbox.currentSeal.withLock { $0?.messageCount })
    await session.letFileClose()
    #expect(count / 11 < RowSeal.mostMessages / 500_000)
  }

  @Test func `keeps the folder of a suspended session from another one`() async throws {
    let session = made(files)
    try await session.start(alice)
    await session.suspend()

    await #expect { try await made(files).open() } throws: {
      ($0 as? SessionError)?.code == .folderInUse
    }
    withExtendedLifetime(session) {}
  }
}

extension Outbox {
  /// Returns after the work that closes the file between calls, which was begun before.
  fileprivate func untilClosed() async { await Task {}.value }
}
