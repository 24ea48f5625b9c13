// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// A frame that a device sent as a measurement and that is none.
///
/// It is told, and kept out of the queue: a failed measurement must never be uploaded as a reading.
public struct RejectedReading: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why it is no reading.
  public enum Reason: String, Hashable, Sendable {
    /// The device says that the measurement failed.
    case failedMeasurement
    /// The frame cannot be decoded.
    case malformed
    /// A value is one that no living person has.
    case implausible
    /// A control solution was measured, or the device tested itself or was demonstrated.
    case control
    /// No body was measured: no finger in the clip, no contact, a signal too poor.
    case noSignal
    /// The value lies outside of what the device can measure, and the device gives no number.
    case outOfRange
    /// It was measured for another user of the device.
    case otherUser
  }

  /// Why it is no reading.
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
}
