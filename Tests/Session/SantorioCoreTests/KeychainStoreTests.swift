// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SantorioCore

/// The use that the session makes of a keychain, with one in memory.
@Suite(.timeLimit(.minutes(15))) struct `Keychain` {
  let folder: TemporaryFolder
  let keychain = FakeKeychain()
  let clock = ManualClock()

  init() throws { folder = try TemporaryFolder() }

  private func session(in folder: TemporaryFolder? = nil) -> SantorioSession {
    let transport = ScriptedTransport { request, _ in ScriptedTransport.stored(request) }
    let folder = folder ?? self.folder
    var configuration = configuration(folder, transport, clock: clock)
    configuration.credentials = keychain.store(of: folder)
    configuration.startsAnewWithoutKey = true
    return SantorioSession(configuration)
  }

  private func code(_ body: () async throws -> Void) async -> SessionError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? SessionError)?.code
    }
  }

  @Test func `keeps key and tokens; the folder has neither`() async throws {
    do {
      let session = session()
      try await session.start(alice)
      try await session.submit(reading("a"))
    }

    #expect(try await session().pendingRecords() == [reading("a")])
    #expect(keychain.accounts == ["outbox-key", "session-1"])
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      let bytes = FileManager.default.contents(atPath: folder.path(name)) ?? Data()
      #expect(bytes.range(of: Data(alice.accessToken.utf8)) == nil, "\(name)")
    }
  }

  @Test func `is found again after the folder was moved`() async throws {
    do {
      let session = session()
      try await session.start(alice)
      try await session.submit(reading("a"))
      await session.suspend()
    }
    let other = try TemporaryFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      try FileManager.default.moveItem(atPath: folder.path(name), toPath: other.path(name))
    }

    let moved = session(in: other)

    #expect(try await moved.user() == alice)
    #expect(try await moved.pendingRecords() == [reading("a")])
  }

  @Test func `tells the folders of two sessions apart`() async throws {
    let other = try TemporaryFolder()
    let (one, two) = (session(), session(in: other))

    try await one.start(alice)
    try await two.start(bob)

    #expect(try await one.user() == alice)
    #expect(try await two.user() == bob)
    #expect(keychain.services.count == 2)
  }

  @Test func `gives a new installation none of the tokens of a removed one`() async throws {
    do {
      let session = session()
      try await session.start(
        SantorioUser(
          userID: "alice", organizationID: "acme", accessToken: "old", marketplaceToken: "older"))
      await session.suspend()
    }
    // The app was deleted with its container; the keychain stays.
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      try FileManager.default.removeItem(atPath: folder.path(name))
    }

    let session = session()

    #expect(try await session.user() == nil)
    #expect(keychain.accounts == ["outbox-key", "outbox-key"])
    #expect(keychain.services.count == 2)
  }

  @Test func `leaves the tokens of other folders and of other programs alone`() async throws {
    let other = try TemporaryFolder()
    try await session(in: other).start(bob)
    try keychain.set(
      Array("x".utf8), of: KeychainItem(service: "theirs", account: "session-1"),
      origin: KeychainName(folder: folder.url).origin)

    try await session().start(alice)

    #expect(try await session(in: other).user() == bob)
    #expect(keychain.services.contains("theirs"))
  }

  @Test func `locks the session before the first unlock`() async throws {
    try await session().start(alice)
    keychain.refusal = .locked

    #expect(await code { try await session().submit(reading("a")) } == .storageLocked)
    #expect(await code { try await session().open() } == .storageLocked)
    keychain.refusal = nil
    #expect(try await session().user() == alice)
  }

  @Test func `sets the queue aside after it was reset`() async throws {
    do {
      let session = session()
      try await session.start(alice)
      try await session.submit(reading("a"))
    }
    keychain.reset()

    let session = session()
    let queue = try #require(try await session.setAsideQueues().first)

    #expect(queue.records == 1)
    let kept = try FileManager.default.contentsOfDirectory(atPath: queue.folder.path)
    #expect(kept.contains("keychain-name"))
    #expect(try await session.user() == nil)
    try await session.start(alice)
  }

  @Test(arguments: [
    (KeychainStatus.missingEntitlement, "keychain-access-groups"),
    (.notAvailable, "no keychain"), (KeychainStatus(code: -25293), "-25293"),
  ])
  func `says why it cannot be used`(status: KeychainStatus, text: String) async throws {
    keychain.refusal = status

    await #expect { try await session().start(alice) } throws: {
      let error = $0 as? SessionError
      return error?.code == .credentialsUnavailable && error?.systemCode == Int(status.code)
        && error?.message.contains(text) == true && error?.message.contains("unlock") == false
    }
  }

  @Test(arguments: ["", "something else", "net.example.7"])
  func `takes no other file for its name`(content: String) async throws {
    try await session().start(alice)
    try Data(content.utf8).write(to: URL(fileURLWithPath: folder.path("keychain-name")))

    #expect(await code { try await session().open() } == .credentialsUnavailable)
  }

  @Test func `has one name for a folder that two processes open at once`() throws {
    let name = KeychainName(folder: folder.url)

    #expect(try name.create("org.santorio.1") == "org.santorio.1")
    #expect(try name.create("org.santorio.2") == "org.santorio.1")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
  }

  @Test func `names folders by their app and their place in its container`() throws {
    let home = URL(fileURLWithPath: "/var/mobile/Containers/Data/Application/AAAA")
    func origin(_ path: String, app url: URL = folder.url) -> String {
      KeychainName(folder: URL(fileURLWithPath: path), of: AppBundle(url: url, home: home)).origin
    }

    #expect(origin(home.path + "/Library/readings") == "Library/readings")
    #expect(origin("/private/shared/readings") == "/private/shared/readings")
    #expect(origin(home.path + "B/readings") == home.path + "B/readings")
    let app = try app("com.example.readings")
    #expect(origin(home.path + "/Library/r", app: app) == "com.example.readings:Library/r")
    let part = app.appendingPathComponent("PlugIns/Widget.appex")
    #expect(origin("/shared/r", app: part) == "com.example.readings:/shared/r")
  }

  /// An app's bundle.
  private func app(_ identifier: String) throws -> URL {
    let app = folder.url.appendingPathComponent("Readings.app")
    try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
    let info = try PropertyListSerialization.data(
      fromPropertyList: ["CFBundleIdentifier": identifier], format: .xml, options: 0)
    try info.write(to: app.appendingPathComponent("Info.plist"))
    return app
  }

  @Test func `may be given up only by an app that is alone with its folder`() {
    let home = URL(fileURLWithPath: "/var/mobile/Containers/Data/Application/AAAA")
    let own = home.appendingPathComponent("Library/readings")
    let shared = URL(fileURLWithPath: "/private/var/mobile/Containers/Shared/AppGroup/B/readings")
    let app = AppBundle(url: URL(fileURLWithPath: "/Applications/R.app"), home: home)
    let part = AppBundle(
      url: URL(fileURLWithPath: "/Applications/R.app/PlugIns/W.appex"), home: home)
    #expect(app.isAlone(with: own))
    #expect(!app.isAlone(with: shared))
    #expect(!part.isAlone(with: own))
  }
}
