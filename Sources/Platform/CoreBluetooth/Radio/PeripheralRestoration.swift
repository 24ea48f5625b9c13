// SPDX-License-Identifier: Apache-2.0

/// The state that a radio keeps for a peripheral manager when the process ends.
///
/// A radio has one of these for each session with a restore identifier and records what the manager
/// publishes and the events sent to it. A value can outlive the process in a file.
package struct PeripheralRestoration: Codable, Hashable, Sendable {
  /// The published services, in order.
  package var services: [LocalService] = []
  /// The centrals subscribed to each characteristic.
  package private(set) var subscriptions: [LocalAttribute: [RemoteCentral]] = [:]
  /// The advertisement as requested; nil when the manager does not advertise.
  package var advertisement: RadioAdvertisement?

  /// An empty state.
  package init() {}

  /// Whether there is nothing to restore.
  package var isEmpty: Bool { services.isEmpty && advertisement == nil }

  /// The manager has withdrawn services, or they could not be published.
  package mutating func removeServices(where condition: (LocalService) -> Bool) {
    for service in services where condition(service) {
      for characteristic in service.characteristics { subscriptions[characteristic.id] = nil }
    }
    services.removeAll(where: condition)
  }

  /// Records an event that is sent to the manager.
  package mutating func record(_ event: PeripheralEvent) {
    switch event {
    case .stateChanged(let state):
      if state != .poweredOn { loseConnections() }
      if state.rawValue < CBManagerState.poweredOff.rawValue { self = Self() }
    case .serviceAdded(let id, .some):
      removeServices { $0.id == id }
    case .subscribed(let central, let id):
      subscriptions[id, default: []].removeAll { $0.identifier == central.identifier }
      subscriptions[id, default: []].append(central)
    case .unsubscribed(let central, let id):
      subscriptions[id]?.removeAll { $0.identifier == central.identifier }
    default:
      break
    }
  }

  /// The host has lost its links, as by a restart, and with them the subscriptions.
  package mutating func loseConnections() {
    subscriptions = [:]
  }
}
