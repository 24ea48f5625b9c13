// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords

/// Decides what an answer of the server means, without doing anything itself.
///
/// | Answer | Meaning |
/// |---|---|
/// | 2xx | each record by the destination's result; one without a result stays |
/// | 400 to a compressed body; 415 | everything stays; bodies are no longer compressed |
/// | 400, 422; 413 | the next batch is half as large; a single record has failed |
/// | 401, 403 | everything stays; the credentials are checked, then the app is asked for a token |
/// | 408, 425, 429, 5xx, no complete answer | everything stays; wait, longer each time |
/// | any that is not in the server's format | the same |
/// | 5xx or such an answer repeatedly | also: the next batch is half as large; a record that fails
/// alone is passed over |
/// | any other | everything stays; the address is wrong, wait an hour |
struct UploadMachine {
  /// The next action.
  enum Action: Hashable {
    /// Apply these results, one per row, and continue.
    case settle([DeliveryResult])
    /// Apply this result for the image, and continue.
    case settleImage(ImageDeliveryResult)
    /// Send the next batch at once, with at most ``batchLimit`` records.
    case proceed
    /// Send nothing for this long.
    case wait(Duration, SessionError)
    /// Ask the server about the credentials.
    case validate
    /// The server knows the credentials, or cannot be asked.
    case acceptCredentials
    /// Ask the app for a new token.
    case refreshToken
    /// Replace the refused token with this one.
    case useToken(String)
    /// The server does not know the credentials: end the session.
    case endSession
  }

  static let longestBackoff = 300.0
  static let parking = Duration.seconds(3600)
  /// Batches are halved from this many consecutive 5xx on.
  static let serverErrorsBorne = 3

  let destination: any RecordDestination
  /// The maximum number of records in the next batch.
  var batchLimit: Int { size.limit }
  /// Whether bodies are compressed.
  private(set) var isPacking: Bool
  private let maximumBytes: Int
  private let canRefresh: Bool
  private let refusalGrace: Duration
  private var size: BatchSize
  private var failures = 0
  // How many batches were answered by a 5xx, or not by the server, since the server last accepted
  // one; a failing record does not count while others are accepted.
  private var serverErrors = 0
  private var failing = FailingRecords()
  // The same count, in a row, for the oldest image.
  private var imageErrors = 0
  // The last token for which the server has stored something.
  private var provenToken: String?
  // Others go before the failing records.
  private var isPassing = false
  private var isRefused = false
  // The refused token, while the app is asked for another one.
  private var refusedToken: String?
  // The total wait since the server started to refuse the credentials.
  private var refusalWait = Duration.zero
  // The app gave a token since the server last accepted records.
  private var isTokenFresh = false
  private let random: (ClosedRange<Double>) -> Double

  /// Makes a machine.
  ///
  /// `isPacking` enables compressed bodies, `canRefresh` means that the app can be asked for a
  /// token, `refusalGrace` is how long refused credentials are checked again, and `random` draws
  /// uniformly from a range, in seconds.
  init(
    destination: any RecordDestination, maximumBatch: Int, maximumBytes: Int = .max,
    isPacking: Bool = false, canRefresh: Bool = false, refusalGrace: Duration = .seconds(900),
    random: @escaping (ClosedRange<Double>) -> Double
  ) {
    self.destination = destination
    size = BatchSize(maximum: max(1, min(maximumBatch, destination.maximumBatchRecords)))
    self.maximumBytes = maximumBytes
    self.isPacking = isPacking && destination.acceptsGzip
    self.canRefresh = canRefresh
    self.refusalGrace = refusalGrace
    self.random = random
  }

  /// Makes the machine of a session.
  init(_ configuration: SantorioSession.Configuration) {
    self.init(
      destination: configuration.destination, maximumBatch: configuration.maximumBatchRecords,
      maximumBytes: configuration.maximumBatchBytes, isPacking: configuration.compressesBodies,
      canRefresh: configuration.refreshToken != nil, refusalGrace: configuration.refusalGrace,
      random: configuration.random)
  }

  /// Whether the server is not known to fail, so that several uploads may be under way at once.
  var isHealthy: Bool { failures == 0 && serverErrors == 0 && failing.count == 0 && !isRefused }

  /// Whether an answer that accepts records has a result for one of the rows; true for any other.
  ///
  /// Of rows that have changed since, some destinations cannot tell which result is theirs.
  func hasResult(
    in answer: Result<TransportResponse, TransportError>, for rows: [OutboxRow]
  ) -> Bool {
    guard case .success(let response) = answer, (200...299).contains(response.status) else {
      return true
    }
    return destination.results(in: response, on: rows.map(\.outgoing)).contains { $0 != nil }
  }

  /// Handles a request for another try now, by the user or after a new connection.
  mutating func reset() {
    failures = 0
    isRefused = false
    refusedToken = nil
    refusalWait = .zero
  }

  // MARK: - Batches

  /// How many rows and bytes to claim: the next batch, and the rows that it may pass over.
  var claim: (count: Int, bytes: Int) {
    let (bytes, isTooMany) = maximumBytes.addingReportingOverflow(failing.bytes)
    return (batchLimit + failing.count, isTooMany ? .max : bytes)
  }

  /// The claimed rows that form the next batch; empty only if no rows were claimed.
  func batch(of claimed: [OutboxRow]) -> [OutboxRow] {
    failing.batch(of: claimed, count: batchLimit, bytes: maximumBytes, isPassing: isPassing)
  }

  /// Handles the server's answer to a batch.
  mutating func batchAnswered(
    _ answer: Result<TransportResponse, TransportError>, rows: [OutboxRow], of user: SantorioUser,
    isPacked: Bool = false, now: Date
  ) -> Action {
    switch answer {
    case .failure(let error): return backOff(Self.unreachable(error))
    case .success(let response):
      switch response.status {
      case 200...299: return taken(response, rows, user)
      // A server that cannot expand a body calls it malformed; the records are not the cause.
      case 400 where isPacked, 415 where isPacked: return stopPacking()
      case 408, 425, 429: return unavailable(response, now: now)
      case 500...599: return serverFailed(response, rows, now: now)
      default: break
      }
      guard let failure = destination.failure(in: response) else {
        return foreign(response, rows, now: now)
      }
      switch response.status {
      case 400, 413, 422: return refused(response.status, failure, rows)
      // A server that has the part already.
      case 409 where rows.first?.part != nil, 412 where rows.first?.part != nil:
        return refused(response.status, failure, rows)
      case 403 where rows.first?.part != nil: return partForbidden(response, failure, rows, user)
      case 401, 403: return batchForbidden(response, user)
      default: return unavailable(response, now: now)
      }
    }
  }

  /// What the search for a part of a record has shown.
  enum SearchResult {
    case stored
    case missing
    /// The server cannot be asked so.
    case unknown
    case noAnswer(Action)
  }

  /// Handles the server's answer to the search for a part.
  mutating func searchAnswered(
    _ answer: Result<TransportResponse, TransportError>, for row: OutboxRow, of user: SantorioUser,
    now: Date
  ) -> SearchResult {
    switch answer {
    case .failure(let error): return .noAnswer(backOff(Self.unreachable(error)))
    case .success(let response):
      switch response.status {
      case 200...299:
        guard let isStored = destination.isStored(row.outgoing, in: response) else {
          return .noAnswer(serverFailed(response, [row], now: now))
        }
        return isStored ? .stored : .missing
      case 501: return .unknown
      case 408, 425, 429: return .noAnswer(unavailable(response, now: now))
      case 500...599: return .noAnswer(serverFailed(response, [row], now: now))
      default: break
      }
      guard isOwn(response) else { return .noAnswer(serverFailed(response, [row], now: now)) }
      // A token that stores need not be one that searches.
      return response.status == 401 && user.accessToken != provenToken
        ? .noAnswer(batchForbidden(response, user)) : .unknown
    }
  }

  /// Handles the server's answer to an image, whose record it has stored.
  mutating func imageAnswered(
    _ answer: Result<TransportResponse, TransportError>, image: RecordMedia, of user: SantorioUser,
    now: Date
  ) -> Action {
    switch answer {
    case .failure(let error): return backOff(Self.unreachable(error))
    case .success(let response):
      switch response.status {
      case 200...299:
        guard let media = destination.media(in: response, for: image) else {
          return backOff(.foreign(response))
        }
        imageErrors = 0
        succeeded()
        return .settleImage(.stored(media))
      case 408, 425, 429: return unavailable(response, now: now)
      case 500...599: return serverFailedAtImage(response, now: now)
      default: break
      }
      guard let failure = destination.failure(in: response) else {
        return serverFailedAtImage(response, now: now)
      }
      switch response.status {
      // 404 and 410: the record has since been deleted on the server.
      case 400, 404, 409, 410, 413, 415, 422: return .settleImage(.rejected(failure))
      case 401, 403: return batchForbidden(response, user)
      default: return unavailable(response, now: now)
      }
    }
  }

  /// Handles a local failure: a file or the token could not be used.
  mutating func failedHere(_ error: SessionError) -> Action {
    switch error.code {
    case .credentialsUnavailable, .credentialsMissing, .credentialsExposed:
      .wait(Self.parking, error)
    default: backOff(error)
    }
  }

  // MARK: - Answers

  private mutating func taken(
    _ response: TransportResponse, _ rows: [OutboxRow], _ user: SantorioUser
  ) -> Action {
    let results = destination.results(in: response, on: rows.map(\.outgoing))
    guard results.count == rows.count, results.contains(where: { $0 != nil }) else {
      return backOff(.foreign(response))
    }
    succeeded(rows)
    provenToken = user.accessToken
    return .settle(zip(rows, results).map { row, result in result ?? postponed(row) })
  }

  private mutating func refused(
    _ status: Int, _ failure: RecordFailure, _ rows: [OutboxRow]
  ) -> Action {
    guard rows.count > 1 else {
      if status == 413 { size.removeCap() }
      succeeded(rows)
      return .settle(rows.map { _ in .rejected(failure) })
    }
    if status == 413 { size.tooLarge(rows.count) } else { size.halve(rows.count) }
    return .proceed
  }

  /// Something on the path answered instead of the server.
  ///
  /// It may do so for all requests, or for one that it considers an attack or too large; the
  /// results of other requests show which.
  private mutating func foreign(
    _ response: TransportResponse, _ rows: [OutboxRow], now: Date
  ) -> Action {
    guard response.status == 413, rows.count > 1 else {
      return serverFailed(response, rows, now: now)
    }
    size.tooLarge(rows.count)
    return .proceed
  }

  private mutating func stopPacking() -> Action {
    isPacking = false
    return .proceed
  }

  private mutating func unavailable(_ response: TransportResponse, now: Date) -> Action {
    let status = response.status
    guard [408, 425, 429].contains(status) || (500...599).contains(status) else {
      guard destination.failure(in: response) != nil else { return backOff(.foreign(response)) }
      failures = 0
      return .wait(
        Self.parking,
        SessionError(
          .endpointRefused, "the server's address does not accept records; correct it",
          status: status))
    }
    return backOff(
      SessionError(.serverBusy, "the server asks the client to wait", status: status),
      atLeast: RetryAfter.wait(response, now: now))
  }

  private mutating func succeeded(_ rows: [OutboxRow]) {
    failing.remove(rows)
    serverErrors = 0
    isPassing = false
    size.taken(rows.count)
    succeeded()
  }

  private mutating func succeeded() {
    failures = 0
    isRefused = false
    isTokenFresh = false
    refusedToken = nil
    refusalWait = .zero
  }

  /// A 5xx is caused by the server or by one record; the results of other records show which.
  private mutating func serverFailed(
    _ response: TransportResponse, _ rows: [OutboxRow], now: Date
  ) -> Action {
    isPassing = true
    if serverErrors == 0, rows.count == 1, let row = rows.first, failing.contains(row),
      RetryAfter.wait(response, now: now) == nil
    {
      return .settle([postponed(row)])
    }
    serverErrors += 1
    if serverErrors >= Self.serverErrorsBorne {
      size.halve(rows.count)
      if rows.count == 1 { failing.add(rows[0]) }
    }
    return unavailable(response, now: now)
  }

  /// An image at which the server fails repeatedly lets the others go first.
  private mutating func serverFailedAtImage(_ response: TransportResponse, now: Date) -> Action {
    imageErrors += 1
    guard imageErrors >= Self.serverErrorsBorne else { return unavailable(response, now: now) }
    imageErrors = 0
    return .settleImage(.postponed(.seconds(jitter(after: failures))))
  }

  // MARK: - Credentials

  /// The server does not take a part: a token may allow some kinds of values only.
  ///
  /// While nothing was stored it may as well be the whole token; then others are tried first.
  private mutating func partForbidden(
    _ response: TransportResponse, _ failure: RecordFailure, _ rows: [OutboxRow],
    _ user: SantorioUser
  ) -> Action {
    if user.accessToken == provenToken { return refused(response.status, failure, rows) }
    guard let row = rows.first, !failing.contains(row) else {
      return batchForbidden(response, user)
    }
    failing.add(row)
    isPassing = true
    return .settle([postponed(row)])
  }

  /// Whether the server refused this token and the app has not given another one yet.
  func isRefused(_ token: String) -> Bool { token == refusedToken }

  private mutating func batchForbidden(_ response: TransportResponse, _ user: SantorioUser)
    -> Action
  {
    guard destination.validation(of: user) == nil else {
      isRefused = true
      return .validate
    }
    // The server cannot be asked. 401 is about the credentials, 403 may not be.
    guard response.status == 403, !canRefresh else { return credentialsRefused(user.accessToken) }
    return backOff(Self.noRecordsTaken(response.status))
  }

  /// Handles the server's answer to the check of the credentials.
  mutating func validationAnswered(
    _ answer: Result<TransportResponse, TransportError>, of user: SantorioUser, now: Date
  ) -> Action {
    switch answer {
    case .failure(let error): return backOff(Self.unreachable(error))
    case .success(let response):
      switch response.status {
      case 200...299:
        guard destination.isKnown(by: response) else { return backOff(.foreign(response)) }
        refusalWait = .zero
        // Known, and yet its records were refused: checking again at once would never end.
        guard isRefused else { return .acceptCredentials }
        isRefused = false
        return backOff(Self.noRecordsTaken(nil))
      case 401 where isOwn(response), 403 where isOwn(response):
        return credentialsRefused(user.accessToken)
      default: return unavailable(response, now: now)
      }
    }
  }

  private func isOwn(_ response: TransportResponse) -> Bool {
    destination.failure(in: response) != nil
  }

  /// Handles the app's answer to the request for a new token.
  mutating func tokenRefreshed(_ result: Result<String?, any Error>) -> Action {
    switch result {
    case .success(nil): return .endSession
    case .success(let token?) where token != refusedToken:
      isTokenFresh = true
      return .useToken(token)
    default: return backOff(Self.tokenAwaited)
    }
  }

  private mutating func credentialsRefused(_ token: String) -> Action {
    guard canRefresh else { return refusedAgain() }
    isRefused = false
    refusedToken = token
    // A new token was refused as well: the app is asked again, but not endlessly.
    return isTokenFresh ? backOff(Self.tokenAwaited) : .refreshToken
  }

  /// The server may have been restored without the token; an administrator may fix that.
  private mutating func refusedAgain() -> Action {
    isRefused = false
    guard refusalWait < refusalGrace else { return .endSession }
    let action = backOff(
      Self.credentialsInDoubt, atLeast: .seconds(Self.longestWait(after: failures) / 2))
    if case .wait(let duration, _) = action { refusalWait += duration }
    return action
  }

  /// Reported while the server may still accept the session again.
  static let credentialsInDoubt = SessionError(
    .credentialsRefused,
    "the server refused the user or the token; it is asked again before the session ends")

  /// Reported while the app has no token that the server accepts.
  static let tokenAwaited = SessionError(
    .credentialsRefused, "the server refused the token; the app is asked for a new one")

  private static func noRecordsTaken(_ status: Int?) -> SessionError {
    SessionError(
      .endpointRefused, "the server knows the user but does not accept records", status: status)
  }

  // MARK: - Waiting

  private mutating func backOff(_ error: SessionError, atLeast asked: Duration? = nil) -> Action {
    let wait = Duration.seconds(jitter(after: failures))
    failures += 1
    return .wait(max(wait, asked ?? .zero), error)
  }

  private func postponed(_ row: OutboxRow) -> DeliveryResult {
    .postponed(.seconds(jitter(after: min(row.attempts, 20) + 1)))
  }

  /// Full jitter: a random wait up to a bound that doubles with each failure.
  private func jitter(after failures: Int) -> Double {
    random(0...Self.longestWait(after: failures))
  }

  private static func longestWait(after failures: Int) -> Double {
    min(longestBackoff, pow(2, Double(min(failures, 20))))
  }

  private static func unreachable(_ error: TransportError) -> SessionError {
    SessionError(
      .serverUnreachable, "no complete answer was received (\(error.code.name)): \(error.message)",
      systemCode: error.systemCode)
  }
}
