// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import TestSupport
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `Token for the Marketplace` {
  let folder: TemporaryFolder
  private let carol = SantorioUser(
    userID: "carol", organizationID: "acme", accessToken: "token-of-carol",
    marketplaceToken: "marketplace-of-carol")

  init() throws { folder = try TemporaryFolder() }

  private func open(_ transport: any HTTPTransport) -> SantorioSession {
    SantorioSession(configuration(folder, transport, clock: ManualClock()))
  }

  private let offline = ScriptedTransport { _, _ in
    .failure(TransportError(.unreachable, "no route"))
  }

  private func tokenFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      .filter { $0.hasSuffix(".token") && !$0.hasPrefix("outbox") }.sorted()
  }

  @Test func `is kept with the other token, where only its owner can read it`() async throws {
    do {
      let session = open(offline)
      try await session.start(carol)
      #expect(try await session.user() == carol)
    }

    let reopened = open(offline)

    #expect(try await reopened.user()?.marketplaceToken == "marketplace-of-carol")
    #expect(try tokenFiles() == ["session-1-marketplace.token", "session-1.token"])
    let file = folder.path("session-1-marketplace.token")
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `is in no request`() async throws {
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    let session = open(transport)
    try await session.start(carol)
    try await session.submit(reading("a"))
    let events = session.events

    try await running(session) { for await _ in events { break } }

    #expect(transport.batches == [["a"]])
    #expect(transport.sent.count == 2)
    for request in transport.sent {
      let fields = request.headers.map(\.value) + [request.url.absoluteString]
      let body = String(decoding: ScriptedTransport.plainBody(request), as: UTF8.self)
      #expect(!(fields + [body]).contains { $0.contains("marketplace") })
    }
  }

  @Test func `is replaced and removed with the start of its user's session`() async throws {
    let session = open(offline)
    try await session.start(carol)
    var changed = carol
    changed.marketplaceToken = "other"
    try await session.start(changed)
    #expect(try await session.user() == changed)

    changed.marketplaceToken = nil
    try await session.start(changed)

    #expect(try await session.user() == changed)
    #expect(try tokenFiles() == ["session-1.token"])
  }

  @Test func `stays when the server's token is refreshed`() async throws {
    let outbox = try await folder.openOutbox()
    let stored = try await outbox.begin(carol)

    try await outbox.replaceToken(of: stored, refused: "token-of-carol", with: "newer")

    #expect(try await outbox.token(of: stored) == "newer")
    #expect(try await outbox.marketplaceToken(of: stored) == "marketplace-of-carol")
  }

  @Test func `is removed when the session ends, and when another user's begins`() async throws {
    let session = open(offline)
    try await session.start(carol)
    try await session.start(bob)
    #expect(try await session.user() == bob)
    #expect(try tokenFiles() == ["session-2.token"])

    try await session.start(carol)
    try await session.end()
    #expect(try tokenFiles() == [])
  }

  @Test func `is not inherited from a start that a kill cut short`() async throws {
    try CredentialFiles(folder: folder.url).save("left-over", for: "session-1-marketplace")
    let session = open(offline)

    try await session.start(alice)

    #expect(try await session.user() == alice)
    #expect(try tokenFiles() == ["session-1.token"])
  }

  @Test(arguments: ["", "with space", "line\nend", "ä", String(repeating: "x", count: 4097)])
  func `is refused when it cannot be one`(token: String) async throws {
    let session = open(offline)
    var user = carol
    user.marketplaceToken = token

    await #expect { try await session.start(user) } throws: {
      ($0 as? SessionError)?.code == .invalidUser
    }

    #expect(try await session.user() == nil)
    #expect(try tokenFiles() == [])
  }

  @Test func `is not the token that systemd supplies`() throws {
    let supplied = try TemporaryFolder()
    let file = URL(fileURLWithPath: supplied.path("santorio.token"))
    try Data("secret".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: file.path)
    let store = try #require(
      SystemdCredentials(
        files: CredentialFiles(folder: folder.url),
        environment: ["CREDENTIALS_DIRECTORY": supplied.url.path]))
    #expect(try store.token(for: "session-1") == "secret")

    #expect { try store.token(for: "session-1-marketplace") } throws: {
      ($0 as? SessionError)?.code == .credentialsMissing
    }
    try store.save("secret", for: "session-1-marketplace")
    #expect(try store.token(for: "session-1-marketplace") == "secret")
    #expect(try tokenFiles() == ["session-1-marketplace.token"])
  }
}
