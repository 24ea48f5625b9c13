// SPDX-License-Identifier: Apache-2.0

import SantorioMQTT

/// What is logged of the connection to the broker, once each.
enum BrokerNotice: Hashable {
  case connected
  /// The connection was lost, for a reason by its constant name.
  case lost(reason: String)
  /// The first attempt to connect has failed.
  case unreachable(reason: String)
}

extension HubStatus.Part {
  /// The broker before the first attempt to connect has ended.
  static let awaitedBroker = HubStatus.Part(works: false, "not connected yet")

  /// Brings what is shown of the broker up to date.
  ///
  /// - Parameter event: What the client has noticed.
  /// - Returns: What is to be logged; nil for nothing, also when another attempt fails.
  mutating func note(_ event: MQTTEvent) -> BrokerNotice? {
    let before = self
    switch event {
    case .connected:
      self = HubStatus.Part(works: true, "connected")
      return before.works ? nil : .connected
    case .disconnected(let error):
      self = HubStatus.Part(works: false, error.reason)
      guard error.code != .closed else { return nil }
      if before.works { return .lost(reason: "\(error.code)") }
      return before == .awaitedBroker ? .unreachable(reason: "\(error.code)") : nil
    case .message: return nil
    }
  }
}

extension MQTTError {
  /// The message, without a reason that only says it again.
  fileprivate var reason: String {
    let parts = message.split(separator: ": ", maxSplits: 1)
    guard parts.count == 2, parts[1].lowercased() == parts[0].lowercased() + "." else {
      return message
    }
    return String(parts[0])
  }
}
