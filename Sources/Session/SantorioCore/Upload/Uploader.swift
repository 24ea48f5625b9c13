// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// Carries out what ``UploadMachine`` decides: claims, sends, settles, waits.
struct Uploader {
  let outbox: Outbox
  let endpoint: IngestEndpoint
  let configuration: Session.Configuration
  let wakeUp: WakeUp
  let telling: WakeUp
  let state: Locked<UploadState>
  var machine: UploadMachine

  /// Uploads until the task is cancelled.
  ///
  /// - Throws: ``SessionError`` of code `storageDamaged`, which waiting does not mend.
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

  /// Does the next thing that there is to do, and says what follows from it.
  private mutating func step() async throws(SessionError) -> Next {
    guard let session = try await outbox.session() else { return .rest(configuration.idleInterval) }
    guard session.isValidated else { return try await validate(session) }
    let rows = try await outbox.claim(
      session.id, count: machine.batchLimit, bytes: configuration.maximumBatchBytes)
    guard !rows.isEmpty else {
      let wait = try await outbox.timeUntilNextRow() ?? configuration.idleInterval
      return .rest(min(wait, configuration.idleInterval))
    }
    let token = try await outbox.token(of: session)
    state.withLock { $0 = .uploading }
    let answer = await send(endpoint.batch(rows, of: session, token: token))
    let action = machine.batchAnswered(answer, rows: rows, now: configuration.now())
    return .act(action, Exchange(session: session, token: token, rows: rows))
  }

  private enum Next {
    case rest(Duration)
    case act(UploadMachine.Action, Exchange)
  }

  /// What an answer is about.
  private struct Exchange {
    let session: StoredSession
    let token: String
    var rows: [OutboxRow] = []
  }

  private mutating func validate(_ session: StoredSession) async throws(SessionError) -> Next {
    let token = try await outbox.token(of: session)
    let answer = await send(endpoint.validation(of: session, token: token))
    return .act(
      machine.validationAnswered(answer, now: configuration.now()),
      Exchange(session: session, token: token))
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
    case .goOn: break
    case .wait(let duration, let error): await wait(duration, because: error)
    case .validate: try await perform(validate(session))
    case .acceptCredentials: try await outbox.markValidated(session.id)
    case .endSession:
      _ = try await outbox.endRefusedSession(session.id, token: exchange.token)
      telling.call(.work)
    case .settle(let settlements):
      try await outbox.settle(Array(zip(exchange.rows, settlements)), session: session.id)
      telling.call(.work)
    }
  }

  private func send(_ request: TransportRequest) async
    -> Result<TransportResponse, TransportError>
  {
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
    state.withLock { $0 = .waiting(error) }
    let call = await wakeUp.sleep(for: wait, on: configuration.clock, unless: .retry)
    if call == .retry { machine.reset() }
  }
}
