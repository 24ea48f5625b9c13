// SPDX-License-Identifier: Apache-2.0

package import Foundation
public import HealthDevices
import SantorioCore
import SantorioConcurrency

/// Reads devices by itself, for as long as it is on: whichever of some kinds appears is read, and its
/// readings go to the session's server without anybody being asked.
///
/// Say once what is to be read. It is remembered: at each launch, also one by the system in the
/// background, call ``restoreState()``, and it goes on. It ends with the session, since it was set for
/// that user, and needs a user of the server.
///
/// It shares the radio with the controllers of the same central. While one of them pairs or reads it
/// stands still, but for what is being read; after that it goes on. Devices that are known are waited
/// for by a pending connection, which the system makes also while the app is suspended; only what
/// cannot be found like that is scanned for.
///
/// A device that was read is left alone until it has not been heard for 15 seconds: most stay on for a
/// while, and would be read again. A second measurement made at once may so be read later, or only
/// with the next one. See the article <doc:PassiveReading>.
public final class BluetoothPassiveManager: Sendable {
  /// For whom it reads.
  public let receiver: BluetoothReceiver
  private let reader: PassiveReader
  private let streams = Locked<[UUID: AsyncStream<PassiveEvent>.Continuation]>([:])
  private let state = Locked(State())
  private let changes = OrderedWork()
  private let retry = Locked<Task<Void, Never>?>(nil)

  private struct State {
    var peripheralIDs: [Int] = []
  }

  /// Makes a manager; Bluetooth is not touched before something is set or restored.
  ///
  /// - Parameters:
  ///   - receiver: For whom devices are read. It needs a session.
  ///   - central: The central of the radio.
  public init(for receiver: BluetoothReceiver, on central: BluetoothCentral = .shared) {
    self.receiver = receiver
    let (streams, state) = (streams, state)
    let center = PostingCenter(receiver.notificationCenter)
    reader = PassiveReader(for: receiver, on: central) { event in
      if case .stateChanged(.noSession) = event { state.withLock { $0.peripheralIDs = [] } }
      let continuations = streams.withLock { Array($0.values) }
      for continuation in continuations { continuation.yield(event) }
      guard event.hasNotification else { return }
      // On the main queue: who observes is likely to show something.
      DispatchQueue.main.async { event.notification.map(center.post) }
    }
  }

  deinit {
    retry.withLock { $0 }?.cancel()
    for continuation in streams.withLock({ Array($0.values) }) { continuation.finish() }
    Task { [reader] in await reader.read(nil) }
  }

  /// The events from now on.
  ///
  /// Each access makes a new stream; nothing is dropped for a slow reader.
  public var events: AsyncStream<PassiveEvent> {
    AsyncStream { continuation in
      let id = UUID()
      streams.withLock { $0[id] = continuation }
      continuation.onTermination = { [streams] _ in
        _ = streams.withLock { $0.removeValue(forKey: id) }
      }
    }
  }

  // MARK: - What is read

  /// The numbers in the catalogue of what is read; empty when passive reading is off, and before it
  /// was restored.
  public var peripheralIDs: [Int] { state.withLock { $0.peripheralIDs } }

  /// Sets what is read, from now on and after each launch, until the session ends.
  ///
  /// - Parameters:
  ///   - ids: The numbers in the catalogue; nil or empty switches passive reading off. What is being
  ///     read then is still read to its end.
  ///   - devices: Which devices of these kinds.
  /// - Throws: ``BluetoothError``: of code `noUser` without a session, and for the default user;
  ///   `unsupportedDevice` for a number that the catalogue does not have or that cannot be read;
  ///   `notAuthorized` when the key or licence file of one is missing; `submissionFailure` when it
  ///   cannot be kept. Nothing is changed then.
  public func setPeripheralIDs(
    _ ids: [Int]?, devices: PassiveDevices = .any
  ) async throws(BluetoothError) {
    var peripherals: [DeviceModel] = []
    for id in ids ?? [] { peripherals.append(try receiver.passiveEntry(id)) }
    try await setPeripherals(peripherals, devices: devices)
  }

  /// Sets what is read, see ``setPeripheralIDs(_:devices:)``.
  ///
  /// - Parameters:
  ///   - peripherals: The entries of the catalogue; empty switches passive reading off.
  ///   - devices: Which devices of these kinds.
  /// - Throws: ``BluetoothError`` as ``setPeripheralIDs(_:devices:)``.
  public func setPeripherals(
    _ peripherals: [DeviceModel], devices: PassiveDevices = .any
  ) async throws(BluetoothError) {
    let setting = changes.add { [self] () -> Result<Void, BluetoothError> in
      retry.withLock { $0 }?.cancel()
      do throws(BluetoothError) {
        await read(try await receiver.keepPassive(peripherals, devices))
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try await setting.value.value()
  }

  /// Goes on with what was set in an earlier launch; to be called at each launch.
  ///
  /// On iOS call it before the app has finished launching: it makes the central, to which the system
  /// hands over the connections that it has kept, and for which it may have launched the app.
  ///
  /// - Returns: The task that looks up what was set; its value says whether passive reading is on. It
  ///   need not be awaited.
  @discardableResult
  public func restoreState() -> Task<Bool, Never> { restoreState(releasing: true) }

  /// The same; connections that were kept and that it does not want are ended if `releasing`.
  package func restoreState(releasing: Bool) -> Task<Bool, Never> {
    reader.openRadio()
    return changes.add { [self] in
      do throws(BluetoothError) {
        let set = try await receiver.keptPassive()
        await read(set)
        if releasing { reader.releaseRestored() }
        return set != nil
      } catch {
        reader.stop(for: .storage(error.message))
        restoreLater(releasing: releasing)
        return false
      }
    }
  }

  /// How long to wait after it could not be read what was set.
  private static let retryPause = Duration.seconds(30)

  /// Before the first unlock of a phone nothing can be read.
  private func restoreLater(releasing: Bool) {
    let clock = MonotonicClock(receiver.settings.clock)
    let task = Task { [weak self] in
      guard (try? await clock.sleep(clock.now() + Self.retryPause)) != nil else { return }
      _ = self?.restoreState(releasing: releasing)
    }
    retry.withLock { $0 = task }
  }

  /// Stops reading, and keeps what was set for the next ``restoreState()``.
  ///
  /// Nothing new is begun after it returns; what is being read is still read to its end.
  public func pause() async {
    let pausing = changes.add { [self] in
      retry.withLock { $0 }?.cancel()
      await read(nil)
    }
    await pausing.value
  }

  /// Ends the readings of devices that are not the session's user's any more, also of those that are
  /// connected.
  ///
  /// What was read of them until now stays.
  package func endReading(of devices: Set<UUID>) async { await reader.endReading(of: devices) }

  private func read(_ set: PassiveSet?) async {
    state.withLock { $0.peripheralIDs = set?.peripheralIDs ?? [] }
    await reader.read(set)
  }

  // MARK: - Status

  /// What is read now, what keeps it from being read, and when each device was read.
  ///
  /// - Returns: The status.
  public func status() async -> PassiveStatus {
    var status = await reader.status()
    if status.obstacle == .notSet {
      status.obstacle = await receiver.passiveObstacle() ?? .notSet
    }
    return status
  }
}
