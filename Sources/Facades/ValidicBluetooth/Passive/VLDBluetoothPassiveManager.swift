// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore
import ValidicCore

extension NSNotification.Name {
  /// A device was read passively; the object is an array of `VLDRecord`s, and `userInfo` has
  /// `peripheralID`, a `UInt`.
  public static let vldBluetoothPassiveDidRead = NSNotification.Name(
    "kVLDBluetoothPassiveDidReadNotification")
  /// A device that appeared could not be read; the object is an `NSError`.
  public static let vldBluetoothPassiveDidFail = NSNotification.Name(
    "kVLDBluetoothPassiveDidFailNotification")
  /// A device is ready to take a measurement: tell the user, for instance with a local notification.
  public static let vldBluetoothPassiveIsReadyToRead = NSNotification.Name(
    "kVLDBluetoothPassiveIsReadyToReadNotification")
}

/// Reads whatever of a set of peripherals appears, by itself, and submits what it reads.
///
/// It needs the session of a user of the server, and ends with it. All methods may be called on any
/// thread.
#if canImport(ObjectiveC)
  @objc(VLDBluetoothPassiveManager) @objcMembers
#endif
public final class VLDBluetoothPassiveManager: NSObject, Sendable {
  private let shared: SharedBluetooth
  private let manager: BluetoothPassiveManager
  private let changes = OrderedWork()
  private let wanted = Locked(Wanted())
  private let events: Task<Void, Never>

  /// What was set and is not yet in force.
  private struct Wanted {
    var ids: [Int]?
    var changes = 0
  }

  private static let instance = Locked<VLDBluetoothPassiveManager?>(nil)

  /// The manager of the app's session.
  ///
  /// - Returns: The manager.
  public static func sharedInstance() -> VLDBluetoothPassiveManager {
    let shared = SharedBluetooth.current
    return instance.withLock { instance in
      if let instance, instance.shared === shared { return instance }
      let new = VLDBluetoothPassiveManager(shared)
      instance = new
      return new
    }
  }

  /// Ends what was read passively, as the end of the process does; what was set is kept.
  package static func forgetInstance() async {
    let manager = instance.withLock { instance in
      defer { instance = nil }
      return instance
    }
    await manager?.manager.pause()
    SharedBluetooth.forget()
  }

  private init(_ shared: SharedBluetooth) {
    self.shared = shared
    manager = BluetoothPassiveManager(for: shared.receiver, on: shared.central)
    events = PassiveNotifications.post(manager.events)
    super.init()
  }

  deinit { events.cancel() }

  /// The numbers of the peripherals that are read; nil or empty switches passive reading off.
  ///
  /// What is set is remembered until the session ends. A peripheral that cannot be read is left out,
  /// with a warning in the log; if none is left, passive reading is off. Without a user of the server
  /// a warning is logged, and what was set before stays.
  public var peripheralIDs: [NSNumber]? {
    get { ids.map { NSNumber(value: $0) } }
    set { setIDs((newValue ?? []).map(\.intValue)) }
  }

  /// Sets the peripherals that are read, see ``peripheralIDs``.
  ///
  /// - Parameter peripherals: The peripherals; nil or empty switches passive reading off.
  public func setPeripherals(_ peripherals: [VLDBluetoothPeripheral]?) {
    setIDs((peripherals ?? []).compactMap { Int(exactly: $0.peripheralID) })
  }

  /// Goes on with what was set in an earlier launch: call it in
  /// `application(_:didFinishLaunchingWithOptions:)`.
  public func restoreState() { manager.restoreState() }

  private var ids: [Int] {
    if let ids = wanted.withLock(\.ids) { return ids }
    let current = manager.peripheralIDs
    guard current.isEmpty else { return current }
    // Before it was restored.
    do throws(SessionError) {
      return try shared.receiver.keptPassiveIDsAndWait()
    } catch {
      FacadeLog.warn(.bluetooth, "it cannot be read now what is read passively")
      return []
    }
  }

  private func setIDs(_ ids: [Int]) {
    let ids = ids.filter(isReadable)
    // In one step, so that the order of two threads is the same in both.
    wanted.withLock { state in
      state.ids = ids
      state.changes += 1
      _ = changes.add { [manager, wanted] in
        do throws(BluetoothError) {
          try await manager.setPeripheralIDs(ids)
        } catch {
          Self.warn(error)
        }
        wanted.withLock { wanted in
          wanted.changes -= 1
          if wanted.changes == 0 { wanted.ids = nil }
        }
      }
    }
  }

  private func isReadable(_ id: Int) -> Bool {
    do throws(BluetoothError) {
      try shared.receiver.checkPassive(shared.receiver.passiveEntry(id))
      return true
    } catch {
      switch error.code {
      case .notAuthorized:
        FacadeLog.warn(.bluetooth, "a peripheral is not read passively: its key file is missing")
      default:
        FacadeLog.warn(.bluetooth, "a peripheral is not read passively: it cannot be read")
      }
      return false
    }
  }

  private static func warn(_ error: BluetoothError) {
    switch error.code {
    case .noUser:
      FacadeLog.warn(.bluetooth, "passive reading was not set: it needs a user of the server")
    default: FacadeLog.warn(.bluetooth, "passive reading was not set: it cannot be stored")
    }
  }
}

/// Posts what is read passively as notifications, on the main thread.
private enum PassiveNotifications {
  static func post(_ events: AsyncStream<PassiveEvent>) -> Task<Void, Never> {
    Task { @MainActor in
      for await event in events {
        guard let (name, object, id) = content(of: event) else { continue }
        NotificationCenter.default.post(
          name: name, object: object, userInfo: ["peripheralID": UInt(clamping: id)])
      }
    }
  }

  private static func content(of event: PassiveEvent) -> (NSNotification.Name, Any?, Int)? {
    switch event {
    case .read(let records, let model, _):
      let readings = records.filter(\.kind.isReading).map(VLDRecord.record)
      return readings.isEmpty ? nil : (.vldBluetoothPassiveDidRead, readings, model.id)
    case .failed(let error, let model, _):
      return (.vldBluetoothPassiveDidFail, NSError(error), model.id)
    case .readyToRead(let model, _): return (.vldBluetoothPassiveIsReadyToRead, nil, model.id)
    case .undecided, .rejected, .stateChanged: return nil
    }
  }
}
