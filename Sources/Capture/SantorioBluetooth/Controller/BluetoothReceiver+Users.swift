// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import HealthDevices
package import HealthRecords
import SantorioCore

/// What is known of the people who use a device.
public struct DeviceUserSlots: Hashable, Sendable {
  /// The number in readings of the user for whom the device is enrolled; nil while it was not said.
  public let own: Int?
  /// The numbers that the device has shown.
  public let shown: Set<Int>
  /// How many of its readings are held back since it is not known whose they are.
  public let heldCount: Int
}

/// A device that was paired for the session's user.
package struct EnrolledDevice: Hashable, Sendable {
  package let identifier: UUID
  /// Its entry in the catalogue; nil for one that the catalogue does not have any more.
  package let model: DeviceModel?
  package let users: DeviceUserSlots
  /// Whether it has sent a reading.
  package let wasRead: Bool

  /// Whether its readings say, or may say, whose they are.
  package var tellsUsersApart: Bool {
    !users.shown.isEmpty || !wasRead && model?.userNumbering != nil
  }
}

// Several people may use one device: which of them the session's user is.
extension BluetoothReceiver {
  /// Notes which of a device's users the session's user is.
  ///
  /// It is kept with the enrolment of the device, for all processes that read it, until the device
  /// is paired for another user. From then on the readings of the others stay on the device as far
  /// as it keeps them; what was held back of this user is released, and what waits for the server of
  /// another one is held back.
  ///
  /// - Parameters:
  ///   - slot: The user's number in readings (`SourceDevice.userSlot`), 0 at least: ask the user for
  ///     what the device shows, and translate it by `DeviceModel.userNumbering`. Nil forgets it.
  ///   - peripheralUUID: The device, as ``PairingMetadata/peripheralUUID`` named it.
  /// - Returns: How many readings were released that had been held back.
  /// - Throws: ``BluetoothError`` of code `notEnrolled` for a device that is not paired for the
  ///   session's user, `misconfigured` for a negative number, and `submissionFailure` when it cannot
  ///   be kept.
  @discardableResult
  public func setUserSlot(
    _ slot: Int?, of peripheralUUID: UUID
  ) async throws(BluetoothError) -> Int {
    guard slot.map({ $0 >= 0 }) ?? true else {
      throw BluetoothError(.misconfigured, "A device has no user of a negative number.")
    }
    let released: Int?
    do throws(SessionError) {
      released = try await keep(slot, of: peripheralUUID)
    } catch {
      throw BluetoothError(storing: error)
    }
    guard let released else { throw BluetoothError(.notEnrolled) }
    return released
  }

  /// Keeps a slot, and releases what it decides; nil for a device that is not enrolled.
  private func keep(_ slot: Int?, of device: UUID) async throws(SessionError) -> Int? {
    guard try await devices.setUserSlot(slot, of: device, for: await user()) else { return nil }
    guard let slot, let session else { return 0 }
    try await holdOthers(than: slot, of: device, in: session)
    // The slot decides, whether the device is being read or not.
    return try await settle(
      device, slot, among: try await session.undecidedRecords(),
      inSession: try await session.currentNumber()
    ) { _ in true }
  }

  /// Holds back what waits for the server and is of another user of the device: it was taken for the
  /// session user's before it was said, or said otherwise, which one that is.
  private func holdOthers(
    than slot: Int, of device: UUID, in session: SantorioSession
  ) async throws(SessionError) {
    guard let identity = try await devices.keptIdentity(of: device) else { return }
    let others = try await session.pendingRecords().filter { record in
      let source = record.source.device
      return source?.id == identity.id && source?.userSlot.map { $0 != slot } ?? false
    }
    guard !others.isEmpty else { return }
    let held = try await session.holdAgain(
      others.map(\.logID), inSession: try await session.currentNumber())
    try await devices.changeUsers(of: device) { users in
      for logID in held { users.hold(logID) }
    }
  }

  /// What is known of the people who use a device.
  ///
  /// - Parameter peripheralUUID: The device, as ``PairingMetadata/peripheralUUID`` named it.
  /// - Returns: What is known; nothing of a device that was never read.
  /// - Throws: ``BluetoothError`` of code `submissionFailure` when that cannot be read.
  public func userSlots(
    of peripheralUUID: UUID
  ) async throws(BluetoothError) -> DeviceUserSlots {
    do throws(SessionError) {
      let known = try await devices.known().first { $0.identifier == peripheralUUID }
      return try await userSlots(
        of: peripheralUUID, known, among: try await session?.undecidedRecords() ?? [])
    } catch {
      throw BluetoothError(storing: error)
    }
  }

  private func userSlots(
    of device: UUID, _ known: KnownPeripheral?, among records: [HealthRecord]
  ) async throws(SessionError) -> DeviceUserSlots {
    let users = try await devices.users(of: device)
    return DeviceUserSlots(
      own: known?.userSlot(of: await user()), shown: users.slots,
      heldCount: records.filter { users.undecided.contains($0.logID) }.count)
  }

  /// The devices that were paired for the session's user, the one used last first.
  ///
  /// - Throws: ``BluetoothError`` of code `submissionFailure` when they cannot be read.
  package func enrolments() async throws(BluetoothError) -> [EnrolledDevice] {
    do throws(SessionError) {
      let records = try await session?.undecidedRecords() ?? []
      var all: [EnrolledDevice] = []
      for known in try await devices.known().enrolled(for: await user()) {
        all.append(
          EnrolledDevice(
            identifier: known.identifier, model: settings.catalogue.entry(id: known.peripheral),
            users: try await userSlots(of: known.identifier, known, among: records),
            wasRead: try await devices.state(of: known.identifier).isIdentified))
      }
      return all
    } catch {
      throw BluetoothError(storing: error)
    }
  }

  /// The readings of a device that are held back and were never declined.
  ///
  /// - Throws: ``BluetoothError`` of code `submissionFailure` when they cannot be read.
  package func undecidedRecords(of device: UUID) async throws(BluetoothError) -> [HealthRecord] {
    do throws(SessionError) {
      guard let identity = try await devices.keptIdentity(of: device) else { return [] }
      return try await session?.undecidedRecords().filter {
        $0.source.device?.id == identity.id
      } ?? []
    } catch {
      throw BluetoothError(storing: error)
    }
  }
}
