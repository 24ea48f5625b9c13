// SPDX-License-Identifier: Apache-2.0

/// Flags of a record of CGM Measurement; reserved bits are kept.
///
/// Source: GATT Specification Supplement, CGM Measurement, Flags.
public struct CGMFlags: OptionSet, Hashable, Sendable {
  /// The byte.
  public let rawValue: UInt8

  /// Takes any byte.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Bit 0: there is a trend.
  public static let trendPresent = CGMFlags(rawValue: 1 << 0)
  /// Bit 1: there is a quality.
  public static let qualityPresent = CGMFlags(rawValue: 1 << 1)
  /// Bit 5: there is the warning byte of the sensor status.
  public static let warningPresent = CGMFlags(rawValue: 1 << 5)
  /// Bit 6: there is the byte for calibration and temperature.
  public static let calibrationTemperaturePresent = CGMFlags(rawValue: 1 << 6)
  /// Bit 7: there is the status byte.
  public static let statusPresent = CGMFlags(rawValue: 1 << 7)

  static let reserved = CGMFlags(rawValue: 0x1C)

  /// The bytes of the sensor status in their order on the wire, which is not that of the bits:
  /// which bit announces each of them, its field, and its place in ``CGMSensorStatus``.
  static let statusBytes: [(flag: CGMFlags, field: String, shift: UInt32)] = [
    (.statusPresent, "Sensor Status Annunciation - Status", 0),
    (.calibrationTemperaturePresent, "Sensor Status Annunciation - Cal/Temp", 8),
    (.warningPresent, "Sensor Status Annunciation - Warning", 16),
  ]

  /// The bytes of a record with these fields, without what may follow them.
  var recordSize: Int {
    let numbers = [CGMFlags.trendPresent, .qualityPresent].filter(contains).count
    return 6 + 2 * numbers + Self.statusBytes.filter { contains($0.flag) }.count
  }
}
