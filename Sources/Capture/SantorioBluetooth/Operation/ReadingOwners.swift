// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthRecords
import SantorioCore

/// Whose the readings of one operation are, as far as that is known.
struct ReadingOwners {
  /// By what it is decided.
  struct Rules {
    /// Whether readings are kept; those that are only handed out are not held back.
    let isKept: Bool
    /// Whether the readings of all users are taken for this user's.
    let takesEveryUser: Bool
    /// True where the one who has opened the session decides about all readings.
    var holdsEveryReading = false
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
  /// The beginning of the user's ownership; nil where all that the device has is the user's.
  private(set) var start: OwnershipStart?
  /// The seconds by which a clock may be ahead and is still believed.
  private var toleratedLead: TimeInterval = 0
  /// The readings of this operation that are held back until it is known whose they are.
  private(set) var undecided: Set<String> = []
  /// The readings of this operation from before the device was the user's.
  private(set) var older: Set<String> = []
  /// Those of the undecided ones that were reported as the user's, before the device showed another one.
  private var reported: Set<String> = []

  init(_ rules: Rules) { self.rules = rules }

  /// Begins with a device.
  ///
  /// - Parameters:
  ///   - earlier: Which users it has shown before; nil where that cannot be read.
  ///   - start: The beginning of the user's ownership; nil where all that it has is the user's.
  ///   - policy: The policy by which the times of readings are made.
  mutating func begin(
    after earlier: DeviceUsers?, start: OwnershipStart? = nil, policy: ClockPolicy = .init()
  ) {
    self = ReadingOwners(rules)
    (self.start, toleratedLead) = (start, policy.toleratedLead / .seconds(1))
    (self.earlier, users) = (earlier, earlier ?? DeviceUsers())
  }

  /// Notes by how many seconds the device's clock is ahead.
  mutating func note(drift: TimeInterval) { start?.note(drift: drift) }

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

  /// Notes readings that are sent again, and wait for a decision since an earlier operation.
  mutating func keepHolding(_ logIDs: Set<String>) { undecided.formUnion(logIDs) }

  /// Reports a reading, and notes whether it is known whose it is.
  mutating func event(of record: HealthRecord) -> BluetoothEvent {
    guard rules.isKept, !rules.holdsEveryReading else { return .reading(record) }
    guard !undecided.contains(record.logID) else { return .undecided(record) }
    switch claim(on: record) {
    case .own: break
    case .older:
      older.insert(record.logID)
      return .older(record)
    case .pending:
      undecided.insert(record.logID)
      return .undecided(record)
    }
    guard !rules.takesEveryUser else { return .reading(record) }
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
    // No slot decides that.
    switch claim(on: rejected) {
    case .own: break
    case .older:
      older.insert(rejected.logID)
      return
    case .pending:
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

  private func claim(on record: HealthRecord) -> OwnershipStart.Claim {
    guard let start, !rules.holdsEveryReading else { return .own }
    let claim = start.claim(on: record.time, toleratedLead: toleratedLead)
    // A user who is asked sees the time, and decides; another user is not known to have had the device.
    return claim == .pending && rules.asksUser && !start.isChange ? .own : claim
  }

  /// Whether a reading is the session user's, by what is known now.
  func isOwn(_ record: HealthRecord) -> Bool {
    guard claim(on: record) == .own else { return false }
    return rules.takesEveryUser
      || users.isReading(record, ofUserIn: slot, isAtEnd: users.wasReadToEnd)
  }

  /// Whether a user may be asked about a reading that was held back since an earlier operation.
  func mayAsk(about record: HealthRecord) -> Bool {
    isOwn(record) || record.isOfUnknownUser && claim(on: record) == .own
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
