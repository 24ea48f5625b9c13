// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Foundation
  import HealthRecords
  import SantorioConcurrency

  /// The delegate of a background session: passes the system's reports to ``TransferLedger``.
  final class BackgroundTransfers: NSObject, URLSessionDataDelegate {
    private typealias Waiter = CheckedContinuation<Result<TransportResponse, TransportError>, Never>

    private struct State {
      var ledger = TransferLedger<Waiter>()
      var nextID = 0
      // Requests wait until the transfers of earlier launches are known.
      var isReady = false
      var early: [CheckedContinuation<Void, Never>] = []
      var isFinished = false
      var finish: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    private let files: UploadFiles
    private let trust: ServerTrust

    init(files: UploadFiles, trust: ServerTrust) {
      self.files = files
      self.trust = trust
    }

    // MARK: - Requests

    func upload(
      _ request: TransportRequest, body: [UInt8], in session: URLSession
    ) async throws(TransportError) -> TransportResponse {
      await untilReady()
      let id = state.withLock { state in
        state.nextID += 1
        return state.nextID
      }
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { waiter in
          self.admit(request, body: body, id: id, waiter, in: session)
        }
      } onCancel: {
        self.giveUp(id, TransportError(.cancelled, "the task was cancelled"))
      }
      // `get` throws this type only since iOS 18.
      switch result {
      case .success(let response): return response
      case .failure(let error): throw error
      }
    }

    private func admit(
      _ request: TransportRequest, body: [UInt8], id: Int, _ waiter: Waiter, in session: URLSession
    ) {
      let key = Self.key(request, body)
      let admission = state.withLock { state -> TransferLedger<Waiter>.Admission? in
        guard !Task.isCancelled else { return nil }
        return state.ledger.requested(
          key, by: id, limit: request.maximumResponseBytes, waiter)
      }
      switch admission {
      case .answered(let response): waiter.resume(returning: .success(response))
      case .joined: break
      case .start: start(request, body: body, key: key, id: id, in: session)
      case nil:
        waiter.resume(returning: .failure(TransportError(.cancelled, "the task was cancelled")))
      }
    }

    private func start(
      _ request: TransportRequest, body: [UInt8], key: String, id: Int, in session: URLSession
    ) {
      do throws(TransportError) {
        let file = try files.save(body, key)
        var made = URLSessionTransport.urlRequest(request)
        made.httpBody = nil
        let task = session.uploadTask(with: made, fromFile: file)
        task.taskDescription = key
        guard state.withLock({ $0.ledger.started(task.taskIdentifier, for: id) }) else {
          task.cancel()
          return files.remove(key)
        }
        task.resume()
      } catch {
        giveUp(id, error)
      }
    }

    private func giveUp(_ id: Int, _ error: TransportError) {
      state.withLock { $0.ledger.gaveUp(id) }?.resume(returning: .failure(error))
    }

    func forgetAnswers() { state.withLock { $0.ledger.forget() } }

    /// Two requests with the same digest are the same in every byte, the token included.
    private static func key(_ request: TransportRequest, _ body: [UInt8]) -> String {
      var text = "\(request.method) \(request.url.absoluteString)\n"
      for header in request.headers { text += "\(header.name): \(header.value)\n" }
      return SHA256Digest.hex(Array(text.utf8) + body)
    }

    // MARK: - Earlier launches

    /// The transfers that earlier launches started are now known.
    func takeUp(_ tasks: [URLSessionTask]) {
      let early = state.withLock { state in
        for task in tasks {
          guard let key = task.taskDescription, task.state != .completed else { continue }
          state.ledger.found(task.taskIdentifier, key: key, limit: 4 << 20)
        }
        files.removeAll(but: state.ledger.keys)
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

    /// Calls back when the system has reported all events, which may already be the case.
    func finish(calling completionHandler: @escaping @Sendable () -> Void) {
      state.withLock { $0.finish = completionHandler }
      callIfFinished()
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
      state.withLock { $0.isFinished = true }
      callIfFinished()
    }

    private func callIfFinished() {
      let handler = state.withLock { state -> (@Sendable () -> Void)? in
        guard state.isFinished, let handler = state.finish else { return nil }
        state.isFinished = false
        state.finish = nil
        return handler
      }
      if let handler { DispatchQueue.main.async(execute: handler) }
    }

    // MARK: - Transfers

    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let (disposition, credential) = trust.answer(challenge)
      completionHandler(disposition, credential)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      adopt(dataTask)
      let isAllowed = state.withLock { $0.ledger.received(data, of: dataTask.taskIdentifier) }
      if !isAllowed { dataTask.cancel() }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      adopt(task)
      let head = Self.head(of: task, error)
      guard
        let completion = state.withLock({ $0.ledger.completed(task.taskIdentifier, with: head) })
      else { return }
      files.remove(completion.key)
      for waiter in completion.waiters { waiter.resume(returning: completion.answer) }
    }

    /// Events of an earlier launch's transfers may come before the list of them.
    private func adopt(_ task: URLSessionTask) {
      guard let key = task.taskDescription else { return }
      state.withLock { $0.ledger.found(task.taskIdentifier, key: key, limit: 4 << 20) }
    }

    private static func head(
      of task: URLSessionTask, _ error: (any Error)?
    ) -> Result<TransportResponse, TransportError> {
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
import SantorioCryptography
