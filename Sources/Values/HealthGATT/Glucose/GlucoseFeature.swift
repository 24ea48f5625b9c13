// SPDX-License-Identifier: Apache-2.0

/// Glucose Feature (2A51): what a meter can detect and do.
///
/// ```
/// // F003
/// // FEAT
/// ```
///
/// Source: GATT Specification Supplement, Glucose Feature.
public struct GlucoseFeature: CharacteristicValue {
  /// The bits of the feature field; reserved ones are kept.
  public struct Features: OptionSet, Hashable, Sendable {
    /// The 16 bits.
    public let rawValue: UInt16

    /// Takes any 16 bits.
    public init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// Bit 0: detects a low battery during a measurement.
    public static let lowBatteryDetection = Features(rawValue: 1 << 0)
    /// Bit 1: detects a malfunction of the sensor.
    public static let sensorMalfunctionDetection = Features(rawValue: 1 << 1)
    /// Bit 2: detects too small a sample.
    public static let sampleSizeDetection = Features(rawValue: 1 << 2)
    /// Bit 3: detects a wrongly inserted strip.
    public static let stripInsertionErrorDetection = Features(rawValue: 1 << 3)
    /// Bit 4: detects a strip of a wrong type.
    public static let stripTypeErrorDetection = Features(rawValue: 1 << 4)
    /// Bit 5: detects results that are too high or too low.
    public static let resultHighLowDetection = Features(rawValue: 1 << 5)
    /// Bit 6: detects temperatures that are too high or too low.
    public static let temperatureHighLowDetection = Features(rawValue: 1 << 6)
    /// Bit 7: detects an interrupted reading.
    public static let readInterruptDetection = Features(rawValue: 1 << 7)
    /// Bit 8: reports general faults.
    public static let generalDeviceFault = Features(rawValue: 1 << 8)
    /// Bit 9: reports faults of the clock.
    public static let timeFault = Features(rawValue: 1 << 9)
    /// Bit 10: bonds with several hosts.
    public static let multipleBonds = Features(rawValue: 1 << 10)
  }

  /// What the meter can detect and do.
  public var features: Features
  /// What follows the field.
  public package(set) var trailingBytes: [UInt8] = []

  /// Creates the value.
  public init(features: Features) {
    self.features = features
  }

  /// Reads the field and keeps what follows it.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    features = Features(rawValue: try reader.uint16(field: "Glucose Feature"))
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the field and the trailing bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint16(features.rawValue)
    writer.append(trailingBytes)
  }
}
