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
  let enrolment: Enrolment?
  /// Which of the device's users the one is for whom it is enrolled, as readings count them; nil
  /// while that was not said.
  var userSlot: Int?

  /// Whose device it is.
  enum Enrolment: Hashable, Sendable, Codable {
    /// It was paired while there was no user: it becomes the first one's who reads it.
    case unclaimed
    /// That of one user, and of no other until it is paired again.
    case user(id: String, organization: String)

    /// The enrolment by the user of a session.
    init(_ user: (userID: String, organizationID: String)?) {
      guard let user, user != (SantorioUser.default.userID, SantorioUser.default.organizationID)
      else {
        self = .unclaimed
        return
      }
      self = .user(id: user.userID, organization: user.organizationID)
    }
  }

  init(
    identifier: UUID, peripheral: Int, bond: BondState = .none, enrolment: Enrolment? = nil,
    userSlot: Int? = nil
  ) {
    self.identifier = identifier
    self.peripheral = peripheral
    self.bond = bond
    self.enrolment = enrolment
    self.userSlot = userSlot
  }

  /// The same device after it was used once more.
  ///
  /// What is known of a user's slot is nobody else's: it goes with the enrolment.
  func after(
    _ evidence: BondState.Evidence, as peripheral: Int, by user: Enrolment
  ) -> KnownPeripheral {
    // Without a user, nothing that is enrolled for one is taken over.
    let isClaimed =
      evidence == .paired && (user != .unclaimed || enrolment == nil) || enrolment == .unclaimed
    let enrolment = isClaimed ? user : enrolment
    let isSameUser = enrolment == self.enrolment || self.enrolment == .unclaimed
    return KnownPeripheral(
      identifier: identifier, peripheral: peripheral, bond: bond.after(evidence),
      enrolment: enrolment, userSlot: isSameUser ? userSlot : nil)
  }

  /// Whether it was paired for a user, or while there was none.
  func isEnrolled(for user: Enrolment) -> Bool { enrolment == .unclaimed || enrolment == user }
}

extension Sequence<KnownPeripheral> {
  /// Those that were paired for a user, or while there was none.
  func enrolled(for user: KnownPeripheral.Enrolment) -> [KnownPeripheral] {
    filter { $0.isEnrolled(for: user) }
  }

  /// Those that were paired for other users.
  func enrolledForOthers(than user: KnownPeripheral.Enrolment) -> [KnownPeripheral] {
    filter { $0.enrolment != nil && $0.enrolment != .unclaimed && $0.enrolment != user }
  }
}
