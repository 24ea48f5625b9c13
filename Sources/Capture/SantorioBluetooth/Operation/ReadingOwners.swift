// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords

/// Whose the readings of one operation are, as far as that is known.
struct ReadingOwners {
  /// By what it is decided.
  struct Rules {
    /// Whether readings are kept; those that are only handed out are not held back.
    let isKept: Bool
    /// Whether the readings of all users are taken for this user's.
    let takesEveryUser: Bool
    /// Whether a user is asked for approval of the readings.
    let asksUser: Bool
  }

  private let rules: Rules
  /// Which of the device's users is wanted; its one user when nil.
  private(set) var slot: Int?
  /// Which users the device has shown.
  private(set) var users = DeviceUsers()
  /// Which it had shown before; nil where that could not be read.
  private var earlier: DeviceUsers? = DeviceUsers()
  /// The time from which the device is the session user's; nil where it was nobody else's before.
  private(set) var start: OwnershipStart?
  /// The policy by which the times of readings are made.
  private var policy = ClockPolicy()
  /// The readings of this operation that are held back until it is known whose they are.
  private(set) var undecided: Set<String> = []
  /// Those of them that were reported as the user's, before the device showed another one.
  private var reported: Set<String> = []

  init(_ rules: Rules) { self.rules = rules }

  /// Begins with a device.
  ///
  /// - Parameters:
  ///   - earlier: Which users it has shown before; nil where that cannot be read.
  ///   - start: The time from which it is the session user's; nil where it was nobody else's before.
  ///   - policy: The policy by which the times of readings are made.
  mutating func begin(
    after earlier: DeviceUsers?, start: OwnershipStart? = nil, policy: ClockPolicy = .init()
  ) {
    self = ReadingOwners(rules)
    (self.start, self.policy) = (start, policy)
    (self.earlier, users) = (earlier, earlier ?? DeviceUsers())
  }

  /// Says which of the device's users is wanted; its one user when nil.
  mutating func want(_ slot: Int?) { self.slot = slot }

  /// Notes whose reading a device has sent.
  mutating func note(_ reading: DeviceReading) {
    guard let shown = reading.userSlot else { return }
    users.note(shown, wanting: slot)
  }

  /// Notes that the reading has come to its end.
  mutating func noteEnd() {
    if !users.slots.isEmpty { users.noteEnd() }
  }

  /// Reports a reading, and notes whether it is known whose it is.
  mutating func event(of record: HealthRecord) -> BluetoothEvent {
    guard rules.isKept, !rules.takesEveryUser else { return .reading(record) }
    guard !mayBeOfEarlierOwner(record) else {
      // Only a person can decide.
      undecided.insert(record.logID)
      return .undecided(record)
    }
    // Of an unknown user a user who is asked decides at once.
    let isDecided =
      record.isOfUnknownUser && rules.asksUser
      || users.isReading(record, ofUserIn: slot, isAtEnd: true)
    guard !isDecided || mayBeDecidedOtherwise(record) else { return .reading(record) }
    hold(record)
    guard isDecided else { return .undecided(record) }
    reported.insert(record.logID)
    return .reading(record)
  }

  /// Whether what the device sends next, or what is known of it, may show that a reading is
  /// another user's.
  private func mayBeDecidedOtherwise(_ record: HealthRecord) -> Bool {
    let namesUser = record.source.device?.userSlot != nil
    guard let earlier else { return slot == nil || !namesUser }
    return !earlier.wasReadToEnd && slot == nil && namesUser
  }

  /// Holds back what is no reading, where it is of a user who is not known to be the session's.
  mutating func holdUnlessOwn(_ rejected: HealthRecord) {
    guard rules.isKept else { return }
    guard rules.takesEveryUser || !mayBeOfEarlierOwner(rejected) else {
      // No slot decides that.
      undecided.insert(rejected.logID)
      return
    }
    guard rejected.source.device?.userSlot != nil, !isOwn(rejected) else { return }
    hold(rejected)
  }

  private mutating func hold(_ record: HealthRecord) {
    undecided.insert(record.logID)
    // What waits for a user's approval is not released because a slot is named later.
    if !rules.asksUser { users.hold(record.logID) }
  }

  /// Whether a reading may have been taken while the device was another person's.
  private func mayBeOfEarlierOwner(_ record: HealthRecord) -> Bool {
    start.map { !$0.isCertainly(before: record.time, by: policy) } ?? false
  }

  /// Whether a reading is the session user's, by what is known now.
  func isOwn(_ record: HealthRecord) -> Bool {
    guard !mayBeOfEarlierOwner(record) else { return false }
    return rules.takesEveryUser
      || users.isReading(record, ofUserIn: slot, isAtEnd: users.wasReadToEnd)
  }

  /// Whether a user may be asked about a reading that was held back since an earlier operation.
  func mayAsk(about record: HealthRecord) -> Bool {
    isOwn(record) || record.isOfUnknownUser && !mayBeOfEarlierOwner(record)
  }

  /// Whether a reading is held back and not known to be the session user's.
  func isOthers(_ record: HealthRecord) -> Bool {
    undecided.contains(record.logID) && !isOwn(record)
  }

  /// Whether a reading was reported as the user's, and is not known to be any more.
  func isToBeTakenBack(_ record: HealthRecord) -> Bool {
    reported.contains(record.logID) && isOthers(record)
  }

  /// Which users the device has shown, where that has changed.
  var changedUsers: DeviceUsers? { earlier == nil || users == earlier ? nil : users }

  /// The readings that are held back, of this operation and of earlier ones.
  var waiting: Set<String> { users.undecided.union(undecided) }

  /// Whether anything is to be decided or kept.
  var areToBeDecided: Bool {
    !waiting.isEmpty || (earlier.map { users != $0 } ?? !users.slots.isEmpty)
  }

  /// Adds what is on disk.
  mutating func add(_ stored: DeviceUsers) {
    users.formUnion(stored)
    if earlier == nil { earlier = stored }
  }
}
