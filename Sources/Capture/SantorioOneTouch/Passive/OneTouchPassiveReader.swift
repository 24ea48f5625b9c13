// SPDX-License-Identifier: Apache-2.0

public import SantorioCore

/// Reads the meters of LifeScan's kit by itself, for as long as it is on.
///
/// It does what Validic's documentation shows for passive reading: it connects each paired meter, reads
/// it when it is connected, and connects it again when it has lost the connection. The app forwards the
/// two calls of the kit's listener to ``onDeviceConnected(device:)`` and
/// ``onDeviceDisconnected(device:)``.
///
/// Readings are stored together with the kit's anchor, in one transaction: neither a crash nor an app
/// that is ended loses a reading or stores one twice. The anchor is that of the session's user. A meter
/// is the user's for whom it is read first, and is left alone in sessions of others, see
/// ``assign(_:beginning:)``.
///
/// Say once that meters are to be read, with ``setPassiveReading(_:)``. It is remembered until the
/// session ends: at each launch call ``restoreState()``.
public final class OneTouchPassiveReader<Manager: OneTouchKitManager>: OneTouchKitListener, Sendable
{
  /// Where the readings go.
  public var session: SantorioSession { loop.session }
  private let loop: PassiveLoop
  private let kit: Kit

  /// The manager may be used on any thread for what is done here: it is handed on, not called.
  private struct Kit: @unchecked Sendable {
    let manager: Manager
  }

  /// Makes a reader; the kit is not touched before passive reading is switched on or restored.
  ///
  /// - Parameters:
  ///   - session: Where the readings go.
  ///   - manager: The kit's manager.
  ///   - settings: How meters are read.
  public init(
    session: SantorioSession, manager: Manager, settings: OneTouchSettings = OneTouchSettings()
  ) {
    kit = Kit(manager: manager)
    loop = PassiveLoop(session: session, kit: KitCalls(manager), settings: settings)
  }

  deinit { loop.finish() }

  /// The events from now on.
  ///
  /// Each access makes a new stream; nothing is dropped for a slow reader.
  public var events: AsyncStream<OneTouchEvent> { loop.events.stream }

  /// Whether meters are read.
  public var isOn: Bool { loop.isOn }

  // MARK: - On and off

  /// Switches passive reading on or off, from now on and after each launch, until the session ends.
  ///
  /// All paired meters that are nobody's become those of the session's user. What is being read when
  /// it is switched off is still stored.
  ///
  /// - Parameter isOn: Whether meters are read.
  /// - Throws: ``OneTouchError``, and nothing is changed then: of code `noUser` without a session and
  ///   for the default user, `submissionFailure` when it cannot be kept.
  public func setPassiveReading(_ isOn: Bool) async throws(OneTouchError) {
    try await loop.set(isOn)
  }

  /// Goes on with what was set in an earlier launch; to be called at each launch.
  ///
  /// - Returns: The task that looks it up; its value says whether meters are read. It need not be
  ///   awaited.
  @discardableResult public func restoreState() -> Task<Bool, Never> { loop.restore() }

  /// Connects meters that were paired since passive reading was switched on, and reads those that are
  /// connected; to be called after a pairing, and when the app comes to the foreground.
  ///
  /// Without effect while passive reading is off.
  public func connectPairedDevices() async { await loop.connectAll() }

  /// Why nothing is read now; nil when meters are waited for.
  ///
  /// - Returns: The reason.
  public func obstacle() async -> OneTouchObstacle? { await loop.obstacle() }

  /// Gives a meter to the session's user, also one that was another user's.
  ///
  /// Ask the app's user first: the readings in the meter become this user's.
  ///
  /// - Parameters:
  ///   - device: The meter.
  ///   - beginning: From where on it is read.
  /// - Throws: ``OneTouchError``, and nothing is changed then: of code `noUser` without a session and
  ///   for the default user, `noSerialNumber`, and `submissionFailure` when it cannot be kept.
  public func assign(
    _ device: Manager.Device, beginning: OneTouchBeginning = .afterEarlierReadings
  ) async throws(OneTouchError) {
    try await loop.assign(KitMeter(device, of: kit.manager), beginning)
  }

  // MARK: - The kit's listener

  /// Reads a meter, if passive reading is on and it is paired; to be called by the kit's listener, on
  /// any thread.
  ///
  /// A meter that is connected before is read when passive reading is switched on or restored.
  ///
  /// - Parameter device: The meter that is connected.
  public func onDeviceConnected(device: Manager.Device) {
    loop.connected(KitMeter(device, of: kit.manager))
  }

  /// Connects a meter again, if passive reading is on; to be called by the kit's listener, on any
  /// thread.
  ///
  /// - Parameter device: The meter that has lost its connection.
  public func onDeviceDisconnected(device: Manager.Device) {
    loop.disconnected(KitMeter(device, of: kit.manager))
  }
}
