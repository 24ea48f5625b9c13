// SPDX-License-Identifier: Apache-2.0

package import Foundation
import SantorioConcurrency
package import SantorioCore

/// What the system's transfer service does: it carries out uploads of files, whether the app that
/// has started them runs or not, and reports on them to whichever launch of the app is there.
///
/// A report that was delivered is forgotten: if the app ends then, it is lost.
package final class TransferDaemon: Sendable {
  package typealias Answer = Result<TransportResponse, TransportError>
  package typealias Server = @Sendable (TransportRequest) async -> Answer

  private struct Upload {
    let id: String
    let request: TransportRequest
    let body: URL
    var isPerforming = false
    var answer: Answer?
  }

  private struct State {
    var uploads: [Upload] = []
    weak var launch: DaemonTransport?
    var isOnline = true
    /// How many uploads were begun.
    var count = 0
  }

  private let state = Locked(State())
  private let server: Server
  private let isAutomatic: Bool

  /// Makes a service.
  ///
  /// - Parameters:
  ///   - isAutomatic: Whether uploads are performed by themselves; else by ``perform()``.
  ///   - server: What answers.
  package init(isAutomatic: Bool = true, server: @escaping Server) {
    self.isAutomatic = isAutomatic
    self.server = server
  }

  /// The transport of a new launch; what belongs to an earlier one gets no more reports.
  package func launch(identifier: String = "uploads") -> DaemonTransport {
    let transport = DaemonTransport(self, identifier)
    state.withLock { state in
      state.launch?.isAwake = false
      state.launch = transport
    }
    return transport
  }

  /// Whether uploads get anywhere.
  package var isOnline: Bool {
    get { state.withLock { $0.isOnline } }
    set { state.withLock { $0.isOnline = newValue } }
  }

  /// How many uploads were begun since the service was made.
  package var count: Int { state.withLock { $0.count } }

  /// The uploads that wait or are being performed.
  package var waiting: Int { state.withLock { $0.uploads.count { $0.answer == nil } } }

  /// Whether there are reports that the app does not have.
  package var hasReports: Bool { state.withLock { $0.uploads.contains { $0.answer != nil } } }

  /// Performs what waits, as far as there is a connection; the app hears of it if it is awake.
  package func perform() async {
    while await performOne() {}
    deliver()
  }

  /// Performs one upload; false when none waits, or there is no connection.
  package func performOne() async -> Bool {
    let upload = state.withLock { state -> Upload? in
      guard state.isOnline,
        let index = state.uploads.firstIndex(where: { !$0.isPerforming })
      else { return nil }
      state.uploads[index].isPerforming = true
      return state.uploads[index]
    }
    guard let upload else { return false }
    var request = upload.request
    request.body = (try? Data(contentsOf: upload.body)).map { Array($0) }
    let answer: Answer =
      request.body == nil
      ? .failure(TransportError(.invalidRequest, "the file is gone")) : await server(request)
    state.withLock { state in
      guard let index = state.uploads.firstIndex(where: { $0.id == upload.id }) else { return }
      state.uploads[index].answer = answer
    }
    return true
  }

  /// Reports what has ended to the app, if it is awake.
  package func deliver() {
    let (launch, reports) = state.withLock { state -> (DaemonTransport?, [Upload]) in
      guard let launch = state.launch, launch.isAwake else { return (nil, []) }
      let ended = state.uploads.filter { $0.answer != nil }
      state.uploads.removeAll { $0.answer != nil }
      return (launch, ended)
    }
    for report in reports { launch?.ended(report.id, report.answer) }
    launch?.allDelivered()
  }

  /// The user closes the app: the system ends all that it does for it.
  package func forceQuit() {
    state.withLock { state in
      for index in state.uploads.indices where state.uploads[index].answer == nil {
        state.uploads[index].isPerforming = true
        state.uploads[index].answer = .failure(TransportError(.cancelled, "closed by the user"))
      }
    }
  }

  // MARK: - For the app

  fileprivate func add(_ id: String, _ request: TransportRequest, _ body: URL) {
    state.withLock { state in
      state.count += 1
      state.uploads.append(Upload(id: id, request: request, body: body))
    }
    if isAutomatic { Task { await perform() } }
  }

  fileprivate func cancel(_ ids: Set<String>) {
    state.withLock { $0.uploads.removeAll { ids.contains($0.id) } }
  }

  /// What the app knows of: to it an upload is under way until it is reported on.
  fileprivate var ids: Set<String> { state.withLock { Set($0.uploads.map(\.id)) } }

  fileprivate func exchange(_ request: TransportRequest) async -> Answer {
    guard isOnline else { return .failure(TransportError(.unreachable, "no connection")) }
    return await server(request)
  }
}

/// The transport of one launch of an app.
package final class DaemonTransport: BackgroundTransport {
  private typealias Waiter = CheckedContinuation<TransferDaemon.Answer, Never>

  private struct State {
    var isAwake = true
    /// The reports that have come and were not asked for.
    var answers: [String: TransferDaemon.Answer] = [:]
    var waiters: [String: Waiter] = [:]
    var areDelivered = false
    var awaitingDelivery: [CheckedContinuation<Void, Never>] = []
  }

  package let identifier: String
  private let daemon: TransferDaemon
  private let state = Locked(State())

  fileprivate init(_ daemon: TransferDaemon, _ identifier: String) {
    self.daemon = daemon
    self.identifier = identifier
  }

  deinit {
    let waiters = state.withLock { $0.waiters.values }
    for waiter in waiters { waiter.resume(returning: Self.cancelled) }
  }

  /// Whether the app's process runs: while it is suspended it gets no reports.
  package var isAwake: Bool {
    get { state.withLock { $0.isAwake } }
    set { state.withLock { $0.isAwake = newValue } }
  }

  fileprivate func ended(_ id: String, _ answer: TransferDaemon.Answer?) {
    guard let answer else { return }
    let waiter = state.withLock { state -> Waiter? in
      if let waiter = state.waiters.removeValue(forKey: id) { return waiter }
      state.answers[id] = answer
      return nil
    }
    waiter?.resume(returning: answer)
  }

  fileprivate func allDelivered() {
    let waiters = state.withLock { state in
      state.areDelivered = state.awaitingDelivery.isEmpty
      defer { state.awaitingDelivery = [] }
      return state.awaitingDelivery
    }
    for waiter in waiters { waiter.resume() }
  }

  private static let cancelled: TransferDaemon.Answer = .failure(
    TransportError(.cancelled, "cancelled"))

  package func send(
    _ request: TransportRequest
  ) async throws(TransportError) -> TransportResponse {
    switch await daemon.exchange(request) {
    case .success(let response): return response
    case .failure(let error): throw error
    }
  }

  package func start(
    _ request: TransportRequest, body: URL, as id: String
  ) async throws(TransportError) { daemon.add(id, request, body) }

  package func answer(of id: String) async throws(TransportError) -> TransportResponse {
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let known = daemon.ids.contains(id)
        let answer = state.withLock { state -> TransferDaemon.Answer? in
          if Task.isCancelled { return Self.cancelled }
          if let answer = state.answers.removeValue(forKey: id) { return answer }
          guard known else { return .failure(TransportError(.unknownUpload, "unknown")) }
          state.waiters[id] = waiter
          return nil
        }
        if let answer { waiter.resume(returning: answer) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: Self.cancelled)
    }
    switch answer {
    case .success(let response): return response
    case .failure(let error): throw error
    }
  }

  package func uploads() async -> [String: Bool] {
    let underway = daemon.ids.map { ($0, false) }
    let answered = state.withLock { $0.answers.keys.map { ($0, true) } }
    return Dictionary(underway + answered, uniquingKeysWith: { $0 || $1 })
  }

  package func cancel(_ ids: Set<String>) async {
    daemon.cancel(ids)
    let waiters = state.withLock { state in
      for id in ids { state.answers[id] = nil }
      return ids.compactMap { state.waiters.removeValue(forKey: $0) }
    }
    for waiter in waiters { waiter.resume(returning: Self.cancelled) }
  }

  package func eventsDelivered() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          defer { state.areDelivered = false }
          if state.areDelivered || Task.isCancelled { return true }
          state.awaitingDelivery.append(continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      allDelivered()
    }
  }
}
