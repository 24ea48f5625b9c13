// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Foundation
  import SantorioConcurrency

  /// The delegate of a background session: passes the system's reports to ``TransferLedger``.
  final class BackgroundTransfers: NSObject, URLSessionDataDelegate {
    private typealias Answer = Result<TransportResponse, TransportError>
    private typealias Waiter = CheckedContinuation<Answer, Never>

    private struct State {
      var ledger = TransferLedger<Waiter>(limit: 4 << 20)
      var nextNumber = 0
      /// Whether the transfers of earlier launches are known.
      var isReady = false
      var early: [CheckedContinuation<Void, Never>] = []
      /// The tasks whose server has shown a key that is not trusted.
      var distrusted: Set<Int> = []
    }

    private let state = Locked(State())
    private let deliveries = DeliverySignal()
    private let trust: ServerTrust

    init(trust: ServerTrust) { self.trust = trust }

    // MARK: - Uploads

    func start(
      _ request: TransportRequest, body: URL, as id: String, in session: URLSession
    ) async {
      await untilReady()
      let task = session.uploadTask(with: URLSessionTransport.urlRequest(request), fromFile: body)
      task.taskDescription = id
      state.withLock { $0.ledger.found(id) }
      task.resume()
    }

    func answer(of id: String) async throws(TransportError) -> TransportResponse {
      await untilReady()
      let number = state.withLock { state in
        state.nextNumber += 1
        return state.nextNumber
      }
      let answer = await withTaskCancellationHandler {
        await withCheckedContinuation { waiter in admit(waiter, number, id) }
      } onCancel: {
        state.withLock { $0.ledger.gaveUp(number) }?.resume(returning: Self.cancelled)
      }
      // `get` throws this type only since iOS 18.
      switch answer {
      case .success(let response): return response
      case .failure(let error): throw error
      }
    }

    private func admit(_ waiter: Waiter, _ number: Int, _ id: String) {
      let admission = state.withLock { state -> TransferLedger<Waiter>.Admission in
        guard !Task.isCancelled else { return .answered(Self.cancelled) }
        return state.ledger.wants(id, waiter, number: number)
      }
      switch admission {
      case .answered(let answer): waiter.resume(returning: answer)
      case .waits: break
      case .unknown:
        waiter.resume(
          returning: .failure(TransportError(.unknownUpload, "the system knows no such upload")))
      }
    }

    private static let cancelled: Answer = .failure(
      TransportError(.cancelled, "the upload or the task was cancelled"))

    func uploads() async -> [String: Bool] {
      await untilReady()
      return state.withLock { $0.ledger.known }
    }

    func cancel(_ ids: Set<String>, in session: URLSession) async {
      for waiter in state.withLock({ $0.ledger.cancelled(ids) }) {
        waiter.resume(returning: Self.cancelled)
      }
      // Not `allTasks`, at which this compiler crashes.
      await withCheckedContinuation { continuation in
        session.getAllTasks { tasks in
          for task in tasks where task.taskDescription.map(ids.contains) ?? false { task.cancel() }
          continuation.resume()
        }
      }
    }

    // MARK: - Earlier launches

    /// The transfers that earlier launches started are now known.
    func takeUp(_ tasks: [URLSessionTask]) {
      let early = state.withLock { state in
        for task in tasks where task.state != .completed {
          if let id = task.taskDescription { state.ledger.found(id) }
        }
        state.isReady = true
        defer { state.early = [] }
        return state.early
      }
      for waiter in early { waiter.resume() }
    }

    private func untilReady() async {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if !state.isReady { state.early.append(continuation) }
          return state.isReady
        }
        if isReady { continuation.resume() }
      }
    }

    /// Returns when the system has reported all events, which may already be the case, or when the
    /// task is cancelled.
    func eventsDelivered() async { await deliveries.next() }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
      deliveries.delivered()
    }

    // MARK: - Transfers

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let (disposition, credential) = trust.answer(challenge)
      if disposition == .cancelAuthenticationChallenge {
        state.withLock { _ = $0.distrusted.insert(task.taskIdentifier) }
      }
      completionHandler(disposition, credential)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      guard let id = dataTask.taskDescription else { return }
      let isAllowed = state.withLock { state in
        // Events of an earlier launch's transfers may come before the list of them.
        state.ledger.found(id)
        return state.ledger.received(data, of: id)
      }
      if !isAllowed { dataTask.cancel() }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      guard let id = task.taskDescription else { return }
      let completion = state.withLock { state in
        let isDistrusted = state.distrusted.remove(task.taskIdentifier) != nil
        // One of an earlier launch may be on no list any more.
        state.ledger.found(id)
        return state.ledger.completed(id, with: Self.head(of: task, error, isDistrusted))
      }
      guard let completion else { return }
      for waiter in completion.waiters { waiter.resume(returning: completion.answer) }
    }

    private static func head(
      of task: URLSessionTask, _ error: (any Error)?, _ isDistrusted: Bool
    ) -> Result<TransportResponse, TransportError> {
      // Refusing a server's key ends the transfer like a cancellation.
      if isDistrusted { return .failure(.distrusted) }
      if let error { return .failure(URLSessionTransport.error(error)) }
      guard let response = task.response as? HTTPURLResponse else {
        return .failure(TransportError(.incomplete, "the answer is not HTTP"))
      }
      // A background session follows redirects without asking; the records could go anywhere.
      guard task.currentRequest?.url == task.originalRequest?.url else {
        return .failure(TransportError(.incomplete, "the server redirected the request"))
      }
      return .success(
        TransportResponse(status: response.statusCode, headers: response.fields))
    }
  }
#endif
