// SPDX-License-Identifier: Apache-2.0

/// Blood Pressure Feature (2A49): what a monitor can detect and do.
///
/// ```
/// // 0400
/// // FEAT
/// ```
///
/// Source: GATT Specification Supplement, Blood Pressure Feature.
public struct BloodPressureFeature: CharacteristicValue {
  /// The bits of the feature field; reserved ones are kept.
  public struct Features: OptionSet, Hashable, Sendable {
    /// The 16 bits.
    public let rawValue: UInt16

    /// Takes any 16 bits.
    public init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// Bit 0: detects movement of the body.
    public static let bodyMovementDetection = Features(rawValue: 1 << 0)
    /// Bit 1: detects a loose cuff.
    public static let cuffFitDetection = Features(rawValue: 1 << 1)
    /// Bit 2: detects an irregular pulse.
    public static let irregularPulseDetection = Features(rawValue: 1 << 2)
    /// Bit 3: detects a pulse rate outside its range.
    public static let pulseRateRangeDetection = Features(rawValue: 1 << 3)
    /// Bit 4: detects a wrong position.
    public static let measurementPositionDetection = Features(rawValue: 1 << 4)
    /// Bit 5: bonds with several hosts.
    public static let multipleBonds = Features(rawValue: 1 << 5)
    /// Bit 6: adds an end-to-end CRC (E2E-CRC).
    public static let e2eCRC = Features(rawValue: 1 << 6)
    /// Bit 7: has a User Data Service.
    public static let userDataService = Features(rawValue: 1 << 7)
    /// Bit 8: sends the user-facing time.
    public static let userFacingTime = Features(rawValue: 1 << 8)
  }

  /// What the monitor can detect and do.
  public var features: Features
  /// What follows the field.
  public package(set) var trailingBytes: [UInt8] = []

  /// Creates the value.
  public init(features: Features) {
    self.features = features
  }

  /// Reads the field and keeps what follows it.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    features = Features(rawValue: try reader.uint16(field: "Blood Pressure Feature"))
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the field and the trailing bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint16(features.rawValue)
    writer.append(trailingBytes)
  }
}
