// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioJSON
import SessionTesting
import TestSupport
import Testing

@testable import SantorioCore

/// Sessions that send to electronic health records, which do not recognise what they were sent before.
@Suite(.timeLimit(.minutes(15))) struct `Upload to a health record` {
  let folder: TemporaryFolder
  let server = HealthRecordServer()

  init() throws { folder = try TemporaryFolder() }

  private func session(
    _ transport: (any HTTPTransport)? = nil, endpoint: URL = localURL(),
    about subject: FHIRServer.Subject = .user
  ) -> SantorioSession {
    var configuration = SantorioSession.Configuration(
      directory: folder.url, destination: FHIRServer(endpoint, subject: subject, profile: .ehr))
    configuration.transport =
      transport ?? ScriptedTransport { [server] request, _ in server.answer(request) }
    configuration.random = { _ in 0 }
    configuration.notificationCenter = NotificationCenter()
    configuration.retryTriggers = []
    return SantorioSession(configuration)
  }

  private func cuff(_ logID: String = "a", systolic: Double = 120) -> HealthRecord {
    var record = reading(logID, systolic: systolic)
    record.metrics += [Metric(.diastolic, 80), Metric(.pulse, 61)]
    return record
  }

  /// Submits, sends, and waits for an event a record.
  private func upload(
    _ records: [HealthRecord], _ session: SantorioSession
  ) async throws -> [String] {
    try await session.start(alice)
    try await session.submit(records)
    return try await deliver(records.count, session)
  }

  /// Submits, and sends until nothing is left.
  private func uploadAll(
    _ records: [HealthRecord], _ session: SantorioSession, as user: SantorioUser
  ) async throws {
    try await session.start(user)
    try await session.submit(records)
    try await sendAll(session)
  }

  private func sendAll(_ session: SantorioSession) async throws {
    session.resume()
    while try await session.pendingCount() > 0 {
      await session.rests.next { session.uploading.call(.retry) }
    }
    await session.suspend()
  }

  private func deliver(_ count: Int, _ session: SantorioSession) async throws -> [String] {
    let events = session.events
    session.resume()
    let found = await events.first(count)
    await session.suspend()
    return found.map { event in
      switch event {
      case .recordSubmitted(let record, let id): "\(record.logID) \(id ?? "-")"
      case .recordFailed(let record, let failure): "\(record.logID) failed \(failure.code)"
      default: "\(event)"
      }
    }
  }

  @Test func `sends each Observation once, in a request of its own`() async throws {
    let session = session()
    #expect(
      try await upload([cuff(), reading("b")], session) == [
        "a Observation/1", "b failed not_convertible",
      ])
    #expect(server.stored == ["alice 85354-9 120/80", "alice 8867-4 61"])
    #expect(server.requests == ["POST", "POST"])
    #expect(try await session.pendingCount() == 0)
  }

  @Test func `looks for a part whose answer was lost, and does not send it again`() async throws {
    server.faults = [.loseAnswer]
    #expect(try await upload([cuff()], session()) == ["a Observation/2"])
    #expect(server.stored == ["alice 85354-9 120/80", "alice 8867-4 61"])
    #expect(server.requests == ["POST", "POST", "GET"])
  }

  @Test func `sends a part again that the server does not have`() async throws {
    server.faults = [.loseRequest]
    #expect(try await upload([cuff()], session()) == ["a Observation/2"])
    #expect(server.stored == ["alice 8867-4 61", "alice 85354-9 120/80"])
    #expect(server.requests == ["POST", "POST", "GET", "POST"])
  }

  @Test func `finds a part again by its second and the pressures that were written`() async throws {
    var record = cuff()
    record.time.start += 0.153
    record.time.end = record.time.start
    record.metrics.append(Metric(.meanArterialPressure, 93))
    server.faults = [.loseAnswer]
    #expect(try await upload([record], session()) == ["a Observation/2"])
    #expect(server.requests == ["POST", "POST", "GET"])
  }

  @Test func `takes an answer without a name for stored`() async throws {
    server.namesCreated = false
    #expect(try await upload([cuff()], session()) == ["a -"])
    #expect(server.stored.count == 2)
  }

  @Test func `gives a part up that was sent three times to a server that cannot be asked`()
    async throws
  {
    server.allowsSearch = false
    server.faults = [.loseAnswer, .none, .none, .loseAnswer, .none, .loseAnswer]
    let session = session()
    #expect(try await upload([cuff()], session) == ["a failed no_answer"])
    #expect(server.stored.count { $0 == "alice 85354-9 120/80" } == PartLedger.mostSent)
    #expect(server.stored.count == PartLedger.mostSent + 1)
  }

  @Test func `takes a duplicate for what it sent itself, where the server cannot be asked`()
    async throws
  {
    server.allowsSearch = false
    server.duplicateStatus = 422
    server.faults = [.loseAnswer]
    #expect(try await upload([cuff()], session()) == ["a Observation/2"])
    #expect(server.stored == ["alice 85354-9 120/80", "alice 8867-4 61"])
  }

  @Test func `sends all of a record to another patient`() async throws {
    server.refused = ["8867-4"]
    #expect(
      try await upload([cuff()], session(about: .reference("Patient/wrong")))
        == ["a failed business-rule"])
    server.refused = []
    try await uploadAll([cuff()], session(about: .reference("Patient/right")), as: alice)
    #expect(
      server.stored == ["wrong 85354-9 120/80", "right 85354-9 120/80", "right 8867-4 61"])
  }

  @Test func `does not let a kind of value stop the others that the token does not allow`()
    async throws
  {
    server.forbidden = ["85354-9"]
    let session = session()
    #expect(
      try await upload([cuff(), cuff("b", systolic: 130)], session)
        == ["a failed forbidden", "b failed forbidden"])
    #expect(server.stored == ["alice 8867-4 61", "alice 8867-4 61"])
  }

  @Test func `gives nothing up that was turned away, however often`() async throws {
    server.allowsSearch = false
    server.faults = Array(repeating: .throttle, count: 20)
    #expect(try await upload([cuff()], session()) == ["a Observation/1"])
    #expect(server.stored == ["alice 85354-9 120/80", "alice 8867-4 61"])
  }

  @Test func `keeps all in the queue while a token allows nothing`() async throws {
    server.allowsSearch = false
    server.forbidden = ["85354-9", "8867-4"]
    let transport = EndingTransport(server, after: 40, reaches: false)
    do {
      let session = session(transport)
      try await session.start(alice)
      try await session.submit([cuff(), cuff("b", systolic: 130)])
      await launch(session, until: transport)
      #expect(try await session.quarantinedRecords().isEmpty)
      #expect(try await session.pendingCount() == 2)
    }
    #expect(server.requests.count == 40)

    server.forbidden = []
    try await sendAll(session())
    #expect(server.stored.count == 4)
  }

  @Test func `may not be repeated by the transport`() throws {
    let request = try FHIRServer(localURL(), profile: .ehr).submission(
      of: [OutgoingRecord(logID: "a", informJSON: cuff().informJSON(), part: "pulse")], of: alice)
    #expect(!request.isRepeatable)
  }

  @Test func `sends a part again where the server cannot be asked`() async throws {
    server.faults = [.loseRequest]
    server.allowsSearch = false
    #expect(try await upload([cuff()], session()) == ["a Observation/2"])
    #expect(server.requests == ["POST", "POST", "GET", "POST"])
  }

  @Test func `lets others pass when the search for a part fails each time`() async throws {
    server.faults = [.loseAnswer]
    server.searchStatus = 500
    let session = session()
    try await session.start(alice)
    try await session.submit([cuff(), cuff("b", systolic: 130)])
    #expect(try await deliver(1, session) == ["b Observation/3"])
    #expect(server.stored.count == 4)

    server.searchStatus = nil
    try await sendAll(session)
    #expect(server.stored.count == 4)
  }

  @Test func `sends nothing again when the record is read again`() async throws {
    #expect(try await upload([cuff()], session()) == ["a Observation/1"])
    #expect(try await upload([cuff()], session()) == ["a Observation/1"])
    #expect(server.requests == ["POST", "POST"])
  }

  @Test func `sends the record of another user, and to another server`() async throws {
    #expect(try await upload([cuff()], session()) == ["a Observation/1"])
    try await uploadAll([cuff()], session(), as: bob)
    #expect(server.stored.map { $0.prefix(3) } == ["ali", "ali", "bob", "bob"])
    let other = HealthRecordServer()
    let transport = ScriptedTransport { request, _ in other.answer(request) }
    try await uploadAll([cuff()], session(transport, endpoint: localURL(port: 10)), as: bob)
    #expect(server.stored.count == 4 && other.stored.count == 2)
  }

  @Test func `keeps what was refused, with the reason, and sends only that again`() async throws {
    server.refused = ["8867-4"]
    let session = session()
    #expect(try await upload([cuff()], session) == ["a failed business-rule"])
    #expect(server.stored == ["alice 85354-9 120/80"])
    let kept = try #require(try await session.quarantinedRecords().first)
    #expect(kept.failure?.message == "pulse: no row for 8867-4 (stored: blood_pressure)")

    server.refused = []
    #expect(try await session.retryQuarantined() == 1)
    #expect(try await deliver(1, session) == ["a Observation/1"])
    #expect(server.stored == ["alice 85354-9 120/80", "alice 8867-4 61"])
    #expect(server.requests == ["POST", "POST", "POST"])
  }

  @Test func `sends what can be said of a record, and keeps it for the rest`() async throws {
    var record = cuff()
    record.metrics.append(Metric(MetricType(rawValue: "own_score"), 3, unit: "points"))
    let session = session()
    #expect(try await upload([record], session) == ["a failed not_convertible"])
    #expect(server.stored.count == 2)
    #expect(try await session.quarantinedRecords().first?.failure?.path == "metrics(own_score)")
  }

  @Test(arguments: [400, 409, 412])
  func `takes a duplicate for stored only when it is there`(status: Int) async throws {
    server.duplicateStatus = status
    // From an earlier installation of the app.
    #expect(try await upload([cuff()], session()) == ["a Observation/1"])
    let fresh = try TemporaryFolder()
    var configuration = SantorioSession.Configuration(
      directory: fresh.url, destination: FHIRServer(localURL(), profile: .ehr))
    configuration.transport = ScriptedTransport { [server] request, _ in server.answer(request) }
    configuration.notificationCenter = NotificationCenter()
    configuration.retryTriggers = []
    let session = SantorioSession(configuration)
    #expect(
      try await upload([cuff(), cuff("b", systolic: 150)], session)
        == ["a -", "b failed duplicate"])
    #expect(server.stored == ["alice 85354-9 120/80", "alice 8867-4 61"])
    #expect(try await session.quarantinedRecords().map(\.logID) == ["b"])
  }

  @Test func `takes no page of a portal for an answer`() async throws {
    server.faults = [.portal, .portal]
    #expect(try await upload([cuff()], session()) == ["a Observation/1"])
    #expect(server.stored == ["alice 85354-9 120/80", "alice 8867-4 61"])
  }

  @Test func `keeps the ledger of the newest records only`() async throws {
    let outbox = try await folder.openOutbox()
    for number in 0..<5 {
      let name = Outbox.ledgerName(
        of: "r\(number)", alice, at: FHIRServer(localURL(), profile: .ehr))
      var ledger = PartLedger()
      ledger.willSend("p")
      try await outbox.note(ledger, as: name)
    }
    #expect(try await outbox.states(of: "upload").count == 5)
    try await outbox.removeStates(of: "upload", beyond: 3)
    #expect(
      try await outbox.states(of: "upload").map { $0.name.device.split(separator: "\n").last }
        == ["r4", "r3", "r2"])
  }

  // MARK: - Background uploads

  @Test func `goes on in the background, a part an upload, over launches of the app`() async throws
  {
    let daemon = TransferDaemon(isAutomatic: false) { [server] in server.answer($0) }
    do {
      let session = session(daemon.launch())
      try await session.start(alice)
      try await session.submit((0..<3).map { cuff("r\($0)") })
      session.resume()
      await session.rests.next { session.uploading.call(.answer) }
      #expect(daemon.waiting == 3)
      await session.suspend()
    }
    server.faults = [.none, .loseAnswer, .none]
    await daemon.perform()

    let next = session(daemon.launch())
    next.resume()
    while try await next.pendingCount() > 0 {
      await next.rests.next { next.uploading.call(.retry) }
      await daemon.perform()
    }
    await next.suspend()

    #expect(
      server.stored.sorted()
        == Array(repeating: "alice 85354-9 120/80", count: 3)
        + Array(repeating: "alice 8867-4 61", count: 3))
    #expect(server.requests.count { $0 == "POST" } == 6)
    #expect(server.requests.count { $0 == "GET" } == 1)
  }

  // MARK: - Interruptions

  /// Apps that are ended and networks that fail at random: each Observation is there once.
  @Test(arguments: 1...20)
  func `has each Observation once, whatever is interrupted`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let records = (0..<6).map { number in
      var record = cuff("r\(number)", systolic: 120 + Double(number))
      record.time.start += Double(number) * 60
      record.time.end = record.time.start
      return record
    }
    server.faults = (0..<20).map { _ in
      HealthRecordServer.Fault.allCases.randomElement(using: &random) ?? .none
    }
    let first = session()
    try await first.start(alice)
    try await first.submit(records)
    for _ in 0..<6 {
      let transport = EndingTransport(
        server, after: Int.random(in: 0...4, using: &random), reaches: Bool.random(using: &random))
      await launch(session(transport), until: transport)
    }
    server.faults = []
    try await sendAll(session())
    #expect(server.stored.count == 12)
    #expect(Set(server.keys).count == 12)
  }

  /// A launch of the app, until it is ended or has nothing to do.
  private func launch(_ session: SantorioSession, until transport: EndingTransport) async {
    session.resume()
    await withTaskGroup { group in
      group.addTask { await transport.untilEnd() }
      group.addTask { await session.rests.next { session.uploading.call(.retry) } }
      await group.next()
      group.cancelAll()
    }
    await session.suspend()
  }
}
