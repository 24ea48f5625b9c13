// SPDX-License-Identifier: Apache-2.0

/// The simulated faults of a peripheral.
struct Faults {
  enum Action {
    case serve
    case ignore
    case drop(RadioError)
  }

  /// The errors that answer all requests for these characteristics.
  var errors: [BluetoothUUID: CBATTError.Code] = [:]
  /// How many more requests get no answer.
  var unanswered = 0
  /// How many more packets pass before the link is dropped.
  var packetsUntilDrop: Int?
  var dropReason = RadioError.system(.connectionTimeout)

  /// What happens to the packet that arrives now.
  mutating func next() -> Action {
    if let reason = nextDrop() { return .drop(reason) }
    guard unanswered > 0 else { return .serve }
    unanswered -= 1
    return .ignore
  }

  /// The reason if the link is dropped by the packet that arrives now, which needs no answer.
  mutating func nextDrop() -> RadioError? {
    guard let left = packetsUntilDrop else { return nil }
    packetsUntilDrop = left > 0 ? left - 1 : nil
    return left == 0 ? dropReason : nil
  }
}
