// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import HealthDevices
package import HealthRecords
import SantorioConcurrency
package import SantorioCore

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
  /// The beginning of the user's ownership; nil where all that the device has is the user's.
  package let beginning: OwnershipStart?

  package init(
    identifier: UUID, model: DeviceModel, slot: Int? = nil, bond: BondState = .none,
    beginning: OwnershipStart? = nil
  ) {
    self.identifier = identifier
    self.model = model
    self.slot = slot
    self.bond = bond
    self.beginning = beginning
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
    do throws(SessionError) {
      let assigned = Dictionary(
        assignments.map { ($0.identifier, $0) }, uniquingKeysWith: { $1 })
      for known in try await devices.known()
      where known.isEnrolled(for: user) && assigned[known.identifier] == nil {
        try await devices.setEnrolment(nil, of: known.identifier, as: known.peripheral)
      }
      for assignment in assignments {
        try await devices.setEnrolment(
          user, of: assignment.identifier, as: assignment.model.id, bond: assignment.bond,
          beginning: assignment.beginning)
      }
    } catch {
      throw BluetoothError(storing: error)
    }
    for assignment in assignments { try await assignSlot(assignment) }
  }

  /// Notes that readings of a device were taken for the session's user.
  package func noteTaken(_ logIDs: [String], of device: UUID) async throws(BluetoothError) {
    do throws(SessionError) {
      try await devices.noteTaken(logIDs, of: device, for: await user().name)
    } catch {
      throw BluetoothError(storing: error)
    }
  }

  /// Those of some readings that were taken in this session's file.
  ///
  /// - Parameters:
  ///   - logIDs: The `log_id`s of the readings.
  ///   - device: Their device; any when nil.
  /// - Returns: The `log_id`s of those.
  /// - Throws: ``BluetoothError`` of code `submissionFailure` when that cannot be read.
  package func taken(
    among logIDs: [String], of device: UUID? = nil
  ) async throws(BluetoothError) -> Set<String> {
    try await taken(among: logIDs, of: device) { $0 != nil }
  }

  /// Those of some readings that were taken in this session's file for earlier users.
  package func takenByOthers(among logIDs: [String]) async throws(BluetoothError) -> Set<String> {
    let user = await user().name
    return try await taken(among: logIDs, of: nil) { $0.map { $0 != user } ?? false }
  }

  private func taken(
    among logIDs: [String], of device: UUID?, where isWanted: (String?) -> Bool
  ) async throws(BluetoothError) -> Set<String> {
    do throws(SessionError) {
      let all =
        if let device { [try await devices.taken(of: device)] } else {
          Array(try await devices.takenByDevice().values)
        }
      let noted = Set(logIDs.filter { logID in all.contains { isWanted($0.user(of: logID)) } })
      // A process that was killed in between has not noted them.
      guard isWanted(await user().name) else { return noted }
      return noted.union(try await session?.waiting(among: logIDs) ?? [])
    } catch {
      throw BluetoothError(storing: error)
    }
  }

  /// The newest readings of each device that were taken in this session's file.
  package func taken() async throws(BluetoothError) -> [UUID: TakenReadings] {
    do throws(SessionError) {
      return try await devices.takenByDevice()
    } catch {
      throw BluetoothError(storing: error)
    }
  }

  /// The devices of an identity in readings, which may be several: some makers give all devices of a kind
  /// one serial number.
  package func devices(identifiedAs identity: String) async -> Set<UUID> {
    let all = (try? await devices.identities()) ?? [:]
    return Set(all.filter { $0.value.id == identity }.keys)
  }

  /// True where a device cannot be told by its readings from another one that this session has read, also
  /// if that is the user's no longer: its readings may wait here still.
  package func sharesIdentity(_ device: UUID) async -> Bool {
    guard let identity = await identity(of: device) else { return false }
    return await devices(identifiedAs: identity).count > 1
  }

  /// The beginning of the session user's ownership of a device; nil where all that it has is the user's.
  package func ownership(of device: UUID) async -> OwnershipStart? {
    let user = await user()
    return (try? await devices.known())?.first {
      $0.identifier == device && $0.isEnrolled(for: user)
    }?
    .ownership
  }

  /// Lets readings that are held back go to the server by a decision, and notes that they were taken: no
  /// other user gets them, see ``SantorioSession/releaseHeld(_:decidedBy:)``.
  package func releaseHeld(
    _ records: [HealthRecord], decidedBy decider: String
  ) async throws(SessionError) {
    guard let session else { return }
    try await session.releaseHeld(records, decidedBy: decider)
    let known = try await devices.identities()
    for (identity, records) in Dictionary(grouping: records, by: { $0.source.device?.id }) {
      guard let device = known.first(where: { $0.value.id == identity })?.key else { continue }
      try await devices.noteTaken(records.map(\.logID), of: device, for: await user().name)
    }
  }

  /// Takes readings of a device that were set aside as older than its enrolment, now that its memory is
  /// asked for.
  ///
  /// They are released, or wait for a decision where another user had the device, or may have one of its
  /// slots.
  ///
  /// - Returns: The readings that were released.
  package func takeOlder(of device: UUID) async throws(BluetoothError) -> [HealthRecord] {
    do throws(SessionError) {
      guard let session, let identity = try await devices.keptIdentity(of: device) else {
        return []
      }
      let older = try await session.olderRecords().filter { $0.source.device?.id == identity.id }
      guard !older.isEmpty else { return [] }
      let isShared = await sharesIdentity(device)
      let isAllOwn = await ownership(of: device) == nil && !settings.holdsEveryReading && !isShared
      let isOwn = try await userFilter(of: device)
      let own = older.filter { isAllOwn && isOwn($0) }
      let names = Set(own.map(\.logID))
      try await session.askAboutOlder(older.filter { !names.contains($0.logID) })
      try await session.releaseHeld(
        own.map(\.logID), inSession: try await session.currentNumber())
      try await devices.noteTaken(own.map(\.logID), of: device, for: await user().name)
      return own
    } catch {
      throw BluetoothError(storing: error)
    }
  }

  /// Releases readings of a device that are held back and certainly the session user's by now.
  ///
  /// - Returns: The readings.
  package func releaseOwn(of device: UUID) async throws(BluetoothError) -> [HealthRecord] {
    let held = try await undecidedRecords(of: device)
    guard let session, !held.isEmpty, !settings.holdsEveryReading else { return [] }
    guard await !sharesIdentity(device) else { return [] }
    do throws(SessionError) {
      let (start, isOwn) = (await ownership(of: device), try await userFilter(of: device))
      let tolerated = settings.clockPolicy.toleratedLead / .seconds(1)
      let own = held.filter {
        (start?.claim(on: $0.time, toleratedLead: tolerated) ?? .own) == .own && isOwn($0)
      }
      try await session.releaseHeld(
        own.map(\.logID), inSession: try await session.currentNumber())
      try await devices.noteTaken(own.map(\.logID), of: device, for: await user().name)
      return own
    } catch {
      throw BluetoothError(storing: error)
    }
  }

  /// Tells the readings of the session's user from those of others who use the device.
  private func userFilter(
    of device: UUID
  ) async throws(SessionError) -> @Sendable (HealthRecord) -> Bool {
    let users = try await devices.users(of: device)
    let slot = try await devices.known().first { $0.identifier == device }?
      .userSlot(of: await user())
    return { [settings] record in
      settings.takesEveryUser
        || users.isReading(record, ofUserIn: slot, isAtEnd: users.wasReadToEnd)
    }
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
