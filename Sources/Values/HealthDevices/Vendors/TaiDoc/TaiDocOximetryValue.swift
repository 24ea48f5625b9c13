// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What a TaiDoc oximeter measured: the data of a reply to 0x26 or 0x49.
///
/// ```
/// // 61    0000  48
/// // SPO2  ?     PULSE
/// ```
///
/// Source: advmeds-service/advmeds-bluetooth-lib, weliem/LivecareBluetoothSDK.
package struct TaiDocOximetryValue: CharacteristicValue {
  /// The saturation in percent, as sent; 0 without a finger.
  package let saturation: UInt8
  /// Bytes 1 and 2, of unknown meaning.
  package let unknown: UInt16
  /// Beats per minute, as sent; 0 without a finger.
  package let pulseRate: UInt8

  /// Creates a result.
  package init(saturation: UInt8, pulseRate: UInt8) {
    self.saturation = saturation
    unknown = 0
    self.pulseRate = pulseRate
  }

  /// Reads the four bytes.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    saturation = try reader.uint8(field: "SpO2")
    unknown = try reader.uint16(field: "Unknown")
    pulseRate = try reader.uint8(field: "Pulse Rate")
  }

  /// Writes the four bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(saturation)
    writer.uint16(unknown)
    writer.uint8(pulseRate)
  }

  /// Whether there was a finger: saturation 1...100 and a pulse.
  package var hasResult: Bool { (1...100).contains(saturation) && pulseRate > 0 }
}
