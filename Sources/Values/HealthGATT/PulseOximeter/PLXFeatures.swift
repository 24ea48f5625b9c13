// SPDX-License-Identifier: Apache-2.0

/// PLX Features (2A60): what a pulse oximeter can measure and report.
///
/// ```
/// // 0300  E0FF  FFFF00
/// // FEAT  MSUP  DEVSUP
/// ```
///
/// Source: Pulse Oximeter Service, PLX Features.
public struct PLXFeatures: CharacteristicValue {
  /// The bits of Supported Features; reserved ones are kept.
  public struct Features: OptionSet, Hashable, Sendable {
    /// The 16 bits.
    public let rawValue: UInt16

    /// Takes any 16 bits.
    public init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// Bit 0: sends a measurement status.
    public static let measurementStatus = Features(rawValue: 1 << 0)
    /// Bit 1: sends a device and sensor status.
    public static let deviceAndSensorStatus = Features(rawValue: 1 << 1)
    /// Bit 2: keeps spot-check measurements.
    public static let measurementStorage = Features(rawValue: 1 << 2)
    /// Bit 3: sends time stamps with spot-check measurements.
    public static let timestamp = Features(rawValue: 1 << 3)
    /// Bit 4: sends the pair with a fast response.
    public static let fast = Features(rawValue: 1 << 4)
    /// Bit 5: sends the pair with a slow response.
    public static let slow = Features(rawValue: 1 << 5)
    /// Bit 6: sends a pulse amplitude index.
    public static let pulseAmplitudeIndex = Features(rawValue: 1 << 6)
    /// Bit 7: bonds with several hosts.
    public static let multipleBonds = Features(rawValue: 1 << 7)
  }

  /// Bits 2...15 of Supported Features; bits 0 and 1 follow from the two fields below.
  private var otherFeatures: Features
  /// The bits of the measurement status that the device uses (bit 0).
  public var measurementStatusSupport: PLXMeasurementStatus?
  /// The bits of the device and sensor status that the device uses (bit 1).
  public var deviceAndSensorStatusSupport: PLXDeviceAndSensorStatus?
  /// What follows the last field that the features announce.
  public package(set) var trailingBytes: [UInt8] = []

  /// Creates the value; bits 0 and 1 of the features follow from the two other fields.
  public init(
    features: Features, measurementStatusSupport: PLXMeasurementStatus? = nil,
    deviceAndSensorStatusSupport: PLXDeviceAndSensorStatus? = nil
  ) {
    otherFeatures = features.subtracting([.measurementStatus, .deviceAndSensorStatus])
    self.measurementStatusSupport = measurementStatusSupport
    self.deviceAndSensorStatusSupport = deviceAndSensorStatusSupport
  }

  /// Reads the features and the fields that they announce, and keeps what follows them.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let features = Features(rawValue: try reader.uint16(field: "Supported Features"))
    self.init(features: features)
    if features.contains(.measurementStatus) {
      measurementStatusSupport = PLXMeasurementStatus(
        rawValue: try reader.uint16(field: "Measurement Status Support"))
    }
    if features.contains(.deviceAndSensorStatus) {
      deviceAndSensorStatusSupport = PLXDeviceAndSensorStatus(
        rawValue: try reader.uint24(field: "Device and Sensor Status Support"))
    }
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the features, the fields that they announce, and the trailing bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint16(features.rawValue)
    if let measurementStatusSupport { writer.uint16(measurementStatusSupport.rawValue) }
    if let deviceAndSensorStatusSupport { writer.uint24(deviceAndSensorStatusSupport.rawValue) }
    writer.append(trailingBytes)
  }

  /// What the oximeter can do.
  public var features: Features {
    var features = otherFeatures
    if measurementStatusSupport != nil { features.insert(.measurementStatus) }
    if deviceAndSensorStatusSupport != nil { features.insert(.deviceAndSensorStatus) }
    return features
  }
}
