// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

/// A driver at work: its requests, and what has come of it so far.
struct DriverRun: Sendable {
  private var driver: any DeviceDriver
  private var queue = RequestQueue()
  private var subscriptions: [GATTAttribute] = []
  /// Whether the device waits for a measurement, or sends what it has.
  var isReady = false

  init(_ driver: any DeviceDriver) { self.driver = driver }

  /// When the driver wants to be woken.
  ///
  /// The answer to a request is waited for longer: the system may be asking its user for a passkey.
  var deadline: Duration? { queue.isEmpty ? driver.deadline : nil }

  /// Whether the device has not answered a request yet.
  var isAsking: Bool { !queue.isEmpty }

  /// Whether nothing is missing if the device disconnects now.
  var isComplete: Bool { driver.isComplete }

  mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    driver.handle(event, at: time)
  }

  /// Adds a request; the action, when it can be made now.
  mutating func request(_ request: RequestQueue.Request) -> [PeripheralOperation.Action] {
    queue.add(request).map { [.request($0)] } ?? []
  }

  /// Takes the answer to a request; nil when there is no such request under way.
  mutating func answered(
    _ attribute: GATTAttribute, _ kind: RequestQueue.Kind, isRefused: Bool = false
  ) -> [PeripheralOperation.Action]? {
    let request = queue.current
    guard queue.answered(attribute, kind) else { return nil }
    if case .subscribe = request, !isRefused { subscriptions.append(attribute) }
    if case .unsubscribe = request { subscriptions.removeAll { $0 == attribute } }
    return queue.current.map { [.request($0)] } ?? []
  }

  /// Whether the request under way is to end a subscription.
  var isUnsubscribing: Bool {
    if case .unsubscribe = queue.current { true } else { false }
  }

  /// Gives up what has not been asked yet and ends the subscriptions, one after the other.
  mutating func leave() -> [PeripheralOperation.Action] {
    queue.removeAll()
    return subscriptions.flatMap { request(.unsubscribe($0)) }
  }

  /// Whether all that ``leave()`` asked for is done.
  var hasLeft: Bool { queue.isEmpty }
}
