// SPDX-License-Identifier: Apache-2.0

/// Flags of Heart Rate Measurement.
///
/// Source: GATT Specification Supplement, Heart Rate Measurement, Flags.
public struct HeartRateFlags: OptionSet, Hashable, Sendable {
  /// The byte.
  public let rawValue: UInt8

  /// Takes any byte.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Bit 0: the heart rate has two bytes.
  public static let twoByteRate = HeartRateFlags(rawValue: 1 << 0)
  /// Bit 1: the sensor touches the skin; without bit 2 it means nothing.
  public static let sensorContactDetected = HeartRateFlags(rawValue: 1 << 1)
  /// Bit 2: the sensor can detect whether it touches the skin.
  public static let sensorContactSupported = HeartRateFlags(rawValue: 1 << 2)
  /// Bit 3: there is an energy expended.
  public static let energyExpendedPresent = HeartRateFlags(rawValue: 1 << 3)
  /// Bit 4: there are intervals.
  public static let rrIntervalPresent = HeartRateFlags(rawValue: 1 << 4)

  static let sensorContact: HeartRateFlags = [.sensorContactDetected, .sensorContactSupported]
  static let reserved = HeartRateFlags(rawValue: 0xE0)
}

/// Whether a heart rate sensor touches the skin (Flags bits 1 and 2).
public enum SensorContact: String, Hashable, Sendable {
  /// The sensor cannot detect it.
  case unsupported
  /// It does not touch the skin.
  case notDetected = "not_detected"
  /// It touches the skin.
  case detected

  init(_ flags: HeartRateFlags) {
    guard flags.contains(.sensorContactSupported) else {
      self = .unsupported
      return
    }
    self = flags.contains(.sensorContactDetected) ? .detected : .notDetected
  }

  var flags: HeartRateFlags {
    switch self {
    case .unsupported: []
    case .notDetected: [.sensorContactSupported]
    case .detected: [.sensorContactSupported, .sensorContactDetected]
    }
  }
}
