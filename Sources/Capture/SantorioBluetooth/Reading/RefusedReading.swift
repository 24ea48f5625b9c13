// SPDX-License-Identifier: Apache-2.0

/// A frame that a device sent as a measurement and that is none.
///
/// It is told, and kept out of the queue: a failed measurement must never be uploaded as a reading.
public struct RefusedReading: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why it is no reading.
  public enum Reason: String, Hashable, Sendable {
    /// The device says that the measurement failed.
    case failedMeasurement
    /// The frame cannot be decoded.
    case malformed
    /// A value is one that no living person has.
    case implausible
  }

  /// Why it is no reading.
  public let reason: Reason
  /// What happened and what to do.
  public let message: String
  /// The octets that the device sent; they may hold a health value.
  public let frame: [UInt8]

  /// The reason and the message, without the frame.
  public var description: String { "\(reason.rawValue): \(message)" }
}
