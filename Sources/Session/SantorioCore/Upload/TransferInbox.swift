// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency

/// Waits for the answers of uploads that the system performs, and keeps them until they are taken.
///
/// The tasks that wait end with the instance; the uploads go on.
final class TransferInbox: Sendable {
  /// The answer of an upload.
  struct Arrival: Sendable {
    let transfer: StoredTransfer
    let answer: Result<TransportResponse, TransportError>
  }

  private struct State {
    var arrivals: [Arrival] = []
    var waiting: [String: Task<Void, Never>] = [:]
  }

  private let transport: any BackgroundTransport
  private let wakeUp: WakeUp
  private let state = Locked(State())

  init(_ transport: any BackgroundTransport, wakeUp: WakeUp) {
    self.transport = transport
    self.wakeUp = wakeUp
  }

  deinit { state.withLock { $0.waiting.values.forEach { $0.cancel() } } }

  /// How many uploads are under way, or answered and not taken.
  var count: Int { state.withLock { $0.waiting.count + $0.arrivals.count } }

  /// The names of the uploads whose answers are awaited; nil while there are answers to be taken.
  var awaited: Set<String>? {
    state.withLock { $0.arrivals.isEmpty ? Set($0.waiting.keys) : nil }
  }

  /// Waits for an upload's answer.
  func await(_ transfer: StoredTransfer) {
    state.withLock { state in
      guard state.waiting[transfer.id] == nil else { return }
      state.waiting[transfer.id] = Task { [weak self, transport] in
        let answer = await transport.outcome(of: transfer.id)
        guard !Task.isCancelled else { return }
        self?.arrived(Arrival(transfer: transfer, answer: answer))
      }
    }
  }

  private func arrived(_ arrival: Arrival) {
    state.withLock { state in
      state.waiting[arrival.transfer.id] = nil
      state.arrivals.append(arrival)
    }
    wakeUp.call(.answer)
  }

  /// Keeps an answer that could not be settled, as the first one.
  func putBack(_ arrival: Arrival) { state.withLock { $0.arrivals.insert(arrival, at: 0) } }

  /// Takes the first answer that has come.
  func next() -> Arrival? {
    state.withLock { state in
      state.arrivals.isEmpty ? nil : state.arrivals.removeFirst()
    }
  }
}

extension BackgroundTransport {
  /// The answer of an upload, or why there is none.
  fileprivate func outcome(
    of id: String
  ) async -> Result<TransportResponse, TransportError> {
    do throws(TransportError) {
      return .success(try await answer(of: id))
    } catch {
      return .failure(error)
    }
  }
}
