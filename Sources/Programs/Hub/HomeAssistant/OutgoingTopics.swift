// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency
import SantorioMQTT

/// Whose what is shown may be, in the words of topics.
struct ShownPlaces: Equatable {
  /// A digest of who the patient is.
  let owner: String
  /// The patient's devices.
  let devices: Set<String>
}

/// The messages of a publisher, and the task that sends them.
final class OutgoingTopics: Sendable {
  private struct State {
    var retained: RetainedTopics
    var namesakes: Namesakes
    /// What may be shown, by the patient's alias; nil where nobody has said.
    var places: [String: ShownPlaces]?
    var waiting: [CheckedContinuation<Bool, Never>] = []
    var isOver = false

    func allows(_ place: DevicePlace) -> Bool {
      places.map { $0[place.patient]?.devices.contains(place.device) ?? false } ?? true
    }

    func allows(_ content: RetainedTopics.Content, _ place: DevicePlace) -> Bool {
      allows(place) && (places == nil || content.owner == places?[place.patient]?.owner)
    }

    /// Takes states back, and what there is because of them.
    ///
    /// By the state the rest is found again after a crash: it goes last.
    mutating func withdraw(_ states: Set<String>, _ topics: HomeAssistantTopics) {
      var places: Set<DevicePlace> = []
      for topic in states {
        guard case .state(let place, let object)? = topics.subject(of: topic) else { continue }
        retained.withdraw(topics.discovery(object, place))
        places.insert(place)
      }
      for place in places where retained.states(in: topics.folder(place)).isSubset(of: states) {
        retained.withdraw(topics.availability(place))
      }
      for topic in states { retained.withdraw(topic) }
    }
  }

  /// How many states of one device are taken over from the broker; no device has so many.
  static let adoptedPerDevice = 64
  /// How many are where nobody has said whose devices there are.
  private static let adoptedWithoutPlaces = 4096
  /// How much is taken back at a time of what is found at the broker; of more, the rest is when it is
  /// found the next time.
  static let withdrawnAtOnce = 16_384

  private let state: Locked<State>
  /// One signal at most waits: it stands for all changes before it is read.
  private let changes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// - Parameters:
  ///   - places: What may be shown, by the patient's alias as topics write it; nil for all.
  ///   - installation: What tells this hub from others of its name.
  ///   - now: The time of day.
  init(
    _ places: [String: ShownPlaces]? = nil, installation: String? = nil,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    state = Locked(
      State(
        retained: RetainedTopics(now: now), namesakes: Namesakes(installation), places: places))
  }

  /// Changes the messages of a device, and wakes the task that sends them.
  ///
  /// - Parameters:
  ///   - place: The device and its patient.
  ///   - change: Changes the messages; it is given a digest of who the patient is, where one is known.
  /// - Returns: What `change` returns; nil, without calling it, when the device is not the patient's.
  func update<Result>(
    _ place: DevicePlace, _ change: (inout RetainedTopics, _ owner: String?) -> Result
  ) -> Result? {
    let result: Result? = state.withLock { state in
      guard state.allows(place) else { return nil }
      return change(&state.retained, state.places?[place.patient]?.owner)
    }
    if result != nil { changes.continuation.yield() }
    return result
  }

  /// Says what may be shown from now on, and takes all else back.
  ///
  /// - Parameters:
  ///   - places: What may be shown, by the patient's alias as topics write it.
  ///   - topics: The topics of the hub.
  func setPlaces(_ places: [String: ShownPlaces], _ topics: HomeAssistantTopics) {
    state.withLock { state in
      guard state.places != places else { return }
      state.places = places
      let former = state.retained.states.filter { topic in
        guard case .state(let place, _)? = topics.subject(of: topic),
          let content = state.retained.content(topic)
        else { return false }
        return !state.allows(content, place)
      }
      state.withdraw(Set(former), topics)
    }
    changes.continuation.yield()
  }

  // MARK: - What comes from the broker

  /// Sends all again that the broker or Home Assistant may have lost.
  ///
  /// - Returns: Whether other hubs are to be told that this one is there.
  @discardableResult
  func handle(_ event: MQTTEvent, _ topics: HomeAssistantTopics) -> Bool {
    switch event {
    case .connected:
      state.withLock { $0.namesakes.connected() }
      changes.continuation.yield()
      return true
    // The broker may come back without what it has kept.
    case .disconnected:
      state.withLock { state in
        state.retained.sendAgain { _ in true }
        state.namesakes.disconnected()
      }
    case .message(let message):
      if message.topic == topics.installations {
        return state.withLock { $0.namesakes.hear(message.payload) }
      } else if message.topic == topics.birth {
        guard message.payload == Array("online".utf8) else { return false }
        state.withLock { $0.retained.sendAgain { $0 == .discovery } }
        changes.continuation.yield()
      } else if let subject = topics.subject(of: message.topic) {
        receive(message, subject, topics)
      }
    }
    return false
  }

  private func receive(
    _ message: MQTTMessage, _ subject: HomeAssistantTopics.Subject, _ topics: HomeAssistantTopics
  ) {
    state.withLock { state in
      switch subject {
      case .state(let place, _):
        if state.namesakes.own(message) {
          if !message.isRetained { state.retained.leave(message.topic) }
        } else if message.isRetained {
          Self.adopt(message, place, topics, &state)
        }
      case .availability(let place):
        if message.isRetained { Self.check(message.topic, place, topics, &state) }
      }
    }
    if message.isRetained { changes.continuation.yield() }
  }

  // MARK: - Other hubs of this name

  /// Whether another hub of this name is there.
  var hasNamesake: Bool { state.withLock { $0.namesakes.areThere } }

  /// What this hub says of itself to others; nil for nothing.
  var claim: [UInt8]? { state.withLock { $0.namesakes.claim } }

  /// Takes over or back what others have left who are not there any more.
  func endPeriod(_ topics: HomeAssistantTopics) {
    state.withLock { state in
      for message in state.namesakes.endPeriod() {
        guard case .state(let place, _)? = topics.subject(of: message.topic) else { continue }
        Self.adopt(message, place, topics, &state)
      }
    }
    changes.continuation.yield()
  }

  /// Removes the values that were measured before a time from their states.
  ///
  /// Home Assistant would show them as the present ones after its next start. The states themselves
  /// stay at the broker: by them, the sensors are found and taken back when the device is forgotten.
  func expire(before time: Date, _ topics: HomeAssistantTopics) {
    let limit = Int(time.timeIntervalSince1970 * 1000)
    state.withLock { state in
      for topic in state.retained.states {
        guard case .state(let milliseconds, _, _)? = state.retained.content(topic),
          milliseconds < limit, case .state(_, let object)? = topics.subject(of: topic),
          object != SensorObject.battery.id, let payload = state.retained.payload(topic),
          let outdated = SensorState.outdated(payload, hub: state.namesakes.installation),
          let content = SensorState.published(outdated)
        else { continue }
        // A state that is without its value already stays as it is, and is not sent again.
        _ = state.retained.set(topic, content, outdated)
      }
    }
    changes.continuation.yield()
  }

  /// Takes a state over that the broker has kept, unless it may not be shown any more.
  private static func adopt(
    _ message: MQTTMessage, _ place: DevicePlace, _ topics: HomeAssistantTopics,
    _ state: inout State
  ) {
    guard let content = SensorState.published(message.payload) else { return }
    let topic = message.topic
    let isKnown = state.retained.content(topic) != nil
    let known = state.retained.states(in: topics.folder(place))
    if state.allows(content, place), isKnown || known.count < adoptedPerDevice {
      guard isKnown || state.places != nil || state.retained.count < adoptedWithoutPlaces else {
        return
      }
      return state.retained.adopt(topic, content, message.payload)
    }
    // What this run has published there replaces it by itself.
    guard !isKnown, state.retained.withdrawnCount < withdrawnAtOnce else { return }
    // The patient may have other states of the device that have yet to come.
    if !state.allows(place) { return state.withdraw([topic], topics) }
    guard case .state(_, let object)? = topics.subject(of: topic) else { return }
    state.retained.withdraw(topics.discovery(object, place))
    state.retained.withdraw(topic)
  }

  /// Takes back what the broker has kept of whether a device is there, unless a state is shown of it.
  ///
  /// The states have come before: they are subscribed to first.
  private static func check(
    _ topic: String, _ place: DevicePlace, _ topics: HomeAssistantTopics, _ state: inout State
  ) {
    let folder = topics.folder(place)
    guard state.places != nil, state.retained.states(in: folder).isEmpty,
      !state.namesakes.mayOwn(folder), state.retained.withdrawnCount < withdrawnAtOnce
    else { return }
    state.retained.withdraw(topic)
  }

  // MARK: - What is sent

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

  /// The same, but for a limited time; after that, nothing is sent any more.
  ///
  /// - Parameters:
  ///   - limit: The longest wait.
  ///   - clock: The clock of it.
  /// - Returns: Whether all was acknowledged.
  func flush(within limit: Duration, by clock: any Clock<Duration>) async -> Bool {
    await withTaskGroup { group in
      group.addTask { await self.flush() }
      group.addTask {
        if (try? await clock.sleep(for: limit)) != nil { self.settle() }
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
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
