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
    ("https://example.org:443", "https://example.org"), ("example.org.", "https://example.org"),
    ("http://localhost:80/", "http://localhost"),
  ])
  func `is https where nothing else is said`(text: String, expected: String) throws {
    #expect(try ServerAddress(text).url.absoluteString == expected)
  }

  @Test(arguments: [
    ("", ServerAddress.Fault.empty), ("   ", .empty), ("https://", .malformed),
    ("two words", .malformed), ("ftp://example.org", .malformed),
    ("https://me:secret@example.org", .malformed), ("https://example.org?a=b", .malformed),
    ("http://example.org", .insecure), ("http://192.168.1.5:8080", .insecure),
    // Slips that would be addresses of machines with the names "http" and "https".
    ("http:/example.org", .malformed), ("https//example.org", .malformed),
    ("https://example.org:99999", .malformed),
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
    #expect(account.state.isAsking && account.state.consequences == [AppText(.signOutEndsReading)])
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

  @Test func `asks what to do when the server does not answer`() async throws {
    let phone = try await TestPhone()
    await phone.launch()
    // There is a server, but none for readings.
    let form = await phone.signIn(phone.server.user, at: phone.server.address + "/elsewhere")
    #expect(form.state.message == .text(AppText(.serverIsSilent)))
    #expect(form.state.isServerSilent && !form.state.isBusy)
    #expect(phone.app.state.phase == .signedOut(nil) && phone.app.services == nil)
    form.enter(phone.server.address, in: .server)
    #expect(!form.state.isServerSilent)
    await form.signInAnyway()
    #expect(phone.app.state.phase == .signedOut(nil))
    await form.signIn()
    guard case .signedIn = phone.app.state.phase else { throw Failure() }
  }

  @Test func `succeeds while the server does not answer, and readings wait`() async throws {
    let phone = try await TestPhone()
    await phone.launch()
    try await phone.signInNowhere()
    guard case .signedIn(let person) = phone.app.state.phase else { throw Failure() }
    try await phone.app.services?.session.submit(.sample("a"))
    let account = AccountModel(person, phone.app)
    await account.load()
    #expect(account.state.summary == [AppText(.notSentYet, "1")])
    await account.sendFirst()
    #expect(account.state.message != nil && account.state.unsentCount == 1)
    #expect(!account.state.isBusy)
    await phone.wait { phone.app.state.sendingProblem != nil }
    #expect(phone.app.state.sendingProblem?.remedy == .tryAgain)
    await account.signOut()
    try await phone.signIn()
    await phone.wait { phone.app.state.sendingProblem == nil }
  }

  @Test func `at another server leaves the readings of the first one where they are`() async throws
  {
    let phone = try await TestPhone()
    await phone.launch()
    try await phone.signIn()
    let first = try #require(phone.app.services)
    try await phone.signInNowhere()
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
    #expect(
      account.state.consequences == [AppText(.signOutKeepsUnsent), AppText(.signOutEndsReading)])
    #expect(
      account.state.summary == [AppText(.notSentYet, "1"), AppText(.notCheckedYet, "1")])
    account.stay()
    #expect(!account.state.isAsking)
    guard case .signedIn = phone.app.state.phase else { throw Failure() }
    await account.signOut()
    #expect(phone.app.state.phase == .signedOut(nil))
    #expect(try await phone.server.metrics().isEmpty)

    await phone.signIn(try await phone.server.addPerson("bed-13"), at: phone.server.address)
    #expect(phone.app.state.archiveCount == 0 && !phone.app.state.asksForQueue)
    await (try phone.account()).signOut()
    try await phone.signIn()
    #expect(phone.app.state.archiveCount == 1 && phone.app.state.asksForQueue)
    let queue = QueueModel(session)
    await queue.load()
    let archive = try #require(queue.state.archives.first)
    await queue.returnArchive(archive.id)
    await phone.app.refresh()
    #expect(phone.app.state.archiveCount == 0)
    try await session.drain()
    #expect(try await phone.server.metrics() == [["systolic": 120]])
  }

  @Test func `does not count readings that the person has declined`() async throws {
    let phone = try await TestPhone()
    await phone.launch()
    try await phone.signIn()
    try await phone.app.services?.session.hold([.sample("a"), .sample("b")])
    let review = ReviewModel(try #require(phone.context()))
    await review.load()
    await review.decline(["a"])
    let account = try phone.account()
    await account.load()
    #expect(account.state.summary == [AppText(.notCheckedYet, "1")])
    await review.decline()
    await account.load()
    #expect(account.state.summary == [AppText(.everythingSent)])
  }

  @Test func `waits for what the system sends`() async throws {
    let phone = try await TestPhone()
    let uploads = SystemUploads()
    phone.transport = uploads
    try await phone.relaunch()
    try await phone.signIn()
    try await phone.app.services?.session.submit(.sample("a"))
    await phone.wait { await uploads.count == 1 }
    let account = try phone.account()
    let sending = Task { await account.sendFirst() }
    await phone.wait { account.state.isBusy }
    await uploads.perform()
    await sending.value
    #expect(account.state.message == nil)
    #expect(account.state.summary == [AppText(.everythingSent)])
    #expect(try await phone.server.metrics().count == 1)
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
    #expect(phone.notices.shown.map(\.body) == [AppText(.signedOutByServer)])
    // The system has ended the app before the person opens it.
    try await phone.relaunch()
    #expect(phone.app.state.phase == .signedOut(AppText(.signedOutByServer)))
    await phone.signIn(try await phone.server.addPerson("bed-13"), at: phone.server.address)
    #expect(phone.notices.shown.isEmpty)
    await (try phone.account()).signOut()
    try await phone.relaunch()
    #expect(phone.app.state.phase == .signedOut(nil))
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
