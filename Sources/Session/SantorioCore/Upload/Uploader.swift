// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// Carries out the decisions of ``UploadMachine``: claims, sends, settles, waits.
struct Uploader {
  let outbox: Outbox
  let configuration: SantorioSession.Configuration
  let wakeUp: WakeUp
  let delivering: WakeUp
  let state: Locked<UploadState>
  var machine: UploadMachine

  /// Uploads until the task is cancelled.
  ///
  /// - Throws: ``SessionError`` of code `storageDamaged`, which waiting does not fix.
  mutating func run() async throws(SessionError) {
    while !Task.isCancelled {
      if wakeUp.take() == .retry { machine.reset() }
      do throws(SessionError) {
        try await perform(step())
      } catch {
        guard error.code != .storageDamaged else { throw error }
        guard case .wait(let duration, let error) = machine.failedHere(error) else { continue }
        await wait(duration, because: error)
      }
    }
  }

  /// Does the next thing to do, and returns what follows from it.
  private mutating func step() async throws(SessionError) -> Next {
    guard let session = try await outbox.session() else { return .rest(configuration.idleInterval) }
    guard !session.isOffline else { return .rest(configuration.idleInterval) }
    guard session.isValidated else { return try await validate(session) }
    let claim = machine.claim
    let rows = machine.batch(
      of: try await outbox.claim(session.id, count: claim.count, bytes: claim.bytes))
    let image = rows.isEmpty ? try await outbox.claimImage(session.id) : nil
    guard !rows.isEmpty || image != nil else {
      let wait = try await outbox.timeUntilNextRow() ?? configuration.idleInterval
      return .rest(min(wait, configuration.idleInterval))
    }
    let exchange = Exchange(
      session: session, user: try await user(of: session), image: image?.row)
    guard !machine.isRefused(exchange.user.accessToken) else {
      return .act(.refreshToken, exchange)
    }
    guard let image else { return await submit(rows, exchange) }
    return await submit(image.row, image.bytes, exchange)
  }

  private enum Next {
    case rest(Duration)
    case act(UploadMachine.Action, Exchange)
  }

  /// The request that an answer belongs to.
  private struct Exchange {
    let session: StoredSession
    let user: SantorioUser
    var rows: [OutboxRow] = []
    var image: ImageRow?
  }

  private func user(of session: StoredSession) async throws(SessionError) -> SantorioUser {
    SantorioUser(
      userID: session.userID, organizationID: session.organizationID,
      accessToken: try await outbox.token(of: session))
  }

  private mutating func submit(_ claimed: [OutboxRow], _ exchange: Exchange) async -> Next {
    var exchange = exchange
    switch UploadRequest(claimed, of: exchange.user, to: machine.destination) {
    case .unfit(let rows, let results):
      exchange.rows = rows
      return .act(.settle(results), exchange)
    case .request(let plain, let rows):
      exchange.rows = rows
      state.withLock { $0 = .uploading }
      let packed = machine.isPacking ? plain.packed() : nil
      let answer = await send(packed ?? plain)
      let action = machine.batchAnswered(
        answer, rows: rows, of: exchange.user, isPacked: packed != nil, now: configuration.now())
      return .act(action, exchange)
    }
  }

  private mutating func submit(
    _ image: ImageRow, _ bytes: [UInt8], _ exchange: Exchange
  ) async -> Next {
    let outgoing = OutgoingImage(
      logID: image.logID, sha256: image.digest, contentType: image.contentType, bytes: bytes)
    guard let request = machine.destination.imageSubmission(outgoing, of: exchange.user) else {
      return .act(.settleImage(.rejected(.imagesNotTaken)), exchange)
    }
    state.withLock { $0 = .uploading }
    let answer = await send(request)
    let action = machine.imageAnswered(
      answer, image: image.media, of: exchange.user, now: configuration.now())
    return .act(action, exchange)
  }

  private mutating func validate(_ session: StoredSession) async throws(SessionError) -> Next {
    let user = try await user(of: session)
    let exchange = Exchange(session: session, user: user)
    guard !machine.isRefused(user.accessToken) else { return .act(.refreshToken, exchange) }
    guard let question = machine.destination.validation(of: user) else {
      return .act(.acceptCredentials, exchange)
    }
    let answer = await send(question)
    return .act(
      machine.validationAnswered(answer, of: user, now: configuration.now()), exchange)
  }

  private mutating func perform(_ next: Next) async throws(SessionError) {
    switch next {
    case .rest(let duration): await rest(duration)
    case .act(let action, let exchange): try await perform(action, exchange)
    }
  }

  private mutating func perform(
    _ action: UploadMachine.Action, _ exchange: Exchange
  ) async throws(SessionError) {
    let session = exchange.session
    switch action {
    case .proceed: break
    case .wait(let duration, let error): await wait(duration, because: error)
    case .validate: try await perform(validate(session))
    case .acceptCredentials: try await outbox.markValidated(session.id)
    case .refreshToken: try await perform(refreshToken(exchange.user), exchange)
    case .useToken(let token):
      try await outbox.replaceToken(
        of: session, refused: exchange.user.accessToken, with: token)
    case .endSession:
      _ = try await outbox.endRefusedSession(
        session.id, token: exchange.user.accessToken, by: configuration.destination.endpoint)
      SantorioSession.log("session ended", .kind("credentials refused"))
      delivering.call(.work)
    case .settleImage(let result):
      guard let image = exchange.image else { return }
      try await outbox.settle(image, result)
      SantorioSession.log(.upload, "image answered")
      delivering.call(.work)
    case .settle(let results):
      SantorioSession.log(.upload, "records answered", .count("records", results.count))
      try await outbox.settle(Array(zip(exchange.rows, results)), session: session.id)
      delivering.call(.work)
    }
  }

  /// Asks the app and waits for its answer: meanwhile nothing is sent and it is not asked again.
  private mutating func refreshToken(_ user: SantorioUser) async -> UploadMachine.Action {
    guard let refreshToken = configuration.refreshToken else { return .endSession }
    state.withLock { $0 = .waiting(UploadMachine.tokenAwaited) }
    do {
      var user = user
      guard let token = try await refreshToken(user) else {
        // A hook whose task was cancelled may report this by returning no token.
        return machine.tokenRefreshed(
          Task.isCancelled ? .failure(CancellationError()) : .success(nil))
      }
      user.accessToken = token
      try user.validate()
      return machine.tokenRefreshed(.success(token))
    } catch {
      return machine.tokenRefreshed(.failure(error))
    }
  }

  private func send(
    _ request: TransportRequest
  ) async -> Result<TransportResponse, TransportError> {
    var request = request
    request.timeout = configuration.requestTimeout
    do throws(TransportError) {
      return .success(try await configuration.transport.send(request))
    } catch {
      return .failure(error)
    }
  }

  private mutating func rest(_ wait: Duration) async {
    state.withLock { $0 = .idle }
    let call = await wakeUp.sleep(for: wait, on: configuration.clock)
    if call == .retry { machine.reset() }
  }

  /// New records do not end this wait: the server, not the queue, is the reason for it.
  private mutating func wait(_ wait: Duration, because error: SessionError) async {
    SantorioSession.log(
      .upload, "waiting", .error(error.code), .status(error.status), .seconds(wait))
    state.withLock { $0 = .waiting(error) }
    let call = await wakeUp.sleep(for: wait, on: configuration.clock, unless: .retry)
    if call == .retry { machine.reset() }
  }
}
