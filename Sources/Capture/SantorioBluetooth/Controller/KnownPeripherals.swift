// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency
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

  /// Whose device it is.
  enum Enrolment: Hashable, Sendable, Codable {
    /// It was paired while there was no user: it becomes the first one's who reads it.
    case unclaimed
    /// That of one user, and of no other until it is paired again.
    case user(id: String, organization: String)

    /// The enrolment by the user of a session.
    init(_ user: (userID: String, organizationID: String)?) {
      guard let user, user != (User.default.userID, User.default.organizationID) else {
        self = .unclaimed
        return
      }
      self = .user(id: user.userID, organization: user.organizationID)
    }
  }

  init(
    identifier: UUID, peripheral: Int, bond: BondState = .none, enrolment: Enrolment? = nil
  ) {
    self.identifier = identifier
    self.peripheral = peripheral
    self.bond = bond
    self.enrolment = enrolment
  }

  /// The same device after it was used once more.
  func after(
    _ evidence: BondState.Evidence, as peripheral: Int, by user: Enrolment
  ) -> KnownPeripheral {
    // Without a user, nothing that is enrolled for one is taken over.
    let isClaimed =
      evidence == .paired && (user != .unclaimed || enrolment == nil) || enrolment == .unclaimed
    return KnownPeripheral(
      identifier: identifier, peripheral: peripheral, bond: bond.after(evidence),
      enrolment: isClaimed ? user : enrolment)
  }
}

/// The devices that were paired or read before.
///
/// Those that were read are a hint and no more: a file that is missing, damaged or cannot be
/// written costs a scan. Those that were paired are enrolled: they are the user's, and never make
/// room for others.
final class KnownPeripherals: Sendable {
  /// How many are kept that are not enrolled; the one that was not used for longest goes first.
  static let capacity = 32
  /// The name of the state in a session's folder.
  static let stateName = "known-peripherals"

  private let store: (any DeviceStateStoring)?
  private let lock: StateLock?
  // What the store should hold: what counts when there is none, or it cannot be read.
  private let memory = Locked<[KnownPeripheral]>([])

  /// - Parameters:
  ///   - store: Where they are kept; nil keeps them in memory.
  ///   - lock: Keeps other processes from changing the store meanwhile.
  init(store: (any DeviceStateStoring)?, lock: StateLock? = nil) {
    self.store = store
    self.lock = lock
  }

  /// All of them, the one used last first.
  var all: [KnownPeripheral] { memory.withLock { (try? saved) ?? $0 } }

  /// Those that were paired for a user, or while there was none, the one used last first.
  func enrolled(for user: KnownPeripheral.Enrolment) -> [KnownPeripheral] {
    all.filter { $0.enrolment == .unclaimed || $0.enrolment == user }
  }

  /// Those that were paired for other users.
  func enrolledForOthers(than user: KnownPeripheral.Enrolment) -> [KnownPeripheral] {
    all.filter { $0.enrolment != nil && $0.enrolment != .unclaimed && $0.enrolment != user }
  }

  /// Notes that a device was used, and what that shows of the bond.
  ///
  /// - Parameters:
  ///   - identifier: The system's identifier.
  ///   - peripheral: The number of the entry in the catalogue.
  ///   - evidence: How it was used.
  ///   - user: By whom.
  /// - Throws: What kept it from being written; it is known in memory all the same.
  func note(
    _ identifier: UUID, as peripheral: Int, _ evidence: BondState.Evidence,
    by user: KnownPeripheral.Enrolment
  ) throws {
    try change { devices in
      let known =
        devices.first { $0.identifier == identifier }
        ?? KnownPeripheral(identifier: identifier, peripheral: peripheral)
      devices =
        [known.after(evidence, as: peripheral, by: user)]
        + devices.filter { $0.identifier != identifier }
    }
  }

  /// What is known of the bond with a device.
  func bond(with identifier: UUID) -> BondState {
    all.first { $0.identifier == identifier }?.bond ?? .none
  }

  private func change(_ body: (inout [KnownPeripheral]) -> Void) throws {
    try memory.withLock { memory in
      let before = memory
      do {
        try exclusively {
          let old = try saved
          memory = Self.limited(old ?? before, body)
          if memory != old { try store?.write(Array(JSONEncoder().encode(memory))) }
        }
      } catch {
        memory = Self.limited((try? saved) ?? before, body)
        throw error
      }
    }
  }

  private func exclusively(_ body: () throws -> Void) throws {
    guard let lock else { return try body() }
    try lock.exclusively(body)
  }

  private static func limited(
    _ devices: [KnownPeripheral], _ body: (inout [KnownPeripheral]) -> Void = { _ in }
  ) -> [KnownPeripheral] {
    var devices = devices
    body(&devices)
    var room = capacity
    return devices.filter { device in
      guard device.enrolment == nil else { return true }
      room -= 1
      return room >= 0
    }
  }

  /// What the store holds; nil when there is nothing, or it is damaged.
  private var saved: [KnownPeripheral]? {
    get throws {
      guard let bytes = try store?.read(),
        let devices = try? JSONDecoder().decode([KnownPeripheral].self, from: Data(bytes))
      else { return nil }
      var seen: Set<UUID> = []
      return Self.limited(devices.filter { seen.insert($0.identifier).inserted })
    }
  }
}
