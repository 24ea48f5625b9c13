// SPDX-License-Identifier: Apache-2.0

import Foundation
import Santorio

/// Carries uploads out when a test says so, as the system does it beside the app.
actor SystemUploads: BackgroundTransport {
  nonisolated let identifier = "uploads"
  private typealias Answer = Result<TransportResponse, TransportError>
  private let transport = CurlTransport()
  private var requests: [String: TransportRequest] = [:]
  private var answers: [String: Answer] = [:]
  private var waiting: [String: CheckedContinuation<Answer, Never>] = [:]

  /// How many uploads were handed over and not carried out.
  var count: Int { requests.count }

  /// Carries out what was handed over.
  func perform() async {
    let due = requests
    requests = [:]
    for (id, request) in due { end(id, await answer(to: request)) }
  }

  private func answer(to request: TransportRequest) async -> Answer {
    do throws(TransportError) {
      return .success(try await transport.send(request))
    } catch {
      return .failure(error)
    }
  }

  private func end(_ id: String, _ answer: Answer) {
    guard let waiter = waiting.removeValue(forKey: id) else { return answers[id] = answer }
    waiter.resume(returning: answer)
  }

  // MARK: - For the session

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try await transport.send(request)
  }

  func start(_ request: TransportRequest, body: URL, as id: String) throws(TransportError) {
    var request = request
    guard let content = try? Data(contentsOf: body) else {
      throw TransportError(.invalidRequest, "there is no body")
    }
    request.body = Array(content)
    requests[id] = request
  }

  func answer(of id: String) async throws(TransportError) -> TransportResponse {
    if let answer = answers.removeValue(forKey: id) { return try answer.get() }
    return try await withCheckedContinuation { waiting[id] = $0 }.get()
  }

  func uploads() -> [String: Bool] {
    let known = Array(requests.keys) + waiting.keys
    return Dictionary(
      known.map { ($0, false) } + answers.keys.map { ($0, true) }, uniquingKeysWith: { $1 })
  }

  func cancel(_ ids: Set<String>) {
    for id in ids {
      requests[id] = nil
      answers[id] = nil
      waiting.removeValue(forKey: id)?.resume(
        returning: .failure(TransportError(.cancelled, "no longer wanted")))
    }
  }

  func eventsDelivered() {}
}
