// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import HealthDevices
import SantorioConcurrency
import SantorioCore

/// A device that is said to be a user's.
package struct DeviceAssignment: Hashable, Sendable {
  /// The system's identifier.
  package let identifier: UUID
  /// What it is.
  package let model: DeviceModel
  /// Which of its users the session's user is, as readings count them; nil for its one user.
  package let slot: Int?
  /// What is known of the bond from another user's sessions on this machine.
  package let bond: BondState
  /// The instant from which it is the user's, where it was another person's before: a reading that may
  /// have been measured earlier is held until somebody decides.
  package let since: Date?

  package init(
    identifier: UUID, model: DeviceModel, slot: Int? = nil, bond: BondState = .none,
    since: Date? = nil
  ) {
    self.identifier = identifier
    self.model = model
    self.slot = slot
    self.bond = bond
    self.since = since
  }
}

// A gateway is told whose devices are whose, where a phone finds out by pairing them.
extension BluetoothReceiver {
  /// Makes some devices the session's user's, and takes all others from the user.
  ///
  /// What is known of a device's memory, clock and users stays. Readings that this decides are
  /// released, see ``setUserSlot(_:of:)``.
  ///
  /// - Parameter assignments: The devices.
  /// - Throws: ``BluetoothError`` of code `submissionFailure` when it cannot be kept.
  package func assign(_ assignments: [DeviceAssignment]) async throws(BluetoothError) {
    let user = await user()
    let since = assignments.map { ($0.identifier, $0.since) }
    ownedSince.withLock { owned in
      owned = Dictionary(
        since.compactMap { device, date in date.map { (device, $0) } }, uniquingKeysWith: { $1 })
    }
    do throws(SessionError) {
      let assigned = Dictionary(
        assignments.map { ($0.identifier, $0) }, uniquingKeysWith: { $1 })
      for known in try await devices.known()
      where known.isEnrolled(for: user) && assigned[known.identifier] == nil {
        try await devices.setEnrolment(nil, of: known.identifier, as: known.peripheral)
      }
      for assignment in assignments {
        try await devices.setEnrolment(
          user, of: assignment.identifier, as: assignment.model.id, bond: assignment.bond)
      }
    } catch {
      throw BluetoothError(storing: error)
    }
    for assignment in assignments { try await assignSlot(assignment) }
  }

  /// Notes since when devices would be the session's user's, for one of them that is paired next:
  /// what it still has of earlier times is held until somebody decides.
  ///
  /// - Parameter since: The time for each device, until ``assign(_:)``.
  package func noteOwned(since: [UUID: Date]) {
    ownedSince.withLock { $0.merge(since) { $1 } }
  }

  /// The time from which a device is the session user's; nil where it was nobody else's before.
  func ownershipStart(of device: UUID, _ model: DeviceModel) async -> OwnershipStart? {
    guard let date = ownedSince.withLock({ $0[device] }) else { return nil }
    // Not of a later one: the clock of this machine may have been ahead.
    guard (try? await devices.firstReading(of: device)) == date else { return OwnershipStart(date) }
    return OwnershipStart(date, reading: model.isAskedForMemory ? .wholeMemory : .once)
  }

  /// By what a device is recognised in readings; nil of one that was never read.
  package func identity(of device: UUID) async -> String? {
    (try? await devices.keptIdentity(of: device))?.id
  }

  /// Why devices of a kind cannot be read at all; nil when they can.
  ///
  /// - Parameter model: The kind.
  /// - Returns: The error, of code `unsupportedDevice` or `notAuthorized`.
  package func obstacle(to model: DeviceModel) -> BluetoothError? {
    do throws(BluetoothError) {
      _ = try settings.keys(for: settings.readable(model))
      return nil
    } catch {
      return error
    }
  }

  private func assignSlot(_ assignment: DeviceAssignment) async throws(BluetoothError) {
    let own = try await userSlots(of: assignment.identifier).own
    guard own != assignment.slot else { return }
    try await setUserSlot(assignment.slot, of: assignment.identifier)
  }
}
