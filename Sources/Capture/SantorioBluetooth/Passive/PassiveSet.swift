// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
package import SantorioCore

/// Which devices are read passively of the kinds that are set.
public enum PassiveDevices: String, Hashable, Sendable, Codable {
  /// Whichever appears, also one that was never used before, and one of a stranger's.
  ///
  /// As Validic's documentation has it. A kind that needs pairing is read once it was paired; devices
  /// that were paired for other users of the session's folder are left alone.
  case any
  /// Those that were paired for the session's user, see ``BluetoothReceiver/enrolledDevices()``.
  case enrolled
}

/// What is read passively, as it is kept from one launch to the next.
struct PassiveSet: Hashable, Sendable, Codable {
  /// For which session it was set; it is over with it.
  let session: Int64
  /// The numbers in the catalogue.
  let peripheralIDs: [Int]
  let devices: PassiveDevices
}

/// What is to be read now, as far as it is known.
struct PassiveTargets: Sendable {
  var wanted: PassiveReading.Wanted
  /// How many records wait for the server.
  let pending: Int
  /// When devices were read passively the last time.
  let reads: [UUID: Date]
}

/// Why it is not known what is to be read.
struct PassiveObstacleError: Error {
  let obstacle: PassiveStatus.Obstacle
}

extension BluetoothReceiver {
  /// Where events of passive reading are posted, beside those of the session.
  var notificationCenter: NotificationCenter {
    session?.notificationCenter ?? settings.notificationCenter
  }

  /// Keeps what is read passively; nil forgets it.
  ///
  /// - Throws: ``BluetoothError`` of code `noUser` without a user's session, `unsupportedDevice` and
  ///   `notAuthorized` for an entry that cannot be read, `submissionFailure` when it cannot be kept.
  func keepPassive(
    _ peripherals: [DeviceModel], _ choice: PassiveDevices
  ) async throws(BluetoothError) -> PassiveSet? {
    guard !peripherals.isEmpty else {
      try await keep(nil)
      return nil
    }
    for peripheral in peripherals { try checkPassive(peripheral) }
    guard let session = try await passiveSession() else {
      throw BluetoothError(
        .noUser,
        "Passive reading needs the session of a user of the server, since nobody is asked whose the "
          + "readings are. Start one, then set the peripherals again.")
    }
    let set = PassiveSet(
      session: session, peripheralIDs: peripherals.map(\.id).uniqued, devices: choice)
    try await keep(set)
    return set
  }

  /// The entry of a number.
  ///
  /// - Throws: ``BluetoothError`` of code `unsupportedDevice` when the catalogue has none.
  package func passiveEntry(_ id: Int) throws(BluetoothError) -> DeviceModel {
    guard let entry = settings.catalogue.entry(id: id) else {
      throw BluetoothError(
        .unsupportedDevice,
        "The catalogue has no entry \(id). Add it to BluetoothSettings.catalogue with register(_:)."
      )
    }
    return entry
  }

  /// Checks whether devices of an entry can be read passively.
  ///
  /// - Throws: ``BluetoothError`` of code `unsupportedDevice` when they cannot be read, and
  ///   `notAuthorized` when the app's key is missing.
  package func checkPassive(_ peripheral: DeviceModel) throws(BluetoothError) {
    _ = try settings.keys(for: settings.readable(peripheral))
  }

  /// What is kept, if it was set for the session that is current.
  ///
  /// - Throws: ``BluetoothError`` of code `submissionFailure` when that cannot be read.
  func keptPassive() async throws(BluetoothError) -> PassiveSet? {
    do throws(SessionError) {
      guard let set = try await devices.passiveSet() else { return nil }
      return try await session?.currentNumber() == set.session ? set : nil
    } catch {
      throw BluetoothError(storing: error)
    }
  }

  /// The numbers of what is kept, if it was set for the session that is current, for a caller that
  /// cannot await.
  ///
  /// - Throws: ``SessionError`` when that cannot be read.
  package func keptPassiveIDsAndWait() throws(SessionError) -> [Int] {
    guard let set = try devices.passiveSetAndWait(),
      try session?.currentNumberAndWait() == set.session
    else { return [] }
    return set.peripheralIDs
  }

  private func keep(_ set: PassiveSet?) async throws(BluetoothError) {
    do throws(SessionError) {
      try await devices.keep(set)
    } catch {
      throw BluetoothError(storing: error)
    }
  }

  /// The session whose user devices are read for; nil without one, and for the default user.
  private func passiveSession() async throws(BluetoothError) -> Int64? {
    guard let session else { return nil }
    do throws(SessionError) {
      guard let number = try await session.currentNumber() else { return nil }
      let user = DeviceOwner(try await session.storedUser())
      if user == .unclaimed {
        SantorioLogging.shared.log(.bluetooth, "passive reading refused for the default user")
        return nil
      }
      return number
    } catch {
      throw BluetoothError(storing: error)
    }
  }

  /// Why nothing could be set now; nil when something could.
  func passiveObstacle() async -> PassiveStatus.Obstacle? {
    do throws(SessionError) {
      guard let user = try await session?.storedUser() else { return .noSession }
      return DeviceOwner(user) == .unclaimed ? .defaultUser : nil
    } catch {
      return .storage(error.description)
    }
  }

  /// What is to be read of a set now.
  func passiveTargets(
    of set: PassiveSet?
  ) async -> Result<PassiveTargets, PassiveObstacleError> {
    guard let set else { return .failure(.init(obstacle: .notSet)) }
    do throws(SessionError) {
      guard let session, try await session.currentNumber() == set.session,
        let user = try await session.storedUser()
      else { return .failure(.init(obstacle: .noSession)) }
      let models = set.peripheralIDs.compactMap { settings.catalogue.entry(id: $0) }
      let known = try await devices.known().passiveTargets(
        of: models, for: .init(user), set.devices)
      return .success(
        PassiveTargets(
          wanted: .init(models: models, known: known, takesUnknown: set.devices == .any),
          pending: try await session.pendingCount(),
          reads: try await devices.passiveReads()))
    } catch {
      return .failure(.init(obstacle: .storage(error.description)))
    }
  }
}

extension [KnownPeripheral] {
  /// Those of some models that are read passively for a user.
  fileprivate func passiveTargets(
    of models: [DeviceModel], for user: DeviceOwner, _ choice: PassiveDevices
  ) -> [PassiveReading.Target] {
    let models = Dictionary(models.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    return compactMap { known in
      let isOwn = known.isEnrolled(for: user) || choice == .any && known.enrolment == nil
      guard isOwn, let model = models[known.peripheral] else { return nil }
      return PassiveReading.Target(id: known.identifier, model: model, bond: known.bond)
    }
  }
}
