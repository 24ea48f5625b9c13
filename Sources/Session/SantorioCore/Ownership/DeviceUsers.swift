// SPDX-License-Identifier: Apache-2.0

package import HealthRecords

/// Which users a device has shown, and what was held back since nobody knew whose it is.
package struct DeviceUsers: Hashable, Sendable, Codable {
  /// Their slots, as the device counts them.
  package private(set) var slots: Set<Int> = []
  /// Slots that somebody has asked for; the device need not have shown them.
  package private(set) var wanted: Set<Int> = []
  /// Whether a reading of the device has come to its end: what was interrupted may not have shown
  /// another user yet.
  package private(set) var wasReadToEnd = false
  /// The `log_id`s of readings that are held back until it is known whose they are.
  package private(set) var undecided: Set<String> = []

  package init() {}

  package var areSeveral: Bool { slots.union(wanted).count > 1 }

  /// Notes that a device has shown a user, while another one may have been asked for.
  package mutating func note(_ slot: Int, wanting wanted: Int?) {
    slots.insert(slot)
    if let wanted { self.wanted.insert(wanted) }
  }

  /// Notes that a reading has come to its end.
  package mutating func noteEnd() { wasReadToEnd = true }

  /// Notes a reading that is held back until it is known whose it is.
  package mutating func hold(_ logID: String) {
    // Those of a device that sends the same again and again are few.
    guard undecided.count < Self.mostUndecided else { return }
    undecided.insert(logID)
  }

  /// Notes of which readings it is known now whose they are, or that they are not held any more.
  package mutating func settle(_ logIDs: Set<String>) { undecided.subtract(logIDs) }

  /// Adds what another knows.
  package mutating func formUnion(_ other: DeviceUsers) {
    slots.formUnion(other.slots)
    wanted.formUnion(other.wanted)
    wasReadToEnd = wasReadToEnd || other.wasReadToEnd
    for logID in other.undecided { hold(logID) }
  }

  /// Whether a reading that is held back may be the user's of a slot; without a slot, of the
  /// device's one user.
  package func canDecide(with slot: Int?) -> Bool {
    !undecided.isEmpty && (slot != nil || wasReadToEnd && !areSeveral)
  }

  /// Whether a reading is the user's of a slot; without a slot, of the device's one user.
  ///
  /// - Parameters:
  ///   - record: The reading.
  ///   - slot: The slot.
  ///   - isAtEnd: Whether all that the device has to send was seen; else another user may follow.
  /// - Returns: Whether it is.
  package func isReading(_ record: HealthRecord, ofUserIn slot: Int?, isAtEnd: Bool) -> Bool {
    guard !record.isOfUnknownUser else { return false }
    // Of a device that says whose its readings are, one that says nothing is of somebody else.
    guard let own = record.source.device?.userSlot else { return slots.isEmpty }
    return slot.map { $0 == own } ?? (isAtEnd && !areSeveral)
  }

  /// Beyond them, readings that are held back have to be released by hand.
  private static let mostUndecided = 1000
}
