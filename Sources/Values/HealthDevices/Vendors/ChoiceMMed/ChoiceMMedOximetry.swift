// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A notification of ChoiceMMed MD300C208, MD300C228 and others ("iChoice") on characteristic CD04.
///
/// ```
/// // AA55  03   61    48    CS
/// // SYNC  LEN  SPO2  PULS  SUM
/// ```
///
/// Only the length, saturation and pulse rate are known of it: six bytes, the third of which is 3.
/// Public readers check neither the start nor the end, so both are kept and not verified.
/// Source: Android applications for "iChoice" oximeters, service BA11F08C-5F14-0B0D-1080-….
package struct ChoiceMMedOximetry: CharacteristicValue {
  /// The first two bytes.
  package let start: [UInt8]
  /// The saturation in percent as sent.
  package let saturation: UInt8
  /// The pulse rate in beats per minute as sent: 0 without a finger.
  package let pulseRate: UInt8
  /// The last byte.
  package let end: UInt8

  package init(saturation: UInt8, pulseRate: UInt8) {
    start = [0xAA, 0x55]
    self.saturation = saturation
    self.pulseRate = pulseRate
    end = Checksum.sum8.value(of: [3, saturation, pulseRate])
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    start = try reader.bytes(2, field: "Start")
    let lengthOffset = reader.offset
    guard try reader.uint8(field: "Length") == 3 else {
      throw PayloadError(
        .reservedValue, field: "Length", offset: lengthOffset,
        message: "Values are three bytes. Skip the notification.")
    }
    saturation = try reader.uint8(field: "SpO2")
    pulseRate = try reader.uint8(field: "Pulse Rate")
    end = try reader.uint8(field: "End")
  }

  package func encode(to writer: inout PayloadWriter) {
    writer.append(start)
    writer.append([3, saturation, pulseRate, end])
  }
}

extension ChoiceMMedOximetry {
  /// What is written to characteristic CD20 before the oximeter sends values.
  package static let greeting: [UInt8] = [0xAA, 0x55, 0x04, 0xB1, 0x00, 0x00, 0xB5]

  /// The measured values; nil without a finger.
  package var sample: OximetrySample? {
    OximetrySample(saturation: Int(saturation), pulseRate: Int(pulseRate))
  }
}
