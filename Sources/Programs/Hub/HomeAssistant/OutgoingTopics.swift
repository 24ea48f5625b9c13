// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency
import SantorioMQTT

/// The messages of a publisher, and the task that sends them.
final class OutgoingTopics: Sendable {
  private struct State {
    var retained = RetainedTopics()
    var waiting: [CheckedContinuation<Bool, Never>] = []
    var isOver = false
  }

  private let state = Locked(State())
  /// One signal at most waits: it stands for all changes before it is read.
  private let changes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Changes the messages, and wakes the task that sends them.
  func update<Result>(_ change: (inout RetainedTopics) -> Result) -> Result {
    let result = state.withLock { change(&$0.retained) }
    changes.continuation.yield()
    return result
  }

  /// Sends all again that the broker or Home Assistant may have lost.
  func handle(_ event: MQTTEvent, _ topics: HomeAssistantTopics) {
    switch event {
    case .connected: changes.continuation.yield()
    // The broker may come back without what it has kept.
    case .disconnected: state.withLock { $0.retained.sendAgain { _ in true } }
    case .message(let message):
      if message.topic == topics.birth {
        guard message.payload == Array("online".utf8) else { return }
        update { $0.sendAgain { $0 == .discovery } }
      } else if message.isRetained, topics.isOwnState(message.topic) {
        guard let state = SensorState.published(message.payload) else { return }
        let content = RetainedTopics.Content.state(
          milliseconds: state.milliseconds, record: state.record)
        update { $0.adopt(message.topic, content, message.payload) }
      }
    }
  }

  /// Sends what changes, until the task is cancelled.
  func send(by client: MQTTClient) async {
    for await _ in changes.stream {
      while let message = state.withLock({ $0.retained.next() }) {
        do throws(MQTTError) {
          try await client.publish(
            MQTTMessage(topic: message.topic, payload: message.payload, isRetained: true))
        } catch {
          // Without a connection all waits for the next one. The event of its end may come later.
          guard error.code == .invalidMessage else {
            state.withLock { $0.retained.sendAgain { _ in true } }
            break
          }
        }
        state.withLock { $0.retained.settle(message.topic, change: message.change) }
      }
      answerWaiting()
    }
  }

  /// Waits until all is acknowledged, or cannot be sent at present.
  func flush() async -> Bool {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiting.append(continuation) }
        return state.isOver
      }
      if isOver { return continuation.resume(returning: false) }
      changes.continuation.yield()
    }
  }

  /// Ends it: nothing is sent any more.
  func settle() {
    state.withLock { $0.isOver = true }
    answerWaiting()
    changes.continuation.finish()
  }

  private func answerWaiting() {
    let (waiting, isSent) = state.withLock { state in
      defer { state.waiting = [] }
      return (state.waiting, state.retained.next() == nil)
    }
    for continuation in waiting { continuation.resume(returning: isSent) }
  }
}
