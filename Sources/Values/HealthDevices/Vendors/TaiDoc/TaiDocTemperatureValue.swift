// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What a TaiDoc thermometer measured: the data of a reply to 0x26.
///
/// ```
/// // 6E01  FA00
/// // BODY  AMBIENT
/// ```
///
/// Tenths of a degree Celsius; by some models hundredths, which are at least 1000. Source:
/// advmeds-service/advmeds-bluetooth-lib.
package struct TaiDocTemperatureValue: CharacteristicValue {
  /// The temperature of the body, as sent; 0 when nothing was measured.
  package let temperature: UInt16
  /// The temperature of the room, as sent.
  package let ambient: UInt16

  /// Creates a result.
  package init(temperature: UInt16, ambient: UInt16) {
    self.temperature = temperature
    self.ambient = ambient
  }

  /// Reads the four bytes.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    temperature = try reader.uint16(field: "Temperature")
    ambient = try reader.uint16(field: "Ambient Temperature")
  }

  /// Writes the four bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint16(temperature)
    writer.uint16(ambient)
  }

  /// The temperature of the body in °C; nil when nothing was measured.
  package var celsius: Double? {
    switch temperature {
    case 0: nil
    case ..<1000: Double(temperature) / 10
    default: Double(temperature) / 100
    }
  }
}
