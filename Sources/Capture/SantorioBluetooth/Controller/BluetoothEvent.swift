// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords
public import HealthDevices

/// What happens during a pairing or a reading, in the order in which it happens.
///
/// Cases are added over time, in minor versions too: give each `switch` a `default`.
public enum BluetoothEvent: Hashable, Sendable {
  /// A device was found and is being connected, or has answered; the identifier is the system's.
  ///
  /// Sent again when another device answers before the first.
  case found(DeviceModel, identifier: UUID)
  /// A device is not connected yet, because something else has to end first.
  case waiting(DeviceModel, identifier: UUID, ConnectionObstacle)
  /// The device has to be used now, or sends its measurements: time to show the reading
  /// instructions.
  ///
  /// Sent once in a reading, before the first reading is. Of a device that is used before it
  /// connects, when the search begins, if the operation looks for no other model; of another one
  /// when it is connected and waits for a measurement, or has begun to send.
  case readyToRead(DeviceModel)
  /// A reading; one that was held back is reported once it is known to be this user's.
  ///
  /// Where there is a session it has been stored on disk, or else the operation fails
  /// with ``BluetoothError/Code/submissionFailure`` or ``BluetoothError/Code/noUser``.
  case reading(HealthRecord)
  /// A reading of which nobody knows whether it is this user's.
  ///
  /// The device does not know whose it is, or has several users and it was not said which of them
  /// this user is, see ``BluetoothReceiver/setUserSlot(_:of:)``. It is on disk and held back:
  /// `SantorioSession.heldRecords()` has it, `releaseHeld` and `declineHeld` decide. What was declined
  /// is not reported again.
  /// One that was reported as a reading before is reported again when the device turns out to have
  /// several users.
  case undecided(HealthRecord)
  /// A reading from before the device was this user's, which was paired without its memory.
  ///
  /// It is on disk and not sent: `SantorioSession.olderRecords()` has it, `releaseHeld` takes it.
  case older(HealthRecord)
  /// The device sent something that is no reading.
  case rejected(RejectedReading)
  /// The device is paired.
  case paired(PairingMetadata)
  /// The operation is over; no event of it follows.
  case ended(BluetoothOutcome)
}

/// Why a device is not connected yet, although it is wanted.
///
/// Cases are added over time, in minor versions too: give each `switch` a `default`.
public enum ConnectionObstacle: Hashable, Sendable {
  /// Another operation has the device.
  case otherOperation
  /// The radio has as many connections as it can have.
  case linkSlot
}

/// How a pairing or a reading ended.
///
/// Cases are added over time, in minor versions too: give each `switch` a `default`.
public enum BluetoothOutcome: Hashable, Sendable {
  /// As wanted; with the readings that were taken, one at least if it was a reading.
  case finished([HealthRecord])
  /// The device was read and had nothing new, or nothing that is known to be a reading of this user;
  /// what was rejected, and what is held back, was reported before.
  case nothingNew
  /// By a call of `cancel`; with the readings that were taken before.
  case cancelled([HealthRecord])
  /// By an error; with the readings that were taken before.
  case failed(BluetoothError, [HealthRecord])
}

/// What is known of a device that has been paired.
public struct PairingMetadata: Hashable, Sendable {
  /// The entry of the catalogue.
  public let peripheral: DeviceModel
  /// The system's identifier of this one device, stable on this phone or gateway.
  ///
  /// Keep it to read this device alone later, see
  /// ``BluetoothPeripheralController/startReading(from:only:userSlot:)``. It may change when the
  /// device is reset or its bond is removed.
  public let peripheralUUID: UUID
  /// What is known of the bond now.
  public let bond: BondState
}
