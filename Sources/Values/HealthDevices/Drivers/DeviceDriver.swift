// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// What to do with a device from the moment its attributes are known until it has given all that it
/// has.
///
/// A driver does nothing itself: it is told what happened and returns what to do, in order.
/// Requests (read, write, subscribe) may be asked for at once; they are carried out one after the
/// other, and each is answered by one event. The code that carries them out looks after the
/// connection, the bond and the overall time; a driver hears of neither.
package protocol DeviceDriver: Sendable {
  /// When ``DriverEvent/timeReached`` is due; nil when only the device is waited for.
  var deadline: Duration? { get }

  /// Whether nothing is missing if the device disconnects now; devices without an end marker end
  /// so.
  var isComplete: Bool { get }

  /// Takes an event and returns what to do.
  mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction]
}

extension DeviceDriver {
  package var isComplete: Bool { true }
}

/// What happened.
package enum DriverEvent: Hashable, Sendable {
  /// The device is connected and its attributes are known. The first event.
  case begun
  /// A value was read, or came by itself.
  case value(Attribute, [UInt8])
  /// A value could not be read.
  case readFailed(Attribute, RequestFailure)
  /// A write was accepted; for one without response, given to the radio.
  case written(Attribute)
  /// A write was refused.
  case writeFailed(Attribute, RequestFailure)
  /// Values will come by themselves from now on. Some may have come before.
  case subscribed(Attribute)
  /// A subscription was refused.
  case subscriptionFailed(Attribute, RequestFailure)
  /// All readings that were delivered so far are safe; the answer to
  /// ``DriverAction/confirmStorage``.
  case stored
  /// A deadline may have been reached.
  case timeReached
  /// The connection has ended. What was held back may be delivered; nothing else can be done any
  /// more.
  case ended
}

/// Why a device refused a request.
package struct RequestFailure: Hashable, Sendable {
  /// The ATT error code; nil when the request failed in another way.
  package let code: UInt8?
  /// What the system said.
  package let message: String

  package init(code: UInt8?, message: String = "") {
    self.code = code
    self.message = message
  }

  /// Whether the device says that it has no such value to read: an answer, not a fault.
  ///
  /// Invalid Handle, Read Not Permitted, Request Not Supported, and Attribute Not Found.
  package var meansAbsence: Bool { code.map { [0x01, 0x02, 0x06, 0x0A].contains($0) } ?? false }
}

/// What to do.
package enum DriverAction: Hashable, Sendable {
  case read(Attribute)
  /// Write in the way the characteristic allows; with a response where both are possible.
  case write(Attribute, [UInt8])
  /// Write without a response where the characteristic allows it.
  case writeWithoutResponse(Attribute, [UInt8])
  case subscribe(Attribute)
  case unsubscribe(Attribute)
  /// Note something about the device. Facts come before the readings that they belong to.
  case fact(DeviceInformation)
  /// A fact of who the device is could not be read, however often it was asked for.
  case unread(Attribute)
  /// The device waits for a measurement to be made: tell the user.
  case ready
  /// The device has accepted this receiver: a pairing has succeeded.
  case paired
  /// Take a measurement.
  case deliver(DeviceReading)
  /// Put all readings that were delivered on disk and answer with ``DriverEvent/stored``: before
  /// the device is told to forget them. If they cannot be stored the driver hears nothing more.
  case confirmStorage
  /// When all readings that were delivered so far are safe, remember how far a transfer has come.
  case advance(SyncCheckpoint)
  /// Keep bytes for this device that are not to be told: a password, a key.
  case keep(DeviceSecret, [UInt8])
  /// All is done; the connection may end. The last action.
  case finish
  /// It cannot go on. The last action.
  case fail(DriverFailure)
}

/// How far the transfer of a device's memory has come.
package struct SyncCheckpoint: Hashable, Sendable, Codable {
  /// Which memory, for devices that have several: the driver's own name for it.
  package let memory: String
  /// The number of the last measurement.
  package let sequenceNumber: Int
  /// Of the last measurement, so that a memory that was cleared is recognised; it tells nothing
  /// without the key.
  package let fingerprint: UInt64

  /// Makes a checkpoint.
  ///
  /// - Parameters:
  ///   - memory: Which memory.
  ///   - sequenceNumber: The number of the last measurement.
  ///   - payload: The part of its bytes that never changes.
  ///   - key: The key of this phone or gateway, see ``DriverContext/checkpointKey``.
  package init(
    memory: String = "", sequenceNumber: Int, payload: some Sequence<UInt8>, key: CheckpointKey
  ) {
    self.memory = memory
    self.sequenceNumber = sequenceNumber
    fingerprint = key.fingerprint(of: payload)
  }
}

/// Bytes that belong to one device and are not to be told.
package struct DeviceSecret: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// The application's own key, from the manufacturer: the same for all devices of a model, and
  /// never kept.
  package static let applicationKey = DeviceSecret(rawValue: "applicationKey")
  /// The key of one device, as its user has entered it.
  package static let encryptionKey = DeviceSecret(rawValue: "encryptionKey")
  /// The bind key of one device and its address, in 16 bytes and 6, as its user has entered them.
  package static let bindKey = DeviceSecret(rawValue: "bindKey")
  /// A password that the device gave out when it was paired.
  package static let password = DeviceSecret(rawValue: "password")
  /// User index and consent code of the User Data Service, in three bytes.
  ///
  /// The code's least significant byte comes first. Several users follow one another; the last one
  /// is who uses the application.
  package static let consent = DeviceSecret(rawValue: "consent")
}

/// Why a driver cannot go on.
package struct DriverFailure: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The device answered with an error, or not as its kind must.
    case communication
    /// The device refuses this receiver: it must be paired (anew).
    case notPaired
    /// A key or code is missing, or the device does not accept it.
    case notAuthorized
    /// The device did not answer in time.
    case timeout
    /// The device is busy with something else.
    case busy
  }

  package let kind: Kind
  /// What happened and what to do, in English; without bytes of the device.
  package let message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
