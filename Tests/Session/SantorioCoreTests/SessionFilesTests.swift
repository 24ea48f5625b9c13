// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `Names of a session's files` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func touch(_ name: String) throws {
    try Data().write(to: URL(fileURLWithPath: folder.path(name)))
  }

  @Test func `A session's files are all that it has written`() async throws {
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    var configuration = configuration(folder, transport, clock: ManualClock())
    configuration.credentials = CredentialFiles(folder: folder.url)
    let session = SantorioSession(configuration)
    try await session.start(bob)
    try await session.submit(reading("of-bob"))
    try await session.start(alice)
    try await session.submit(reading("a"))

    let all = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(SantorioSession.fileNames(in: folder.url) == all)
    #expect(all.contains("archive-1.records") && all.contains("outbox-key.token"))
  }

  @Test(arguments: [
    "outbox.sqlite", "outbox.sqlite.session", "outbox.sqlite.bad.1", "archive-1.records",
    "set-aside-1772600767000",
  ])
  func `A queue and its remains are readings of a session`(_ name: String) throws {
    try touch("bed-1.token")
    #expect(!SantorioSession.hasFiles(in: folder.url))
    try touch(name)
    #expect(SantorioSession.fileNames(in: folder.url) == [name])
  }

  @Test func `Locks, tokens and missing folders are no session`() throws {
    for name in ["outbox.sqlite.lock", "outbox.sqlite.use", "session-1.token", "hub.json"] {
      try touch(name)
    }
    #expect(!SantorioSession.hasFiles(in: folder.url))
    #expect(!SantorioSession.hasFiles(in: folder.url.appendingPathComponent("none")))
  }
}
