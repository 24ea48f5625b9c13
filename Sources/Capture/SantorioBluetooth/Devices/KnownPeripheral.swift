// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCore

/// A device that was paired or read before.
struct KnownPeripheral: Hashable, Sendable, Codable {
  /// The system's identifier.
  let identifier: UUID
  /// The number of the entry in the catalogue.
  let peripheral: Int
  /// What is known of the bond.
  let bond: BondState
  /// Whose it is since it was paired; nil when it was only read.
  let enrolment: DeviceOwner?
  /// Which of the device's users the one is for whom it is enrolled, as readings count them; nil
  /// while that was not said.
  var userSlot: Int?
  /// The beginning of that user's ownership; nil where all that the device has is the user's.
  var ownership: OwnershipStart?

  init(
    identifier: UUID, peripheral: Int, bond: BondState = .none, enrolment: DeviceOwner? = nil,
    userSlot: Int? = nil, ownership: OwnershipStart? = nil
  ) {
    self.identifier = identifier
    self.peripheral = peripheral
    self.bond = bond
    self.enrolment = enrolment
    self.userSlot = userSlot
    self.ownership = ownership
  }

  /// The same device after it was used once more.
  ///
  /// The slot and the beginning of the ownership go with the enrolment.
  ///
  /// - Parameters:
  ///   - evidence: How it was used.
  ///   - peripheral: The number of the entry in the catalogue.
  ///   - user: By whom.
  ///   - beginning: The beginning for a user who pairs it and has not had it; nil for one who takes all
  ///     that it has.
  /// - Returns: The device.
  func after(
    _ evidence: BondState.Evidence, as peripheral: Int, by user: DeviceOwner,
    beginning: OwnershipStart? = nil
  ) -> KnownPeripheral {
    // Without a user, nothing that is enrolled for one is taken over.
    let isClaimed =
      evidence == .paired && (user != .unclaimed || enrolment == nil) || enrolment == .unclaimed
    let enrolment = isClaimed ? user : enrolment
    let isSameUser = enrolment == self.enrolment || self.enrolment == .unclaimed
    return KnownPeripheral(
      identifier: identifier, peripheral: peripheral, bond: bond.after(evidence),
      enrolment: enrolment, userSlot: isSameUser ? userSlot : nil,
      ownership: isSameUser ? ownership(after: evidence, beginning) : beginning)
  }

  /// The ownership of the same user; paired without a beginning, the device is the user's with its memory.
  private func ownership(
    after evidence: BondState.Evidence, _ beginning: OwnershipStart?
  ) -> OwnershipStart? {
    guard evidence == .paired else { return ownership }
    guard let beginning else { return ownership?.takingMemory }
    return ownership?.continued(as: beginning) ?? beginning
  }

  /// Whether it was paired for a user, or while there was none.
  func isEnrolled(for user: DeviceOwner) -> Bool { enrolment == .unclaimed || enrolment == user }
}

extension Sequence<KnownPeripheral> {
  /// Those that were paired for a user, or while there was none.
  func enrolled(for user: DeviceOwner) -> [KnownPeripheral] {
    filter { $0.isEnrolled(for: user) }
  }

  /// Those that were paired for other users.
  func enrolledForOthers(than user: DeviceOwner) -> [KnownPeripheral] {
    filter { $0.enrolment != nil && $0.enrolment != .unclaimed && $0.enrolment != user }
  }
}

extension OwnershipStart {
  /// The ownership where the same user has the device; nil where it has begun anew.
  func continued(as beginning: OwnershipStart?) -> OwnershipStart? {
    guard let beginning, beginning.date == date else { return nil }
    var same = self
    same.takesMemory = takesMemory || beginning.takesMemory
    if !beginning.waitsForConfirmation { same.confirm() }
    return same
  }
}
