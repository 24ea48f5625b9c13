// SPDX-License-Identifier: Apache-2.0

/// Temperature Measurement (2A1C): one measurement of a thermometer.
///
/// ```
/// // 06  730100FF  EA07 05 04 07 1E 00  02
/// // FL  TEMPERAT  YEAR MO DA HH MM SS  TY
/// ```
///
/// Source: GATT Specification Supplement, Temperature Measurement. The temperature is a FLOAT; the
/// word is kept as sent.
public struct TemperatureMeasurement: CharacteristicValue {
  /// Flags of the temperature measurement.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// The byte.
    public let rawValue: UInt8

    /// Takes any byte.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Bit 0: the temperature is in °F, not in °C.
    public static let fahrenheit = Flags(rawValue: 1 << 0)
    /// Bit 1: there is a time stamp.
    public static let timestampPresent = Flags(rawValue: 1 << 1)
    /// Bit 2: there is a temperature type.
    public static let temperatureTypePresent = Flags(rawValue: 1 << 2)

    static let reserved = Flags(rawValue: 0xF8)
  }

  /// The unit of the temperature (Flags bit 0).
  public var unit: TemperatureUnit
  /// The temperature, as sent.
  public var value: MedicalFloat32
  /// The time on the device's clock (Flags bit 1).
  public var timestamp: Timestamp?
  /// Where it was taken (Flags bit 2); when absent, 2A1D may say it.
  public var temperatureType: TemperatureType?
  /// The reserved bits 3...7 of Flags as sent.
  public package(set) var reservedFlags: Flags = []
  /// What follows the last field that Flags announce.
  public package(set) var trailingBytes: [UInt8] = []

  /// Creates a measurement.
  public init(
    unit: TemperatureUnit = .celsius, value: MedicalFloat32, timestamp: Timestamp? = nil,
    temperatureType: TemperatureType? = nil
  ) {
    self.unit = unit
    self.value = value
    self.timestamp = timestamp
    self.temperatureType = temperatureType
  }

  /// Reads the fields that Flags announce, and keeps what follows them.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let flags = Flags(rawValue: try reader.uint8(field: "Flags"))
    unit = flags.contains(.fahrenheit) ? .fahrenheit : .celsius
    value = try reader.medicalFloat32(field: "Temperature Measurement Value")
    if flags.contains(.timestampPresent) {
      timestamp = try reader.timestamp(field: "Time Stamp")
    }
    if flags.contains(.temperatureTypePresent) {
      temperatureType = try TemperatureType(from: &reader)
    }
    reservedFlags = flags.intersection(.reserved)
    trailingBytes = reader.remainingBytes()
  }

  /// Writes Flags, the fields that are there, and the trailing bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(flags.rawValue)
    writer.medicalFloat32(value)
    if let timestamp { writer.timestamp(timestamp) }
    temperatureType?.encode(to: &writer)
    writer.append(trailingBytes)
  }

  /// Flags: the unit, which fields are there, and the reserved bits.
  public var flags: Flags {
    var flags = reservedFlags.intersection(.reserved)
    if unit == .fahrenheit { flags.insert(.fahrenheit) }
    if timestamp != nil { flags.insert(.timestampPresent) }
    if temperatureType != nil { flags.insert(.temperatureTypePresent) }
    return flags
  }

  /// The temperature; nil when the device sent a special value.
  public var temperature: Temperature? { value.double.map { Temperature($0, unit) } }
}
