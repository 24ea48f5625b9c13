// SPDX-License-Identifier: Apache-2.0

public import HealthRecords
public import HealthDevices

/// Hears of pairings and readings, on the main actor; for view controllers and the like.
///
/// All methods are optional. Code that runs elsewhere reads the controller's
/// ``BluetoothPeripheralController/events`` instead.
@MainActor public protocol BluetoothPeripheralControllerDelegate: AnyObject {
  /// The peripheral was paired, and the operation is over: the controller can begin the next one.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - peripheral: What was paired.
  ///   - metadata: Which device it is.
  func controller(
    _ controller: BluetoothPeripheralController, didPair peripheral: DeviceModel,
    metadata: PairingMetadata)

  /// The peripheral was not paired.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - peripheral: What was to be paired.
  ///   - error: Why it was not.
  func controller(
    _ controller: BluetoothPeripheralController, didNotPair peripheral: DeviceModel,
    error: BluetoothError)

  /// The peripheral has to be used now, or sends its measurements: time to show the reading
  /// instructions.
  ///
  /// Called once in a reading, see ``BluetoothEvent/readyToRead(_:)``.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - peripheral: What is being read.
  func controller(
    _ controller: BluetoothPeripheralController, isReadyToReadFrom peripheral: DeviceModel)

  /// The device sent something that is no reading, for instance a failed measurement.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - refused: What it sent, and why it is no reading.
  ///   - peripheral: What is being read.
  func controller(
    _ controller: BluetoothPeripheralController, didReject refused: RejectedReading,
    from peripheral: DeviceModel)

  /// Nobody knows whether a reading is this user's; it is on disk, held back until that is decided.
  ///
  /// See ``BluetoothEvent/undecided(_:)``.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - record: The reading; its source names the slot, where the device knows one.
  ///   - peripheral: What is being read.
  func controller(
    _ controller: BluetoothPeripheralController, didHold record: HealthRecord,
    from peripheral: DeviceModel)

  /// All readings are there; asks whether they are to be submitted now.
  ///
  /// They are on disk already, held back. Returning false leaves them there, declined: once the
  /// user has agreed hand them to `SantorioSession.submit`, or to `SantorioSession.discardHeld` if
  /// the user does not. Declined readings are not among a session's unsent records; when there are
  /// too many, the oldest leave with an event, see `SantorioSession.declineHeld`.
  /// Readings that were taken before an operation failed or was cancelled are asked for in the same
  /// way, and so are those of an earlier operation whose app was killed before it was asked: they
  /// come first.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - records: The readings, in the order of the device.
  ///   - peripheral: What was read.
  /// - Returns: Whether to submit them now; true unless implemented.
  func controller(
    _ controller: BluetoothPeripheralController, shouldSubmit records: [HealthRecord],
    from peripheral: DeviceModel
  ) -> Bool

  /// The reading is over and was successful.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - records: The readings; one at least.
  ///   - peripheral: What was read.
  func controller(
    _ controller: BluetoothPeripheralController, didRead records: [HealthRecord],
    from peripheral: DeviceModel)

  /// The reading is over; the device had nothing new, or nothing that is a reading of this user.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - peripheral: What was read.
  func controller(
    _ controller: BluetoothPeripheralController, foundNothingNewOn peripheral: DeviceModel)

  /// The operation was cancelled.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - peripheral: What was being read or paired.
  func controller(
    _ controller: BluetoothPeripheralController, didCancel peripheral: DeviceModel)

  /// The reading failed.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - peripheral: What was to be read.
  ///   - error: Why it failed.
  func controller(
    _ controller: BluetoothPeripheralController, readingFailedFor peripheral: DeviceModel,
    error: BluetoothError)
}

extension BluetoothPeripheralControllerDelegate {
  /// Does nothing.
  public func controller(
    _ controller: BluetoothPeripheralController, didPair peripheral: DeviceModel,
    metadata: PairingMetadata
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: BluetoothPeripheralController, didNotPair peripheral: DeviceModel,
    error: BluetoothError
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: BluetoothPeripheralController, isReadyToReadFrom peripheral: DeviceModel
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: BluetoothPeripheralController, didReject refused: RejectedReading,
    from peripheral: DeviceModel
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: BluetoothPeripheralController, didHold record: HealthRecord,
    from peripheral: DeviceModel
  ) {}

  /// Agrees.
  public func controller(
    _ controller: BluetoothPeripheralController, shouldSubmit records: [HealthRecord],
    from peripheral: DeviceModel
  ) -> Bool { true }

  /// Does nothing.
  public func controller(
    _ controller: BluetoothPeripheralController, didRead records: [HealthRecord],
    from peripheral: DeviceModel
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: BluetoothPeripheralController, foundNothingNewOn peripheral: DeviceModel
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: BluetoothPeripheralController, didCancel peripheral: DeviceModel
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: BluetoothPeripheralController, readingFailedFor peripheral: DeviceModel,
    error: BluetoothError
  ) {}
}
