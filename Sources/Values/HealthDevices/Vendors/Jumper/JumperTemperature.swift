// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A result of Jumper's JPD-FR thermometers.
///
/// ```
/// // 00  21  0E42  …
/// // ST  SI  TEMP
/// ```
///
/// Source: weliem/LivecareBluetoothSDK, which takes the site 33 for the forehead and any other for
/// the ear, and reads nothing from a frame that starts with E0.
package struct JumperTemperature: CharacteristicValue {
  /// Where the temperature was taken.
  package enum Site: Sendable {
    case forehead, ear
  }

  private static let failure: UInt8 = 0xE0
  private static let forehead: UInt8 = 33

  private let status: UInt8
  private let siteByte: UInt8
  /// The temperature in hundredths of a degree Celsius; nil when the measurement failed.
  package let centiCelsius: UInt16?
  /// What follows, as sent.
  package let trailingBytes: [UInt8]

  /// Creates a result.
  package init(centiCelsius: UInt16, site: Site) {
    status = 0
    siteByte = site == .forehead ? Self.forehead : 34
    self.centiCelsius = centiCelsius
    trailingBytes = []
  }

  /// Reads status, site and temperature.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    status = try reader.uint8(field: "Status")
    guard status != Self.failure else {
      siteByte = 0
      centiCelsius = nil
      trailingBytes = reader.remainingBytes()
      return
    }
    siteByte = try reader.uint8(field: "Site")
    centiCelsius = try reader.bigEndianUInt16(field: "Temperature")
    trailingBytes = reader.remainingBytes()
  }

  /// Writes the result, or the failure.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(status)
    if let centiCelsius {
      writer.uint8(siteByte)
      writer.bigEndianUInt16(centiCelsius)
    }
    writer.append(trailingBytes)
  }

  /// The temperature in °C; nil when the measurement failed.
  package var celsius: Double? { centiCelsius.map { Double($0) / 100 } }
  /// Where the temperature was taken; nil when the measurement failed.
  package var site: Site? {
    centiCelsius.map { _ in siteByte == Self.forehead ? .forehead : .ear }
  }
}
