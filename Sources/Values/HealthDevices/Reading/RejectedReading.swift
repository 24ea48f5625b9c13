// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// A frame that a device sent as a measurement and that is none.
///
/// It is reported, and stored as a record of the kind `RecordKind.rejected`: never as a reading, but
/// with its time, its device and its bytes. Only ``Reason/noSignal`` and ``Reason/otherUser`` leave
/// nothing.
public struct RejectedReading:
  Error, Hashable, Sendable, CustomStringConvertible, CustomReflectable
{
  /// Why it is not a reading.
  ///
  /// Reasons are added over time.
  public struct Reason: RawRepresentable, Hashable, Sendable {
    /// The name of the reason, for instance `noSignal`.
    public let rawValue: String

    /// Makes a reason; a driver may have its own.
    ///
    /// - Parameter rawValue: Its name, in camel case.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The device says that the measurement failed.
    public static let failedMeasurement = Reason(rawValue: "failedMeasurement")
    /// The frame cannot be decoded.
    public static let malformed = Reason(rawValue: "malformed")
    /// All values of a recording are such as no living person has.
    public static let implausible = Reason(rawValue: "implausible")
    /// A control solution was measured, or the device tested itself or was demonstrated.
    public static let control = Reason(rawValue: "control")
    /// No body was measured: no finger in the clip, no contact, a signal too poor.
    public static let noSignal = Reason(rawValue: "noSignal")
    /// The device gives numbers that cannot be what it measures.
    public static let outOfRange = Reason(rawValue: "outOfRange")
    /// It was measured for another user of the device.
    public static let otherUser = Reason(rawValue: "otherUser")
  }

  /// Why it is not a reading.
  public let reason: Reason
  /// What happened and what to do.
  public let message: String
  /// The bytes that the device sent; they may hold a health value.
  public let frame: [UInt8]

  package init(reason: Reason, message: String, frame: [UInt8]) {
    self.reason = reason
    self.message = message
    self.frame = frame
  }

  /// The reason and the message, without the frame.
  public var description: String { "\(reason.rawValue): \(message)" }

  /// Shows nothing: the frame may hold a health value.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
