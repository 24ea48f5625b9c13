// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords

/// Decides what an answer of the server means, without doing anything itself.
///
/// | Answer | Meaning |
/// |---|---|
/// | 2xx | each record as its result says; one that is not named stays |
/// | 400, 422; 413 | the next batch is half as large; a single record has failed |
/// | 401, 403 | everything stays; the credentials are asked about |
/// | 408, 425, 429, 5xx, no whole answer | everything stays; wait, longer each time |
/// | any other | everything stays; the address is wrong, wait an hour |
struct UploadMachine {
  /// What is to be done.
  enum Action: Hashable {
    /// Carry these out, a settlement a row, and go on.
    case settle([Settlement])
    /// Send the next batch at once, with at most ``batchLimit`` records.
    case goOn
    /// Send nothing for this long.
    case wait(Duration, SessionError)
    /// Ask the server about the credentials.
    case validate
    /// The server knows the credentials.
    case acceptCredentials
    /// The server does not know the credentials: end the session.
    case endSession
  }

  static let longestBackoff = 300.0
  static let parking = Duration.seconds(3600)

  /// The most records that the next batch may have.
  private(set) var batchLimit: Int
  private let maximumBatch: Int
  // The smallest number of records that the server called too large.
  private var tooMany = Int.max
  private var failures = 0
  private var isRefused = false
  private let random: (ClosedRange<Double>) -> Double

  /// Makes a machine; `random` draws evenly from a range, in seconds.
  init(maximumBatch: Int, random: @escaping (ClosedRange<Double>) -> Double) {
    self.maximumBatch = maximumBatch
    batchLimit = maximumBatch
    self.random = random
  }

  /// The user, or a new connection, asks for another try now.
  mutating func reset() {
    failures = 0
    isRefused = false
  }

  /// The server answered a batch.
  mutating func batchAnswered(
    _ answer: Result<TransportResponse, TransportError>, rows: [OutboxRow], now: Date
  ) -> Action {
    switch answer {
    case .failure(let error): return backOff(Self.unreachable(error))
    case .success(let response):
      switch response.status {
      case 200...299: return taken(response, rows)
      case 400, 413, 422: return refused(response, rows)
      case 401, 403:
        isRefused = true
        return .validate
      default: return unavailable(response, now: now)
      }
    }
  }

  /// The server answered the question about the credentials.
  mutating func validationAnswered(
    _ answer: Result<TransportResponse, TransportError>, now: Date
  ) -> Action {
    switch answer {
    case .failure(let error): return backOff(Self.unreachable(error))
    case .success(let response):
      switch response.status {
      case 200...299:
        // Known, and yet its records were refused: asking again at once would go on for ever.
        guard isRefused else { return .acceptCredentials }
        isRefused = false
        return backOff(
          SessionError(.endpointRefused, "the server knows the user but takes no records"))
      case 401, 403: return .endSession
      default: return unavailable(response, now: now)
      }
    }
  }

  /// Something on this machine, a file or the token, could not be used.
  mutating func failedHere(_ error: SessionError) -> Action {
    switch error.code {
    case .credentialsUnavailable, .credentialsMissing, .credentialsExposed:
      .wait(Self.parking, error)
    default: backOff(error)
    }
  }

  // MARK: - Answers

  private mutating func taken(_ response: TransportResponse, _ rows: [OutboxRow]) -> Action {
    let answer = BatchAnswer(response.body, lines: rows.map(\.logID))
    let named = rows.map { answer?[$0.logID] }
    guard named.contains(where: { $0 != nil }) else {
      return backOff(
        SessionError(
          .serverUnreachable, "the server's answer names no record", status: response.status))
    }
    succeeded()
    return .settle(
      zip(rows, named).map { row, result in
        result ?? .postponed(.seconds(jitter(after: row.attempts + 1)))
      })
  }

  private mutating func refused(_ response: TransportResponse, _ rows: [OutboxRow]) -> Action {
    guard rows.count > 1 else {
      if response.status == 413 { tooMany = .max }
      succeeded()
      let error = try? JSONReader(parsing: response.body).optional("error")
      return .settle(
        rows.map { _ in .failed(RecordFailure(status: response.status, error: error)) })
    }
    if response.status == 413 { tooMany = min(tooMany, rows.count) }
    batchLimit = rows.count / 2
    return .goOn
  }

  private mutating func unavailable(_ response: TransportResponse, now: Date) -> Action {
    let status = response.status
    guard [408, 425, 429].contains(status) || (500...599).contains(status) else {
      failures = 0
      return .wait(
        Self.parking,
        SessionError(
          .endpointRefused, "the address takes no records; correct it", status: status))
    }
    return backOff(
      SessionError(.serverBusy, "the server asks to wait", status: status),
      atLeast: RetryAfter.wait(response, now: now))
  }

  private mutating func succeeded() {
    failures = 0
    isRefused = false
    batchLimit = min(maximumBatch, max(1, min(batchLimit * 2, tooMany - 1)))
  }

  // MARK: - Waiting

  private mutating func backOff(_ error: SessionError, atLeast asked: Duration? = nil) -> Action {
    let wait = Duration.seconds(jitter(after: failures))
    failures += 1
    return .wait(max(wait, asked ?? .zero), error)
  }

  /// Full jitter: anything between nothing and a bound that doubles with each failure.
  private func jitter(after failures: Int) -> Double {
    random(0...min(Self.longestBackoff, pow(2, Double(min(failures, 20)))))
  }

  private static func unreachable(_ error: TransportError) -> SessionError {
    SessionError(
      .serverUnreachable, "no whole answer came (\(error.code.name)): \(error.message)",
      systemCode: error.systemCode)
  }
}
