// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SantorioCore

/// A destination that cannot be asked about credentials.
private struct Mute: RecordDestination {
  let endpoint = localURL()
  let maximumBatchRecords = 3

  func submission(of records: [OutgoingRecord], of user: SantorioUser) -> TransportRequest {
    TransportRequest(method: "POST", url: endpoint)
  }

  func results(in response: TransportResponse, on records: [OutgoingRecord]) -> [DeliveryResult?] {
    response.body.isEmpty ? records.map { _ in .stored(serverID: nil) } : [.stored(serverID: nil)]
  }
}

@Suite struct `Upload machine and credentials` {
  private let now = Date(timeIntervalSince1970: 1_772_600_000)
  private let rows = ["a", "b"].map {
    OutboxRow(sequence: 1, logID: $0, body: [], attempts: 0, sum: 0)
  }

  private func machine(
    _ destination: any RecordDestination = IngestAPI(localURL()),
    canRefresh: Bool = true,
    isPacking: Bool = false
  ) -> UploadMachine {
    UploadMachine(
      destination: destination, maximumBatch: 100, isPacking: isPacking, canRefresh: canRefresh,
      random: { $0.upperBound })
  }

  private func answer(
    _ machine: inout UploadMachine, _ status: Int, _ body: String? = nil,
    of user: SantorioUser = alice,
    rows: [OutboxRow]? = nil, isPacked: Bool = false
  ) -> UploadMachine.Action {
    machine.batchAnswered(
      .success(TransportResponse(status, body)), rows: rows ?? self.rows, of: user,
      isPacked: isPacked, now: now)
  }

  private func validated(
    _ machine: inout UploadMachine, _ status: Int, of user: SantorioUser = alice
  ) -> UploadMachine.Action {
    machine.validationAnswered(.success(TransportResponse(status)), of: user, now: now)
  }

  private func wait(_ action: UploadMachine.Action) -> Duration? {
    guard case .wait(let duration, let error) = action, error.code == .credentialsRefused else {
      return nil
    }
    return duration
  }

  private let renewed = SantorioUser(userID: "alice", organizationID: "acme", accessToken: "new")

  // MARK: - A new token

  @Test func `asks the app for a token before it ends the session`() {
    var machine = machine()

    #expect(answer(&machine, 401) == .validate)
    #expect(validated(&machine, 401) == .refreshToken)
    #expect(machine.isRefused("token-of-alice"))
    #expect(machine.tokenRefreshed(.success("new")) == .useToken("new"))
    #expect(!machine.isRefused("new"))
    #expect(validated(&machine, 200, of: renewed) == .acceptCredentials)
  }

  @Test func `ends the session when the app has no token`() {
    var machine = machine()

    #expect(validated(&machine, 403) == .refreshToken)
    #expect(machine.tokenRefreshed(.success(nil)) == .endSession)
  }

  @Test func `waits, longer each time, while the app has no answer`() {
    var machine = machine()
    _ = validated(&machine, 401)

    let waits = (0..<4).map { _ in wait(machine.tokenRefreshed(.failure(CancellationError()))) }

    #expect(waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
    #expect(machine.isRefused("token-of-alice"))
  }

  @Test func `does not accept the refused token as a new one`() {
    var machine = machine()
    _ = validated(&machine, 401)

    #expect(wait(machine.tokenRefreshed(.success("token-of-alice"))) == .seconds(1))
  }

  @Test func `waits between tries when every new token is refused too`() {
    var machine = machine()
    _ = validated(&machine, 401)
    _ = machine.tokenRefreshed(.success("new"))

    #expect(wait(validated(&machine, 401, of: renewed)) == .seconds(1))
    #expect(machine.isRefused("new"))
    #expect(machine.tokenRefreshed(.success("newer")) == .useToken("newer"))
  }

  @Test func `asks at once again when a token has expired that worked`() {
    var machine = machine()
    let created = #"{"results":[{"log_id":"a","status":"created"}]}"#
    _ = validated(&machine, 401)
    _ = machine.tokenRefreshed(.success("new"))
    _ = validated(&machine, 200, of: renewed)
    _ = answer(&machine, 200, created, of: renewed)

    #expect(answer(&machine, 401, of: renewed) == .validate)
    #expect(validated(&machine, 401, of: renewed) == .refreshToken)
  }

  @Test func `asks the server about a token again when the user wants another try`() {
    var machine = machine()
    _ = validated(&machine, 401)

    machine.reset()

    #expect(!machine.isRefused("token-of-alice"))
  }

  // MARK: - A server that cannot be asked

  @Test func `ends at 401 in time, and waits at 403, where the server cannot be asked`() {
    var machine = machine(Mute(), canRefresh: false)

    #expect(wait(answer(&machine, 401)) == .seconds(1))
    for _ in 0..<10 { _ = answer(&machine, 401) }
    #expect(answer(&machine, 401) == .endSession)
    machine = self.machine(Mute(), canRefresh: false)
    guard case .wait(.seconds(1), let error) = answer(&machine, 403) else {
      Issue.record("403 has to wait")
      return
    }
    #expect(error.code == .endpointRefused)
  }

  @Test(arguments: [401, 403])
  func `asks the app at once where the server cannot be asked`(status: Int) {
    var machine = machine(Mute())

    #expect(answer(&machine, status) == .refreshToken)
    #expect(machine.isRefused("token-of-alice"))
  }

  // MARK: - Compressed bodies

  @Test func `compresses no more after the server refused to expand, and loses nothing by it`() {
    var machine = machine(isPacking: true)
    #expect(machine.isPacking)

    #expect(answer(&machine, 415, isPacked: true) == .proceed)

    #expect(!machine.isPacking)
    #expect(machine.batchLimit == 100)
  }

  @Test func `compresses no more after a 400 to several, and sends the same batch again`() {
    var machine = machine(isPacking: true)

    #expect(answer(&machine, 400, isPacked: true) == .proceed)

    #expect(!machine.isPacking)
    #expect(machine.batchLimit == 100)
    #expect(answer(&machine, 400) == .proceed)
    #expect(machine.batchLimit == 1)
  }

  @Test func `rejects no record because of a body that compression may have malformed`() {
    var machine = machine(isPacking: true)
    let one = Array(rows.prefix(1))

    #expect(answer(&machine, 400, rows: one, isPacked: true) == .proceed)
    #expect(
      answer(&machine, 400, rows: one)
        == .settle([
          .rejected(RecordFailure(status: 400, code: "refused", message: "", path: nil))
        ]))
  }

  @Test func `waits for an hour at 415 to a body that was not compressed`() {
    var machine = machine(isPacking: true)

    guard case .wait(.seconds(3600), let error) = answer(&machine, 415) else {
      Issue.record("415 has to wait")
      return
    }
    #expect(error.code == .endpointRefused)
  }

  @Test func `compresses nothing for a server that is not known to expand`() {
    #expect(!machine(Mute(), isPacking: true).isPacking)
  }

  // MARK: - The destination's word

  @Test func `sends no more records at once than the destination takes`() {
    #expect(machine(Mute()).batchLimit == 3)
  }

  @Test func `believes no answer about another number of records`() {
    var machine = machine(Mute())

    guard case .wait(.seconds(1), let error) = answer(&machine, 200, "x") else {
      Issue.record("the answer has to be disbelieved")
      return
    }
    #expect(error.code == .foreignAnswer)
  }
}
