// SPDX-License-Identifier: Apache-2.0

/// CGM Feature (2AA8): what a continuous glucose monitor can do, what it measures, and where.
///
/// ```
/// // 6E9E01  16  8AC1
/// // FEATUR  TL  E2ECRC
/// ```
///
/// Source: GATT Specification Supplement, CGM Feature. There always is an E2E-CRC; it is 0xFFFF
/// where the device does not support it.
public struct CGMFeature: CharacteristicValue {
  /// The bits of the feature field; reserved ones are kept.
  public struct Features: OptionSet, Hashable, Sendable {
    /// The low 24 bits; the field on the wire has three bytes.
    public let rawValue: UInt32

    /// Takes the low 24 bits.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue & 0xFF_FFFF
    }

    /// Bit 0: can be calibrated.
    public static let calibration = Features(rawValue: 1 << 0)
    /// Bit 1: alerts at the patient's high and low level.
    public static let patientHighLowAlerts = Features(rawValue: 1 << 1)
    /// Bit 2: alerts at hypoglycaemia.
    public static let hypoAlerts = Features(rawValue: 1 << 2)
    /// Bit 3: alerts at hyperglycaemia.
    public static let hyperAlerts = Features(rawValue: 1 << 3)
    /// Bit 4: alerts when the glucose rises or falls fast.
    public static let rateAlerts = Features(rawValue: 1 << 4)
    /// Bit 5: has an alert of its own.
    public static let deviceSpecificAlert = Features(rawValue: 1 << 5)
    /// Bit 6: detects a malfunction of the sensor.
    public static let sensorMalfunctionDetection = Features(rawValue: 1 << 6)
    /// Bit 7: detects temperatures that are too high or too low.
    public static let temperatureHighLowDetection = Features(rawValue: 1 << 7)
    /// Bit 8: detects results that are too high or too low.
    public static let resultHighLowDetection = Features(rawValue: 1 << 8)
    /// Bit 9: detects a low battery.
    public static let lowBatteryDetection = Features(rawValue: 1 << 9)
    /// Bit 10: detects a sensor of a wrong type.
    public static let sensorTypeErrorDetection = Features(rawValue: 1 << 10)
    /// Bit 11: reports general faults.
    public static let generalDeviceFault = Features(rawValue: 1 << 11)
    /// Bit 12: protects its values with an E2E-CRC, and wants those that are written protected.
    public static let e2eCRC = Features(rawValue: 1 << 12)
    /// Bit 13: bonds with several hosts.
    public static let multipleBonds = Features(rawValue: 1 << 13)
    /// Bit 14: can begin another session.
    public static let multipleSessions = Features(rawValue: 1 << 14)
    /// Bit 15: sends a trend.
    public static let trendInformation = Features(rawValue: 1 << 15)
    /// Bit 16: sends a quality.
    public static let quality = Features(rawValue: 1 << 16)
  }

  /// What the device can do.
  public var features: Features
  /// CGM Type: the fluid that is measured.
  public var fluid: GlucoseSample.Fluid
  /// CGM Sample Location: where it is measured.
  public var location: GlucoseSample.Location

  /// Creates the value.
  public init(
    features: Features, fluid: GlucoseSample.Fluid = .interstitialFluid,
    location: GlucoseSample.Location = .subcutaneousTissue
  ) {
    self.features = features
    self.fluid = fluid
    self.location = location
  }

  /// Reads the six bytes.
  ///
  /// - Throws: `checksumMismatch` for a wrong E2E-CRC, `reservedValue` for one other than 0xFFFF
  ///   where none is supported; `truncated`.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    features = Features(rawValue: try reader.uint24(field: "CGM Feature"))
    let byte = try reader.uint8(field: "Type-Sample Location")
    fluid = GlucoseSample.Fluid(nibble: byte)
    location = GlucoseSample.Location(nibble: byte >> 4)
    if features.contains(.e2eCRC) {
      try reader.e2eCRC()
    } else {
      try Self.readUnsupportedCRC(from: &reader)
    }
  }

  private static func readUnsupportedCRC(
    from reader: inout PayloadReader
  ) throws(PayloadError) {
    let offset = reader.offset
    guard try reader.uint16(field: "E2E-CRC") == 0xFFFF else {
      throw PayloadError(
        .reservedValue, field: "E2E-CRC", offset: offset,
        message: "Without support of the E2E-CRC it is 0xFFFF. Refuse the value.")
    }
  }

  /// Writes the six bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint24(features.rawValue)
    writer.uint8(location.rawValue << 4 | fluid.rawValue)
    if features.contains(.e2eCRC) { writer.e2eCRC() } else { writer.uint16(0xFFFF) }
  }
}
