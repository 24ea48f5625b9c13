// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SantorioConcurrency
public import SantorioCore

/// For whom devices are paired and read: a session, and what is kept about its devices.
///
/// Readings are put on disk the moment they are decoded, since many a device forgets a measurement
/// once it was sent. Without a session they are only handed out, and what is known of devices is
/// kept as long as the receiver lives.
public final class BluetoothReceiver: Sendable {
  package let session: SantorioSession?
  let settings: BluetoothSettings
  let devices: DeviceStore
  let secrets: DeviceSecrets
  let held = HeldReadings()
  /// What is called with a device whose secret has changed, by what wants to hear of it.
  let secretWatches = Locked<[UUID: @Sendable (UUID) -> Void]>([:])

  /// Makes a receiver.
  ///
  /// - Parameters:
  ///   - session: Where readings are submitted; nil when the app only wants to see them.
  ///   - settings: Clocks, time zone and catalogue.
  public init(session: SantorioSession? = nil, settings: BluetoothSettings = BluetoothSettings()) {
    self.session = session
    self.settings = settings
    devices = DeviceStore(session: session)
    secrets = DeviceSecrets(credentials: settings.credentials ?? session?.credentials)
  }

  // MARK: - Known devices

  /// What is known of the bond with a device.
  ///
  /// - Parameter peripheralUUID: The device, as ``PairingMetadata/peripheralUUID`` named it.
  /// - Returns: ``BondState/none`` for a device that was never used.
  /// - Throws: ``BluetoothError`` of code `submissionFailure` when that cannot be read.
  public func bond(with peripheralUUID: UUID) async throws(BluetoothError) -> BondState {
    try await known().first { $0.identifier == peripheralUUID }?.bond ?? .none
  }

  /// What is known of the bonds with all devices that were used.
  ///
  /// - Returns: The bonds by the devices, as ``PairingMetadata/peripheralUUID`` named them.
  /// - Throws: ``BluetoothError`` of code `submissionFailure` when that cannot be read.
  package func bonds() async throws(BluetoothError) -> [UUID: BondState] {
    Dictionary(try await known().map { ($0.identifier, $0.bond) }) { first, _ in first }
  }

  /// How far the clock of a device was off when it was read last.
  ///
  /// - Parameter peripheralUUID: The device, as ``PairingMetadata/peripheralUUID`` named it.
  /// - Returns: Nil for a device whose clock was never read.
  /// - Throws: ``BluetoothError`` of code `submissionFailure` when that cannot be read.
  public func clock(of peripheralUUID: UUID) async throws(BluetoothError) -> MeasuredClock? {
    do throws(SessionError) {
      return try await devices.clock(of: peripheralUUID)
    } catch {
      throw BluetoothError(storing: error)
    }
  }

  /// The devices that were paired for the session's user, as ``PairingMetadata/peripheralUUID``
  /// named them; the one used last first.
  ///
  /// One that was paired for the default user becomes the first user's who reads it. Who reads in
  /// the background, for a user who is not asked, names these: a reading that names no device takes
  /// whichever answers, a stranger's too.
  ///
  /// - Returns: The devices.
  /// - Throws: ``BluetoothError`` of code `submissionFailure` when they cannot be read.
  public func enrolledDevices() async throws(BluetoothError) -> [UUID] {
    try await known().enrolled(for: await user()).map(\.identifier)
  }

  /// The devices that were paired for other users of the same folder, and are not read for this one
  /// until they are paired again.
  package func devicesOfOthers() async throws(BluetoothError) -> [UUID] {
    try await known().enrolledForOthers(than: await user()).map(\.identifier)
  }

  private func known() async throws(BluetoothError) -> [KnownPeripheral] {
    do throws(SessionError) {
      return try await devices.known()
    } catch {
      throw BluetoothError(storing: error)
    }
  }

  /// Whose devices are paired now.
  func user() async -> DeviceOwner {
    DeviceOwner(try? await session?.storedUser())
  }

  // MARK: - Secrets

  /// Stores something that belongs to one device in the credential store, in place of what was
  /// there.
  ///
  /// It is never logged and never leaves this phone or gateway. A device that could not be read
  /// passively for its key is tried again at once. Without a session, and without
  /// ``BluetoothSettings/credentials``, it is kept as long as the receiver lives.
  ///
  /// - Parameters:
  ///   - text: What to store: 32 hexadecimal digits for ``PeripheralDataKey/encryptionKey``, 44 for
  ///     ``PeripheralDataKey/bindKey``. Blanks, colons and hyphens do not count.
  ///   - key: What it is.
  ///   - peripheralUUID: The device, as ``PairingMetadata/peripheralUUID`` named it.
  /// - Throws: ``BluetoothError`` of code `notAuthorized` for a text that cannot be a key, and
  ///   `submissionFailure` when the store refuses it.
  public func setSecret(
    _ text: String, _ key: PeripheralDataKey, for peripheralUUID: UUID
  ) throws(BluetoothError) {
    try keep(key.bytes(of: text), as: key, of: peripheralUUID)
  }

  /// Whether something is stored for a device, right or wrong: only a reading shows that.
  ///
  /// - Parameters:
  ///   - key: What it is.
  ///   - peripheralUUID: The device.
  /// - Returns: Whether there is something.
  /// - Throws: ``BluetoothError`` of code `submissionFailure` when the store refuses.
  public func hasSecret(
    _ key: PeripheralDataKey, for peripheralUUID: UUID
  ) throws(BluetoothError) -> Bool {
    do throws(SessionError) {
      return try secrets.has(key.secret, of: peripheralUUID)
    } catch {
      throw BluetoothError(storing: error)
    }
  }

  /// Removes what was stored for a device; does nothing when there is nothing.
  ///
  /// - Parameters:
  ///   - key: What it is.
  ///   - peripheralUUID: The device.
  /// - Throws: ``BluetoothError`` of code `submissionFailure` when the store refuses.
  public func removeSecret(
    _ key: PeripheralDataKey, for peripheralUUID: UUID
  ) throws(BluetoothError) {
    try keep(nil, as: key, of: peripheralUUID)
  }

  private func keep(
    _ bytes: [UInt8]?, as key: PeripheralDataKey, of device: UUID
  ) throws(BluetoothError) {
    do throws(SessionError) {
      try secrets.keep(bytes, as: key.secret, of: device)
    } catch {
      throw BluetoothError(storing: error)
    }
    for watch in secretWatches.withLock({ Array($0.values) }) { watch(device) }
  }
}
