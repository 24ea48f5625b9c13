// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthDevices
public import HealthRecords

/// What happens while devices are read passively.
///
/// Each is also posted as a notification, see ``BluetoothPassiveManager/didReadNotification`` and its
/// neighbours. What becomes of the records on their way to the server, the session tells.
///
/// Cases are added over time, in minor versions too: give each `switch` a `default`.
public enum PassiveEvent: Hashable, Sendable {
  /// A device was found before its measurement, and waits for its user to take one.
  ///
  /// Only of devices that can be found before: time for a local notification with a sound, since the
  /// app may be in the background.
  case readyToRead(DeviceModel, identifier: UUID)
  /// Readings were taken, which are on disk and wait for the server.
  ///
  /// What a device has sent again is not reported again.
  case read([HealthRecord], DeviceModel, identifier: UUID)
  /// A device that appeared could not be read; it is tried again later.
  ///
  /// What was read before the failure was reported as read.
  case failed(BluetoothError, DeviceModel, identifier: UUID)
  /// A reading of which nobody knows whether it is this user's; it is on disk and held back, see
  /// ``BluetoothEvent/undecided(_:)``.
  case undecided(HealthRecord, DeviceModel, identifier: UUID)
  /// A device sent something that is no reading.
  case rejected(RejectedReading, DeviceModel, identifier: UUID)
  /// Passive reading stands still for a reason, or goes on when that is nil.
  case stateChanged(PassiveStatus.Obstacle?)
}

extension BluetoothPassiveManager {
  /// Posted for ``PassiveEvent/read(_:_:identifier:)``; the object is the array of records.
  public static let didReadNotification = Notification.Name("org.santorio.passiveDidRead")
  /// Posted for ``PassiveEvent/failed(_:_:identifier:)``; the object is the ``BluetoothError``.
  public static let didFailNotification = Notification.Name("org.santorio.passiveDidFail")
  /// Posted for ``PassiveEvent/readyToRead(_:identifier:)``; there is no object.
  public static let isReadyToReadNotification = Notification.Name(
    "org.santorio.passiveIsReadyToRead")
  /// The key in a notification's `userInfo` of the number in the catalogue, an `Int`.
  public static let peripheralIDKey = "peripheralID"
  /// The key in a notification's `userInfo` of the system's identifier of the device, a `UUID`.
  public static let peripheralUUIDKey = "peripheralUUID"
}

extension PassiveEvent {
  private static let userInfoKey = "event"

  /// The event that a notification of passive reading carries.
  ///
  /// - Parameter notification: The notification.
  public init?(_ notification: Notification) {
    guard let event = notification.userInfo?[Self.userInfoKey] as? PassiveEvent else { return nil }
    self = event
  }

  /// Whether there is a notification for it.
  var hasNotification: Bool {
    switch self {
    case .read, .failed, .readyToRead: true
    case .undecided, .rejected, .stateChanged: false
    }
  }

  /// The notification; nil for an event that has none.
  var notification: Notification? {
    switch self {
    case .read(let records, let model, let identifier):
      notification(BluetoothPassiveManager.didReadNotification, records, model, identifier)
    case .failed(let error, let model, let identifier):
      notification(BluetoothPassiveManager.didFailNotification, error, model, identifier)
    case .readyToRead(let model, let identifier):
      notification(BluetoothPassiveManager.isReadyToReadNotification, nil, model, identifier)
    case .undecided, .rejected, .stateChanged: nil
    }
  }

  private func notification(
    _ name: Notification.Name, _ object: Any?, _ model: DeviceModel, _ identifier: UUID
  ) -> Notification {
    Notification(
      name: name, object: object,
      userInfo: [
        BluetoothPassiveManager.peripheralIDKey: model.id,
        BluetoothPassiveManager.peripheralUUIDKey: identifier, Self.userInfoKey: self,
      ])
  }
}
