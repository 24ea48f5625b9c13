// SPDX-License-Identifier: Apache-2.0

/// Which centrals are subscribed to which characteristics, by the paths of their devices.
///
/// bluetoothd reports each new subscriber, and when the last one has unsubscribed, but not which of
/// several has. It keeps the subscriptions of a bonded central that is disconnected, and does not
/// report them again.
struct SubscriptionTable {
  /// The subscribers, in the order of subscription.
  private(set) var subscribers: [LocalAttribute: [String]] = [:]
  private var away: [String: [LocalAttribute]] = [:]

  /// The current subscribers of a characteristic.
  subscript(id: LocalAttribute) -> [String] { subscribers[id] ?? [] }

  /// Adds a subscriber; false when it is already known.
  mutating func add(_ device: String, to id: LocalAttribute) -> Bool {
    guard !self[id].contains(device) else { return false }
    subscribers[id, default: []].append(device)
    return true
  }

  /// Removes all subscribers; returns them.
  mutating func removeAll(of id: LocalAttribute) -> [String] {
    away = away.mapValues { $0.filter { $0 != id } }
    return subscribers.removeValue(forKey: id) ?? []
  }

  /// A link has ended; returns what the central had subscribed to.
  mutating func end(_ device: String, isBonded: Bool) -> [LocalAttribute] {
    let ended = subscribers.filter { $0.value.contains(device) }.keys.sorted()
    for id in ended { subscribers[id]?.removeAll { $0 == device } }
    if !isBonded {
      away[device] = nil
    } else if !ended.isEmpty {
      away[device] = ended
    }
    return ended
  }

  /// A link has begun; returns the central's subscriptions from before.
  mutating func begin(_ device: String) -> [LocalAttribute] {
    (away.removeValue(forKey: device) ?? []).filter { add(device, to: $0) }
  }
}
