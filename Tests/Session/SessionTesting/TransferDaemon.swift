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
    var body: URL
    var isPerforming = false
    var answer: Answer?
  }

  private struct State {
    var uploads: [Upload] = []
    weak var launch: DaemonTransport?
    var isOnline = true
    /// How many uploads were begun.
    var count = 0
    /// How many exchanges are under way that the app makes itself.
    var exchanges = 0
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
  package func launch(
    identifier: String = "uploads", of process: AppProcess = AppProcess()
  ) -> DaemonTransport {
    let transport = DaemonTransport(self, identifier, process)
    state.withLock { state in
      state.launch?.process.state = .ended
      state.launch = transport
    }
    return transport
  }

  /// The app's folder has another path.
  package func move(bodiesTo folder: URL) {
    state.withLock { state in
      for index in state.uploads.indices {
        state.uploads[index].body = folder.appendingPathComponent(
          state.uploads[index].body.lastPathComponent)
      }
    }
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

  /// Whether the server is being asked something by the app itself.
  package var isExchanging: Bool { state.withLock { $0.exchanges > 0 } }

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
      guard let launch = state.launch, launch.process.isAwake else { return (nil, []) }
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

  fileprivate func add(
    _ id: String, _ request: TransportRequest, _ body: URL, by process: AppProcess
  ) {
    guard process.state != .ended else { return }
    state.withLock { state in
      state.count += 1
      state.uploads.append(Upload(id: id, request: request, body: body))
    }
    if isAutomatic { Task { await perform() } }
  }

  fileprivate func cancel(_ ids: Set<String>, by process: AppProcess) {
    guard process.state != .ended else { return }
    state.withLock { $0.uploads.removeAll { ids.contains($0.id) } }
  }

  /// What the app knows of: to it an upload is under way until it is reported on.
  fileprivate var ids: Set<String> { state.withLock { Set($0.uploads.map(\.id)) } }

  /// An exchange that the process makes itself: it fails when the process is suspended meanwhile.
  fileprivate func exchange(_ request: TransportRequest, by process: AppProcess) async -> Answer {
    guard process.isAwake else { return await Self.broken(process) }
    let isOnline = state.withLock { state in
      if state.isOnline { state.exchanges += 1 }
      return state.isOnline
    }
    guard isOnline else { return .failure(TransportError(.unreachable, "no connection")) }
    let answer = await server(request)
    state.withLock { $0.exchanges -= 1 }
    return process.isAwake ? answer : await Self.broken(process)
  }

  private static func broken(_ process: AppProcess) async -> Answer {
    do {
      try await process.untilAwake()
      return .failure(TransportError(.unreachable, "the connection was lost"))
    } catch {
      return .failure(TransportError(.cancelled, "cancelled"))
    }
  }
}

/// The transport of one launch of an app.
package final class DaemonTransport: BackgroundTransport {
  private typealias Waiter = CheckedContinuation<TransferDaemon.Answer, Never>

  private struct State {
    /// The reports that have come and were not asked for.
    var answers: [String: TransferDaemon.Answer] = [:]
    var waiters: [String: Waiter] = [:]
  }

  package let identifier: String
  /// While it is suspended it gets no reports.
  package let process: AppProcess
  private let daemon: TransferDaemon
  private let state = Locked(State())
  private let deliveries = DeliverySignal()

  fileprivate init(_ daemon: TransferDaemon, _ identifier: String, _ process: AppProcess) {
    self.daemon = daemon
    self.identifier = identifier
    self.process = process
  }

  deinit {
    let waiters = state.withLock { $0.waiters.values }
    for waiter in waiters { waiter.resume(returning: Self.cancelled) }
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

  fileprivate func allDelivered() { deliveries.delivered() }

  private static let cancelled: TransferDaemon.Answer = .failure(
    TransportError(.cancelled, "cancelled"))

  package func send(
    _ request: TransportRequest
  ) async throws(TransportError) -> TransportResponse {
    switch await daemon.exchange(request, by: process) {
    case .success(let response): return response
    case .failure(let error): throw error
    }
  }

  package func start(
    _ request: TransportRequest, body: URL, as id: String
  ) async throws(TransportError) { daemon.add(id, request, body, by: process) }

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
    daemon.cancel(ids, by: process)
    let waiters = state.withLock { state in
      for id in ids { state.answers[id] = nil }
      return ids.compactMap { state.waiters.removeValue(forKey: $0) }
    }
    for waiter in waiters { waiter.resume(returning: Self.cancelled) }
  }

  package func eventsDelivered() async { await deliveries.next() }
}
