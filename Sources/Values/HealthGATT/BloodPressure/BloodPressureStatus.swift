// SPDX-License-Identifier: Apache-2.0

/// Measurement Status: what went wrong or was found during a blood pressure measurement.
///
/// Bits 3 and 4 are one number, the pulse rate range; reserved bits are kept (Beurer's bit 6 marks
/// a resting measurement).
///
/// Source: GATT Specification Supplement §3.31, Measurement Status.
public struct BloodPressureStatus: OptionSet, Hashable, Sendable {
  /// Bits 3 and 4: whether the pulse rate is within the range that the device can assess.
  public enum PulseRateRange: UInt16, Hashable, Sendable {
    /// Within the range.
    case withinRange = 0
    /// Above the upper limit.
    case exceedsUpperLimit = 1
    /// Below the lower limit.
    case belowLowerLimit = 2
    /// Both bits set, which the specification reserves.
    case reserved = 3
  }

  /// The 16 bits, reserved ones included.
  public let rawValue: UInt16

  /// Takes any 16 bits.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Bit 0: the body moved.
  public static let bodyMovement = BloodPressureStatus(rawValue: 1 << 0)
  /// Bit 1: the cuff was too loose.
  public static let cuffTooLoose = BloodPressureStatus(rawValue: 1 << 1)
  /// Bit 2: the pulse was irregular.
  public static let irregularPulse = BloodPressureStatus(rawValue: 1 << 2)
  /// Bit 5: the cuff was not at the height of the heart.
  public static let improperPosition = BloodPressureStatus(rawValue: 1 << 5)

  /// Bits 3 and 4 with a given value, for a union with the other bits.
  public static func pulseRateRange(_ range: PulseRateRange) -> BloodPressureStatus {
    BloodPressureStatus(rawValue: range.rawValue << 3)
  }

  /// Whether the pulse rate is within the range that the device can assess.
  public var pulseRateRange: PulseRateRange {
    PulseRateRange(rawValue: rawValue >> 3 & 0b11) ?? .reserved
  }
}
