// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import HealthRecords

/// The owners of a device, now and before: of all of it, or of the slots by which it tells its users
/// apart.
package struct DeviceOwners: Hashable, Sendable, Codable {
  /// One owner.
  package struct Owner: Hashable, Sendable, Codable {
    /// The owner's account.
    package let account: String
    /// The slot, as the device shows it; nil for all of the device.
    package let slot: Int?
    /// The beginning of the ownership; nil where all that the device has is the owner's.
    package fileprivate(set) var since: OwnershipStart?
    /// The account of the owner before; nil where none is known.
    package fileprivate(set) var former: String?
    /// The end of the ownership; nil while the device is the owner's.
    package fileprivate(set) var left: Date?
  }

  /// The last owner of each slot; "*" stands for the one owner of all.
  private var slots: [String: Owner] = [:]
  /// The owners before them, the latest first.
  private var earlier: [Owner] = []
  private static let mostEarlier = 64

  package init() {}

  /// The owners of a device of which they are not known any more: the next one gets none of its readings
  /// without a decision that may be another's.
  package static let lost: DeviceOwners = {
    var owners = DeviceOwners()
    owners.slots[key(nil)] = Owner(account: "", slot: nil, left: .distantFuture)
    return owners
  }()

  private static func key(_ slot: Int?) -> String { slot.map(String.init) ?? "*" }

  /// The last owner of a slot, or of all where the slot is nil.
  package func owner(ofSlot slot: Int?) -> Owner? { slots[Self.key(slot)] }

  /// The accounts of those who have the device.
  package var present: [String] { slots.values.filter { $0.left == nil }.map(\.account).sorted() }

  /// True where a slot had another owner before.
  package var hadOthers: Bool { slots.values.contains { $0.former != nil } }

  /// The last ownership of an account, which may have ended; nil for none.
  package func last(of account: String) -> Owner? {
    (Array(slots.values) + earlier).first { $0.account == account }
  }

  /// The accounts of all who had the device when a reading may have been measured, the earliest first.
  ///
  /// - Parameters:
  ///   - time: The time of the reading.
  ///   - slot: The slot in the reading, as the device shows it; nil for none.
  ///   - tolerated: The seconds by which a clock may be ahead and is still believed.
  /// - Returns: The accounts; an empty one for an owner who is not known any more.
  package func candidates(
    for time: RecordTime, slot: Int?, toleratedLead tolerated: TimeInterval
  ) -> [String] {
    let margin = OwnershipStart.uncertainty(of: time, toleratedLead: tolerated)
    let lead = max(margin, OwnershipStart.longestLead(of: time))
    let those = (Array(slots.values) + earlier).filter { owner in
      guard owner.slot == nil || slot == nil || owner.slot == slot else { return false }
      let begin = owner.since?.date ?? .distantPast
      return begin - margin <= time.start && time.start <= end(of: owner) + lead
    }
    let sorted = those.sorted {
      ($0.since?.date ?? .distantPast, $0.account) < ($1.since?.date ?? .distantPast, $1.account)
    }
    var accounts: [String] = []
    for owner in sorted where !accounts.contains(owner.account) { accounts.append(owner.account) }
    return accounts
  }

  /// The time until which an owner may have measured: a device that is nobody's is still where it was, until
  /// the next one has it.
  private func end(of owner: Owner) -> Date {
    guard let left = owner.left else { return .distantFuture }
    let next = (Array(slots.values) + earlier).compactMap { other in
      other.slot == nil || owner.slot == nil || other.slot == owner.slot ? other.since?.date : nil
    }
    return next.filter { $0 >= left }.min() ?? .distantFuture
  }

  /// The beginning of the ownership of an account that is given the device now.
  package func since(
    givenTo account: String, slot: Int?, _ handOver: HandOver
  ) -> OwnershipStart? {
    settled(account, slot, handOver).since
  }

  // MARK: - Changes

  /// Notes an owner.
  ///
  /// - Parameters:
  ///   - account: The owner's account.
  ///   - slot: The slot; nil for all of the device.
  ///   - handOver: The way in which it becomes the owner's.
  /// - Returns: True where it was another's.
  @discardableResult
  package mutating func settle(_ account: String, slot: Int?, _ handOver: HandOver) -> Bool {
    let (key, owner) = (Self.key(slot), settled(account, slot, handOver))
    let isOthers = slots[key]?.account != account && owner.former != nil
    if isOthers || slots[key]?.left != nil {
      let ending = slot == nil ? Array(slots.values) : slots[key].map { [$0] } ?? []
      let ended = ending.map { owner in
        var owner = owner
        owner.left = owner.left ?? handOver.date
        return owner
      }
      keepEarlier(ended)
    }
    // A device with one owner has no slots any more.
    if slot == nil { slots = [:] }
    slots[key] = owner
    return isOthers
  }

  /// Those who are dropped are one owner who is not known any more.
  private mutating func keepEarlier(_ ended: [Owner]) {
    earlier = ended + earlier
    guard earlier.count > Self.mostEarlier else { return }
    let left = earlier[(Self.mostEarlier - 1)...].compactMap(\.left).max()
    earlier.removeSubrange((Self.mostEarlier - 1)...)
    earlier.append(Owner(account: "", slot: nil, left: left))
  }

  /// Notes that a reading of the device was confirmed to be its owner's.
  ///
  /// - Parameters:
  ///   - slot: The owner's slot; nil for all of the device.
  ///   - time: The time of the reading; one from before the enrolment says nothing about it.
  /// - Returns: False where nothing was waited for, or the reading says nothing.
  package mutating func confirm(slot: Int?, byReadingOf time: RecordTime) -> Bool {
    let key = Self.key(slot)
    // The beginning is rounded up to the second.
    guard let since = slots[key]?.since, since.waitsForConfirmation,
      time.received > since.date - 1, since.isBegun(before: time) ?? true
    else { return false }
    slots[key]?.since?.confirm()
    return true
  }

  /// Moves the beginnings and ends that are not earlier than a time.
  package mutating func move(since begin: Date, by step: TimeInterval) {
    let moved = { (owner: Owner) in
      var moved = owner
      moved.since = owner.since?.moved(since: begin, by: step)
      if let left = owner.left, left >= begin { moved.left = left + step }
      return moved
    }
    slots = slots.mapValues(moved)
    earlier = earlier.map(moved)
  }

  /// Notes that the device is not the owners' any more who are not named.
  ///
  /// - Parameters:
  ///   - staying: The accounts of those who stay, by their slots.
  ///   - now: The time of day.
  package mutating func leave(except staying: [Int?: String], at now: Date) {
    let named = Dictionary(
      staying.map { (Self.key($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    let all = Self.key(nil)
    for (key, owner) in slots where owner.left == nil {
      // A device that is shared from now on stays with the one who had all of it.
      let stays =
        key == all
        ? named.values.contains(owner.account) : (named[key] ?? named[all]) == owner.account
      if !stays { slots[key]?.left = now }
    }
  }

  /// The owner who has the device from now on; as before where nothing has changed.
  private func settled(_ account: String, _ slot: Int?, _ handOver: HandOver) -> Owner {
    // Before it was shared, all of it was one owner's.
    let before =
      slot == nil
      ? Array(slots.values) : [owner(ofSlot: slot) ?? owner(ofSlot: nil)].compactMap(\.self)
    let own = owner(ofSlot: slot) ?? before.first
    guard let other = before.first(where: { $0.account != account }) else {
      guard let own else { return owner(account, slot, handOver) }
      // One who comes back may be given readings of the owner before, who had not sent all of them.
      guard own.left == nil else {
        return owner(account, slot, handOver, after: own.former, since: own.since?.earliest)
      }
      var same = Owner(account: account, slot: slot, since: own.since, former: own.former)
      if slot == nil { same.since = before.compactMap(\.since).max { $0.date < $1.date } }
      if handOver.takesMemory { same.since = same.since.flatMap(\.takingMemory) }
      return same
    }
    return owner(account, slot, handOver, after: other.account, since: other.since?.earliest)
  }

  /// A new owner, after another one where one is named.
  private func owner(
    _ account: String, _ slot: Int?, _ handOver: HandOver, after former: String? = nil,
    since earliest: Date? = nil
  ) -> Owner {
    let isChange = former != nil
    guard isChange || !handOver.takesMemory else { return Owner(account: account, slot: slot) }
    return Owner(
      account: account, slot: slot,
      since: OwnershipStart(
        handOver.date, isChange: isChange, takesMemory: handOver.takesMemory,
        waitsForConfirmation: handOver.waitsForConfirmation,
        after: isChange ? earliest ?? .distantPast : nil),
      former: former)
  }
}

/// The way in which a device becomes an owner's.
package struct HandOver: Hashable, Sendable {
  /// The instant.
  package var date: Date
  /// True where the owner's are also the readings that it has measured before.
  package var takesMemory = false
  /// True where all its readings wait until one of them was confirmed to be the owner's.
  package var waitsForConfirmation = false

  package init(at date: Date, takesMemory: Bool = false, waitsForConfirmation: Bool = false) {
    self.date = date
    self.takesMemory = takesMemory
    self.waitsForConfirmation = waitsForConfirmation
  }
}
