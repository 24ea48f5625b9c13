// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReadingsAppModel
import Santorio
import SantorioUI
import Testing

@Suite struct `Address of a server` {
  @Test(arguments: [
    ("readings.example.org", "https://readings.example.org"),
    ("  https://Readings.Example.org/ ", "https://readings.example.org"),
    ("https://example.org:8443/ward/", "https://example.org:8443/ward"),
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
    ("http://localhost:8080", "http://localhost:8080"),
  ])
  func `is https where nothing else is said`(text: String, expected: String) throws {
    #expect(try ServerAddress(text).url.absoluteString == expected)
  }

  @Test(arguments: [
    ("", ServerAddress.Fault.empty), ("   ", .empty), ("https://", .malformed),
    ("two words", .malformed), ("ftp://example.org", .malformed),
    ("https://me:secret@example.org", .malformed), ("https://example.org?a=b", .malformed),
    ("http://example.org", .insecure), ("http://192.168.1.5:8080", .insecure),
  ])
  func `is refused for a reason`(text: String, fault: ServerAddress.Fault) {
    #expect(throws: fault) { try ServerAddress(text) }
  }

  @Test func `may be http where the Info.plist makes room for it`() throws {
    let exception = ["NSAppTransportSecurity": ["NSAllowsLocalNetworking": true]]
    #expect(AppEnvironment.allowsPlainHTTP(exception))
    #expect(!AppEnvironment.allowsPlainHTTP([:]))
    let address = try ServerAddress("http://192.168.1.5:8080", allowsPlainHTTP: true)
    #expect(address.url.absoluteString == "http://192.168.1.5:8080")
  }
}

@Suite(.timeLimit(.minutes(15))) @MainActor struct `Signing in` {
  @Test func `says what is missing, and asks no server`() async throws {
    let phone = try await TestPhone()
    await phone.launch()
    let form = SignInModel(phone.app)
    await form.signIn()
    #expect(
      form.state.faults == [
        .server: AppText(.serverIsMissing), .organization: AppText(.identifierIsWrong),
        .user: AppText(.identifierIsWrong), .token: AppText(.tokenIsWrong),
      ])
    form.enter("http://192.168.1.5", in: .server)
    form.enter("my clinic", in: .organization)
    form.enter("..", in: .user)
    form.enter("a token", in: .token)
    #expect(form.state.faults.isEmpty)
    await form.signIn()
    #expect(form.state.faults[.server] == AppText(.serverIsInsecure))
    #expect(form.state.faults.count == 4)
    #expect(phone.app.services == nil)
  }

  @Test func `lasts until the person signs out`() async throws {
    let phone = try await TestPhone()
    await phone.launch()
    #expect(phone.app.state.phase == .signedOut(nil))
    try await phone.signIn()
    let person = AppModel.Person(
      user: phone.server.user.userID, organization: "clinic",
      server: try ServerAddress(phone.server.address))
    #expect(phone.app.state.phase == .signedIn(person))
    try await phone.relaunch()
    #expect(phone.app.state.phase == .signedIn(person))
    #expect(phone.app.state.tab == .devices)
    let account = AccountModel(person, phone.app)
    await account.askToSignOut()
    #expect(account.state.isAsking && account.state.consequence == AppText(.signOutEndsReading))
    await account.signOut()
    #expect(phone.app.state.phase == .signedOut(nil))
    try await phone.relaunch()
    #expect(phone.app.state.phase == .signedOut(nil))
    #expect(SignInModel(phone.app).state.entries == [.server: phone.server.address])
  }

  @Test func `fails for a token that the server does not know`() async throws {
    let phone = try await TestPhone()
    await phone.launch()
    let form = SignInModel(phone.app)
    form.enter(phone.server.address, in: .server)
    form.enter("clinic", in: .organization)
    form.enter(phone.server.user.userID, in: .user)
    form.enter("another-token", in: .token)
    await form.signIn()
    #expect(form.state.message == .text(AppText(.unknownPerson)))
    #expect(!form.state.isBusy)
    #expect(phone.app.state.phase == .signedOut(nil))
    form.enter(phone.server.user.accessToken, in: .token)
    #expect(form.state.message == nil)
    await form.signIn()
    #expect(form.state.message == nil)
    #expect(form.state.entries[.token] == nil)
    guard case .signedIn = phone.app.state.phase else { throw Failure() }
  }

  @Test func `succeeds while the server does not answer, and readings wait`() async throws {
    let phone = try await TestPhone()
    await phone.launch()
    let form = SignInModel(phone.app)
    form.enter("http://127.0.0.1:9", in: .server)
    form.enter("clinic", in: .organization)
    form.enter("bed-12", in: .user)
    form.enter("token", in: .token)
    await form.signIn()
    guard case .signedIn(let person) = phone.app.state.phase else { throw Failure() }
    try await phone.app.services?.session.submit(.sample("a"))
    let account = AccountModel(person, phone.app)
    await account.load()
    #expect(account.state.summary == [AppText(.notSentYet, "1")])
    await account.sendFirst()
    #expect(account.state.message != nil && account.state.unsentCount == 1)
    #expect(!account.state.isBusy)
  }

  @Test func `at another server leaves the readings of the first one where they are`() async throws
  {
    let phone = try await TestPhone()
    await phone.launch()
    try await phone.signIn()
    let first = try #require(phone.app.services)
    let form = SignInModel(phone.app)
    form.enter("http://127.0.0.1:9", in: .server)
    for (field, text) in [(SignInModel.Field.organization, "o"), (.user, "u"), (.token, "t")] {
      form.enter(text, in: field)
    }
    await form.signIn()
    let second = try #require(phone.app.services)
    #expect(second !== first && second.server != first.server)
    #expect(try await first.session.user()?.userID == phone.server.user.userID)
    #expect(try await second.session.user()?.userID == "u")
    try await phone.signIn()
    #expect(phone.app.services === first)
  }
}

@Suite(.timeLimit(.minutes(15))) @MainActor struct `Signing out` {
  @Test func `sends what waits first, if the person wants`() async throws {
    let phone = try await TestPhone()
    await phone.launch()
    try await phone.signIn()
    let session = try #require(phone.app.services?.session)
    await session.suspend()
    try await session.submit(.sample("a"))
    guard case .signedIn(let person) = phone.app.state.phase else { throw Failure() }
    let account = AccountModel(person, phone.app)
    await account.load()
    #expect(account.state.leavesReadings)
    await account.sendFirst()
    #expect(account.state.message == nil)
    #expect(account.state.summary == [AppText(.everythingSent)])
    #expect(try await phone.server.metrics() == [["systolic": 120]])
  }

  @Test func `keeps what was not sent for the same person`() async throws {
    let phone = try await TestPhone()
    await phone.launch()
    try await phone.signIn()
    let session = try #require(phone.app.services?.session)
    await session.suspend()
    try await session.submit(.sample("a"))
    try await session.hold([.sample("b")])
    guard case .signedIn(let person) = phone.app.state.phase else { throw Failure() }
    let account = AccountModel(person, phone.app)
    await account.askToSignOut()
    #expect(account.state.consequence == AppText(.signOutKeepsUnsent))
    #expect(
      account.state.summary == [AppText(.notSentYet, "1"), AppText(.notCheckedYet, "1")])
    account.stay()
    #expect(!account.state.isAsking)
    guard case .signedIn = phone.app.state.phase else { throw Failure() }
    await account.signOut()
    #expect(phone.app.state.phase == .signedOut(nil))
    #expect(try await phone.server.metrics().isEmpty)

    try await phone.signIn()
    let queue = QueueModel(session)
    await queue.load()
    let archive = try #require(queue.state.archives.first)
    await queue.returnArchive(archive.id)
    try await session.drain()
    #expect(try await phone.server.metrics() == [["systolic": 120]])
  }

  @Test func `by the server is explained`() async throws {
    let phone = try await TestPhone()
    await phone.launch()
    try await phone.signIn()
    try await phone.server.revoke()
    try await phone.app.services?.session.submit(.sample("a"))
    await phone.wait {
      phone.app.state.phase == .signedOut(AppText(.signedOutByServer))
    }
  }
}

struct Failure: Error {}

extension HealthRecord {
  /// A blood pressure.
  static func sample(_ logID: String) -> HealthRecord {
    let now = Date()
    return HealthRecord(
      logID: logID, time: RecordTime(start: now, origin: .device, received: now),
      source: RecordSource(type: .bluetooth), metrics: [Metric(.systolic, 120)])
  }
}
