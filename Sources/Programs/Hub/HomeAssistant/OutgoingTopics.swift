// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency
import SantorioMQTT

/// The messages of a publisher, and the task that sends them.
final class OutgoingTopics: Sendable {
  private struct State {
    var retained = RetainedTopics()
    /// A digest of who each patient is, by the alias as topics write it; nil where nobody has said.
    var owners: [String: String]?
    var waiting: [CheckedContinuation<Bool, Never>] = []
    var isOver = false

    func isOfFormer(
      _ content: RetainedTopics.Content, _ topic: String, _ topics: HomeAssistantTopics
    ) -> Bool {
      guard let owners, let patient = topics.patient(ofState: topic) else { return false }
      return content.owner == nil || content.owner != owners[patient]
    }
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
        adopt(message, topics)
      }
    }
  }

  /// Takes a state over that the broker has kept, unless it is of somebody who is no patient any more.
  private func adopt(_ message: MQTTMessage, _ topics: HomeAssistantTopics) {
    guard let content = SensorState.published(message.payload) else { return }
    state.withLock { state in
      if state.isOfFormer(content, message.topic, topics) {
        // What this run has published there replaces it by itself.
        for topic in topics.related(toState: message.topic) ?? []
        where state.retained.content(topic) == nil {
          state.retained.withdraw(topic)
        }
      } else {
        state.retained.adopt(message.topic, content, message.payload)
      }
    }
    changes.continuation.yield()
  }

  /// Says who the patients are from now on, and takes back what is shown of others.
  ///
  /// - Parameters:
  ///   - owners: A digest of who each is, by the alias as topics write it.
  ///   - topics: The topics of the hub.
  func setOwners(_ owners: [String: String], _ topics: HomeAssistantTopics) {
    state.withLock { state in
      state.owners = owners
      for topic in state.retained.states {
        guard let content = state.retained.content(topic),
          state.isOfFormer(content, topic, topics)
        else { continue }
        for topic in topics.related(toState: topic) ?? [] { state.retained.withdraw(topic) }
      }
    }
    changes.continuation.yield()
  }

  /// A digest of who a patient is.
  func owner(of patient: String) -> String? {
    state.withLock { $0.owners?[TopicSegment.text(patient)] }
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
