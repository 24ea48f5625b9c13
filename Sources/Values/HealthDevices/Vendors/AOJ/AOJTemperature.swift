// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A result of the AOJ-20A thermometer, which Viatom sells, too.
///
/// ```
/// // AA  01  C1  05  0E42  03  …
/// // ST  ?   ID  ?   TEMP  MO
/// ```
///
/// Source: weliem/LivecareBluetoothSDK and one more peer for start, id and temperature; the modes
/// by the former. Messages with another id (the clock, the memory, failures) are not results.
package struct AOJTemperature: CharacteristicValue {
  /// What was measured.
  package struct Mode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// The ear; peers disagree whether this is an object.
    package static let ear = Mode(rawValue: 3)
    /// Not the temperature of a body.
    package static let object = Mode(rawValue: 4)
  }

  private static let start: UInt8 = 0xAA
  private static let result: UInt8 = 0xC1

  private let device: UInt8
  private let length: UInt8
  /// The temperature in hundredths of a degree Celsius.
  package let centiCelsius: UInt16
  /// What was measured: the forehead for anything that is not named.
  package let mode: Mode
  /// What follows, as sent; a check whose rule is not known.
  package let trailingBytes: [UInt8]

  /// Creates a result.
  package init(centiCelsius: UInt16, mode: Mode) {
    device = 0x01
    length = 0x05
    self.centiCelsius = centiCelsius
    self.mode = mode
    trailingBytes = [0]
  }

  /// Reads a result.
  ///
  /// - Throws: `reservedValue` for a message that is no result.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    try reader.constant(Self.start, field: "Start")
    device = try reader.uint8(field: "Device")
    try reader.constant(Self.result, field: "Message")
    length = try reader.uint8(field: "Length")
    centiCelsius = try reader.bigEndianUInt16(field: "Temperature")
    mode = Mode(rawValue: try reader.uint8(field: "Mode"))
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the result.
  package func encode(to writer: inout PayloadWriter) {
    writer.append([Self.start, device, Self.result, length])
    writer.bigEndianUInt16(centiCelsius)
    writer.uint8(mode.rawValue)
    writer.append(trailingBytes)
  }

  /// The temperature in °C.
  package var celsius: Double { Double(centiCelsius) / 100 }
  /// Whether it is the temperature of a body.
  package var isBodyTemperature: Bool { mode != .object }
}
