// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import TestSupport
import Testing

@testable import SantorioCore

/// A destination that stores the first record and wants the others later.
private struct Postponing: RecordDestination {
  let endpoint = localURL()
  let maximumBatchRecords = 3

  func submission(of records: [OutgoingRecord], of user: SantorioUser) -> TransportRequest {
    TransportRequest(method: "POST", url: endpoint)
  }

  func results(in response: TransportResponse, on records: [OutgoingRecord]) -> [DeliveryResult?] {
    records.indices.map { $0 == 0 ? .stored(serverID: nil) : .postponed(.seconds(42)) }
  }
}

@Suite struct `Upload machine` {
  /// A machine whose jitter draws the upper end of the range, so that a wait shows its bound.
  private func machine(maximumBatch: Int = 100) -> UploadMachine {
    UploadMachine(
      destination: IngestAPI(localURL()), maximumBatch: maximumBatch,
      random: { $0.upperBound })
  }

  private func rows(_ logIDs: [String], attempts: Int = 0) -> [OutboxRow] {
    logIDs.enumerated().map { index, logID in
      OutboxRow(sequence: Int64(index + 1), logID: logID, body: [], attempts: attempts, sum: 0)
    }
  }

  private func rows(_ count: Int) -> [OutboxRow] { rows((0..<count).map { "r\($0)" }) }

  private let now = Date(timeIntervalSince1970: 1_772_600_000)

  private func answer(
    _ machine: inout UploadMachine, _ status: Int, _ body: String? = nil,
    headers: [String: String] = [:], to rows: [OutboxRow]
  ) -> UploadMachine.Action {
    machine.batchAnswered(
      .success(TransportResponse(status, body, headers)), rows: rows, of: alice, now: now)
  }

  private func wait(_ action: UploadMachine.Action) -> Duration? {
    guard case .wait(let duration, _) = action else { return nil }
    return duration
  }

  // MARK: - Results

  @Test func `postpones a record for as long as its destination says`() {
    var machine = UploadMachine(
      destination: Postponing(), maximumBatch: 100, random: { $0.upperBound })

    let action = answer(&machine, 200, "{}", to: rows(["a", "b"]))

    #expect(action == .settle([.stored(serverID: nil), .postponed(.seconds(42))]))
  }

  @Test func `settles each record as its result says`() {
    var machine = machine()
    let body = """
      {"results":[{"log_id":"a","status":"created","id":"1","revision":1},
      {"log_id":"b","status":"duplicate","id":"2"},{"log_id":"c","status":"revised","id":"3"},
      {"log_id":"d","status":"rejected",
       "error":{"code":"missing","message":"m","path":"metrics"}}]}
      """

    let action = answer(&machine, 200, body, to: rows(["a", "b", "c", "d"]))

    #expect(
      action
        == .settle([
          .stored(serverID: "1"), .stored(serverID: "2"), .stored(serverID: "3"),
          .rejected(RecordFailure(status: nil, code: "missing", message: "m", path: "metrics")),
        ]))
  }

  @Test func `assigns results by log_id and not by position`() {
    var machine = machine()
    let body = """
      {"results":[{"log_id":"b","status":"rejected","error":{"code":"x","message":""}},
      {"log_id":"a","status":"created","id":"1"}]}
      """

    let action = answer(&machine, 200, body, to: rows(["a", "b"]))

    #expect(
      action
        == .settle([
          .stored(serverID: "1"),
          .rejected(RecordFailure(status: nil, code: "x", message: "", path: nil)),
        ]))
  }

  @Test func `assigns a result without a log_id by position`() {
    var machine = machine()
    let body = """
      {"results":[{"log_id":"a","status":"created"},
      {"status":"rejected","error":{"code":"malformed_json","message":""}}]}
      """

    let action = answer(&machine, 200, body, to: rows(["a", "b"]))

    #expect(
      action
        == .settle([
          .stored(serverID: nil),
          .rejected(RecordFailure(status: nil, code: "malformed_json", message: "", path: nil)),
        ]))
  }

  @Test func `keeps a record that the answer does not name, and lets it wait`() {
    var machine = machine()
    let body = #"{"results":[{"log_id":"a","status":"created","id":"1"},{"status":"rejected"}]}"#

    let action = answer(&machine, 200, body, to: rows(["a", "b", "c"], attempts: 2))

    #expect(
      action
        == .settle([
          .stored(serverID: "1"), .postponed(.seconds(8)), .postponed(.seconds(8)),
        ]))
  }

  @Test(arguments: [
    "", "<html>Welcome to the hotel</html>", "{}", #"{"results":[]}"#,
    #"{"results":[{"log_id":"z","status":"created"}]}"#,
    #"{"results":[{"log_id":"a","status":"perhaps"}]}"#,
    #"{"results":[{"log_id":"a","status":"crea"#,
  ])
  func `keeps everything when an answer of success names no record`(body: String) {
    var machine = machine()

    let action = answer(&machine, 200, body, to: rows(["a", "b"]))

    #expect(wait(action) == .seconds(1))
  }

  // MARK: - Refusals

  @Test(arguments: [400, 413, 422])
  func `finds the one bad record by halving and fails it alone`(status: Int) {
    var machine = machine(maximumBatch: 8)
    let error = #"{"error":{"code":"bad","message":"no","path":"type"}}"#
    var queue = rows(8)
    var failed: [String] = []
    var requests = 0

    while !queue.isEmpty, requests < 40 {
      let batch = Array(queue.prefix(machine.batchLimit))
      requests += 1
      if batch.contains(where: { $0.logID == "r5" }) {
        guard case .settle(let results) = answer(&machine, status, error, to: batch) else {
          continue
        }
        #expect(
          results == [
            .rejected(RecordFailure(status: status, code: "bad", message: "no", path: "type"))
          ])
        failed += batch.map(\.logID)
      } else {
        let results = batch.map { #"{"log_id":"\#($0.logID)","status":"created"}"# }
        _ = answer(
          &machine, 200, #"{"results":[\#(results.joined(separator: ","))]}"#, to: batch)
      }
      queue.removeFirst(batch.count)
    }

    #expect(failed == ["r5"])
    #expect(queue.isEmpty)
  }

  private func take(_ count: Int, by machine: inout UploadMachine) {
    let created = (0..<count).map { #"{"log_id":"r\#($0)","status":"created"}"# }
    let body = #"{"results":[\#(created.joined(separator: ","))]}"#
    _ = answer(&machine, 200, body, to: rows(count))
  }

  @Test func `sends fewer than the server called too large until it has taken ten such batches`() {
    var machine = machine(maximumBatch: 100)

    #expect(answer(&machine, 413, to: rows(100)) == .proceed)
    #expect(machine.batchLimit == 50)
    #expect(answer(&machine, 413, to: rows(50)) == .proceed)
    #expect(machine.batchLimit == 25)
    for _ in 0..<9 { take(25, by: &machine) }
    #expect(machine.batchLimit == 25)
    for _ in 0..<20 { take(24, by: &machine) }
    #expect(machine.batchLimit == 25)
    take(25, by: &machine)
    #expect(machine.batchLimit == 50)
  }

  @Test(arguments: [(413, 100), (400, 50)])
  func `forgets what was too large once the one record that was is refused`(
    status: Int, limit: Int
  ) {
    var machine = machine(maximumBatch: 100)
    #expect(answer(&machine, 413, to: rows(100)) == .proceed)

    let error = #"{"error":{"code":"invalid","message":"m"}}"#
    _ = answer(&machine, status, error, to: rows(1))
    take(50, by: &machine)

    #expect(machine.batchLimit == limit)
  }

  @Test func `sends whole batches again some time after two records were too large together`() {
    var machine = machine(maximumBatch: 100)
    #expect(answer(&machine, 413, to: rows(2)) == .proceed)
    var limits: [Int] = []

    for _ in 0..<70 {
      limits.append(machine.batchLimit)
      take(machine.batchLimit, by: &machine)
    }

    #expect(limits == [1, 2, 4, 8, 16, 32, 64].flatMap { [Int](repeating: $0, count: 10) })
    #expect(machine.batchLimit == 100)
  }

  @Test func `lets a record wait whose number of attempts is damaged`() {
    var machine = machine()
    let body = #"{"results":[{"log_id":"a","status":"created"},{"status":"rejected"}]}"#

    let action = answer(&machine, 200, body, to: rows(["a", "b", "c"], attempts: .max))

    #expect(
      action
        == .settle([
          .stored(serverID: nil), .postponed(.seconds(300)), .postponed(.seconds(300)),
        ]))
  }

  // MARK: - Images

  @Test(arguments: ["", "<html>Welcome to the hotel</html>", "{}", #"{"sha256":"00fe"}"#])
  func `sends an image again whose arrival the answer does not confirm`(body: String) {
    var machine = machine()
    let image = RecordMedia(sha256: "00ff", contentType: "image/png", byteCount: 3)

    let waits = (0..<2).map { _ in
      wait(
        machine.imageAnswered(
          .success(TransportResponse(200, body)), image: image, of: alice, now: now))
    }

    #expect(waits == [.seconds(1), .seconds(2)])
  }

  // MARK: - Credentials

  @Test(arguments: [401, 403])
  func `asks about refused credentials during the grace period before it ends the session`(
    status: Int
  ) {
    var machine = machine()
    var waits: [Duration] = []

    #expect(answer(&machine, status, to: rows(3)) == .validate)
    var action = machine.validationAnswered(
      .success(TransportResponse(status)), of: alice, now: now)
    while case .wait(let duration, let error) = action, waits.count < 100 {
      #expect(error.code == .credentialsRefused)
      waits.append(duration)
      action = machine.validationAnswered(
        .success(TransportResponse(status)), of: alice, now: now)
    }

    #expect(action == .endSession)
    let expected = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { Duration.seconds($0) }
    #expect(waits == expected)
    let waited = waits.reduce(Duration.zero, +)
    #expect(waited >= .seconds(900) && waited - .seconds(300) < .seconds(900))
  }

  @Test func `waits for the whole grace period whatever the random waits are`() {
    var machine = UploadMachine(
      destination: IngestAPI(localURL()), maximumBatch: 1,
      refusalGrace: .seconds(60), random: { $0.lowerBound })
    var waited = Duration.zero

    for _ in 0..<20 {
      let action = machine.validationAnswered(
        .success(TransportResponse(401)), of: alice, now: now)
      waited += wait(action) ?? .zero
      if action == .endSession { break }
    }

    #expect(waited == .milliseconds(63_500))
  }

  @Test func `restarts the grace period once the server has accepted the credentials`() {
    var machine = UploadMachine(
      destination: IngestAPI(localURL()), maximumBatch: 1, refusalGrace: .seconds(3),
      random: { $0.upperBound })
    func asked(_ status: Int) -> UploadMachine.Action {
      machine.validationAnswered(.success(TransportResponse(status)), of: alice, now: now)
    }

    #expect(wait(asked(401)) == .seconds(1))
    #expect(asked(200) == .acceptCredentials)
    #expect(wait(asked(401)) == .seconds(2))
    #expect(wait(asked(401)) == .seconds(4))
    #expect(asked(401) == .endSession)
  }

  // MARK: - Answers of others

  /// What a proxy, a firewall or a captive portal says.
  static let foreignBodies = [
    "", "<html><h1>403 Forbidden</h1></html>", "{}", "[]", #"{"message":"Forbidden"}"#,
    #"{"error":"forbidden"}"#, #"{"error":{"code":403,"message":"no"}}"#, #"{"error":{"code""#,
  ]

  @Test(arguments: [302, 307, 400, 401, 403, 404, 405, 407, 409, 410, 413, 415, 422, 451])
  func `accepts no answer about records that is not the server's`(status: Int) {
    for body in Self.foreignBodies {
      var machine = machine()

      for seconds in [1, 2, 4, 8] {
        guard
          case .wait(let duration, let error) = answer(&machine, status, body, to: rows(1))
        else {
          Issue.record("\(body)")
          break
        }
        #expect(duration == .seconds(seconds))
        #expect(error.code == .foreignAnswer)
        #expect(error.status == status)
      }
    }
  }

  @Test(arguments: [200, 204, 302, 400, 401, 403, 404])
  func `accepts no answer about credentials that is not the server's`(status: Int) {
    for body in ["", "<html>sign in</html>", "[]", "{}"] {
      var machine = machine()

      let action = machine.validationAnswered(
        .success(TransportResponse(status, body)), of: alice, now: now)

      guard case .wait(.seconds(1), let error) = action else {
        Issue.record("\(action)")
        continue
      }
      #expect(error.code == .foreignAnswer)
    }
  }

  @Test(arguments: [400, 401, 403, 404, 409, 410, 413, 415, 422])
  func `accepts no answer about an image that is not the server's`(status: Int) {
    let image = RecordMedia(sha256: "00ff", contentType: "image/png", byteCount: 3)
    for body in Self.foreignBodies {
      var machine = machine()

      let actions = (0..<3).map { _ in
        machine.imageAnswered(
          .success(TransportResponse(status, body)), image: image, of: alice, now: now)
      }

      #expect(wait(actions[0]) == .seconds(1) && wait(actions[1]) == .seconds(2))
      // Others go first.
      guard case .settleImage(.postponed) = actions[2] else {
        Issue.record("\(actions[2])")
        continue
      }
    }
  }

  @Test func `sends smaller batches when a proxy refuses large bodies`() {
    var machine = machine(maximumBatch: 4)

    #expect(answer(&machine, 413, "<html>too large</html>", to: rows(4)) == .proceed)
    #expect(answer(&machine, 413, "<html>too large</html>", to: rows(2)) == .proceed)
    #expect(wait(answer(&machine, 413, "<html>too large</html>", to: rows(1))) == .seconds(1))
  }

  @Test func `waits, longer each time, when known credentials are refused for records`() {
    var machine = machine()
    var waits: [Duration?] = []

    for _ in 0..<3 {
      #expect(answer(&machine, 403, to: rows(3)) == .validate)
      waits.append(
        wait(
          machine.validationAnswered(.success(TransportResponse(200)), of: alice, now: now)))
    }

    #expect(waits == [.seconds(1), .seconds(2), .seconds(4)])
    // Asked again without a refusal in between.
    let action = machine.validationAnswered(
      .success(TransportResponse(200)), of: alice, now: now)
    #expect(action == .acceptCredentials)
  }

  @Test func `accepts credentials whose records the server has taken meanwhile`() {
    var machine = machine()
    #expect(answer(&machine, 403, to: rows(1)) == .validate)
    _ = machine.validationAnswered(
      .failure(TransportError(.unreachable, "offline")), of: alice, now: now)
    let body = #"{"results":[{"log_id":"r0","status":"created","id":"1","revision":1}]}"#
    #expect(answer(&machine, 200, body, to: rows(1)) == .settle([.stored(serverID: "1")]))

    let action = machine.validationAnswered(
      .success(TransportResponse(200)), of: alice, now: now)

    #expect(action == .acceptCredentials)
  }

  @Test func `accepts credentials, or asks again later without an answer`() {
    var machine = machine()
    let offline = TransportError(.unreachable, "no route")

    func asked(_ answer: Result<TransportResponse, TransportError>) -> UploadMachine.Action {
      machine.validationAnswered(answer, of: alice, now: now)
    }

    #expect(wait(asked(.failure(offline))) == .seconds(1))
    #expect(wait(asked(.success(TransportResponse(503)))) == .seconds(2))
    #expect(asked(.success(TransportResponse(200))) == .acceptCredentials)
  }

  // MARK: - Waiting

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504, 599])
  func `keeps everything and waits while the server is unavailable`(status: Int) {
    var machine = machine()

    #expect(wait(answer(&machine, status, to: rows(3))) == .seconds(1))
  }

  @Test(arguments: [300, 301, 302, 304, 307, 308, 404, 405, 409, 410, 451])
  func `keeps everything for an hour when the address is wrong`(status: Int) {
    var machine = machine()

    let action = answer(&machine, status, to: rows(1))

    guard case .wait(let duration, let error) = action else {
      Issue.record("\(action)")
      return
    }
    #expect(duration == .seconds(3600))
    #expect(error.code == .endpointRefused)
    #expect(error.status == status)
  }

  @Test func `doubles the bound of the wait up to five minutes, and starts over after a success`() {
    var machine = machine()
    let offline = TransportError(.timedOut, "too slow")
    let created = #"{"results":[{"log_id":"r0","status":"created"}]}"#

    let waits = (0..<11).map { _ in
      wait(machine.batchAnswered(.failure(offline), rows: rows(1), of: alice, now: now))
    }
    _ = answer(&machine, 200, created, to: rows(1))
    let afterwards = wait(
      machine.batchAnswered(.failure(offline), rows: rows(1), of: alice, now: now))

    #expect(
      waits
        == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { Duration.seconds($0) })
    #expect(afterwards == .seconds(1))
  }

  @Test func `restarts its waits on request`() {
    var machine = machine()
    for _ in 0..<5 { _ = answer(&machine, 503, to: rows(1)) }

    machine.reset()

    #expect(wait(answer(&machine, 503, to: rows(1))) == .seconds(1))
  }

  @Test func `spreads the waits over the whole range`() {
    var drawn: [ClosedRange<Double>] = []
    var machine = UploadMachine(
      destination: IngestAPI(localURL()), maximumBatch: 10
    ) { range in
      drawn.append(range)
      return range.upperBound / 4
    }

    _ = answer(&machine, 503, to: rows(1))
    let second = wait(answer(&machine, 503, to: rows(1)))

    #expect(drawn == [0...1, 0...2])
    #expect(second == .seconds(0.5))
  }

  @Test(arguments: [
    ("7", 7), ("0", 1), ("3600", 3600), ("999999", 3600), ("99999999999999999999999", 3600),
    ("Wed, 04 Mar 2026 04:54:20 GMT", 60), ("Wed, 04 Mar 2026 04:00:00 GMT", 1),
    ("Fri, 01 Jan 2027 00:00:00 GMT", 3600), ("soon", 1), ("-5", 1), ("", 1), ("1.5", 1),
    ("Wed, 99 Mar 2026 04:54:20 GMT", 1), ("Wed, 04 Foo 2026 04:54:20 GMT", 1),
  ])
  func `waits as long as the server asks, in seconds or to a date, an hour at most`(
    text: String, seconds: Int
  ) {
    var machine = machine()

    // 1,772,600,000 s is Wed, 04 Mar 2026 04:53:20 GMT.
    let action = answer(&machine, 503, headers: ["retry-after": text], to: rows(1))

    #expect(wait(action) == .seconds(seconds))
  }

  @Test func `measures a date by the server's own clock where the answer has one`() {
    var machine = machine()
    let headers = [
      "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT",
    ]

    #expect(wait(answer(&machine, 429, headers: headers, to: rows(1))) == .seconds(30))
  }
}

@Suite struct `HTTP date` {
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Tue, 19 Jan 2038 03:14:08 GMT", 1 << 31),
  ])
  func `counts seconds since 1970`(text: String, seconds: Int) {
    #expect(HTTPDate.secondsSince1970(text) == seconds)
  }
}
