// SPDX-License-Identifier: Apache-2.0

/// Which centrals get the changes of which characteristics, by the paths of their devices.
///
/// bluetoothd tells who begins and when nobody is left, but not who of several has left. With a
/// bond it keeps the subscriptions while the central is away, and does not tell of them again.
struct SubscriptionTable {
  /// In the order in which they came.
  private(set) var subscribers: [LocalAttribute: [String]] = [:]
  private var away: [String: [LocalAttribute]] = [:]

  /// Who gets the changes now.
  subscript(id: LocalAttribute) -> [String] { subscribers[id] ?? [] }

  /// A central wants the changes; false when it is known already.
  mutating func add(_ device: String, to id: LocalAttribute) -> Bool {
    guard !self[id].contains(device) else { return false }
    subscribers[id, default: []].append(device)
    return true
  }

  /// Nobody wants the changes any more; returns who did.
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

  /// A link has begun; returns what the central is subscribed to from before.
  mutating func begin(_ device: String) -> [LocalAttribute] {
    (away.removeValue(forKey: device) ?? []).filter { add(device, to: $0) }
  }
}
