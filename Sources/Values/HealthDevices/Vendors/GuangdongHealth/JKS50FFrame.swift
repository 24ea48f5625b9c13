// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The frame of JKS50F and oximeters built alike ("OXIMETER"), 69 bytes over FFE0/FFE1.
///
/// ```
/// // FF4401  00   64    50    26 04  00...  ..
/// // START   FIN  SPO2  PULS  PI     ?      SUM + 1
/// ```
///
/// The perfusion index is sent in two bytes of seven and six bits, the low ones first. The check is
/// the sum of the bytes before it, plus 1. Source: Boerni89/ha_bt_oximeter.
package struct JKS50FFrame: CharacteristicValue {
  /// 0 with a finger.
  package let fingerByte: UInt8
  /// The saturation as sent: 127 when there is none.
  package let saturationByte: UInt8
  /// The pulse rate as sent: 127 when there is none.
  package let pulseRateByte: UInt8
  /// The two bytes of the perfusion index.
  package let perfusionBytes: [UInt8]
  /// The curve and what else is in the frame: 60 bytes.
  package let rest: [UInt8]

  package init(saturation: UInt8?, pulseRate: UInt8?, perfusionHundredths: UInt16 = 0) {
    fingerByte = saturation == nil ? 1 : 0
    saturationByte = saturation ?? 127
    pulseRateByte = pulseRate ?? 127
    perfusionBytes = [
      UInt8(perfusionHundredths & 0x7F), UInt8(perfusionHundredths >> 7 & 0x3F),
    ]
    rest = [UInt8](repeating: 0, count: 60)
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let start = reader.offset
    guard try reader.bytes(3, field: "Start") == Self.start else {
      throw PayloadError(
        .reservedValue, field: "Start", offset: start,
        message: "A frame starts with FF 44 01. Skip the byte.")
    }
    fingerByte = try reader.uint8(field: "Finger")
    saturationByte = try reader.uint8(field: "SpO2")
    pulseRateByte = try reader.uint8(field: "Pulse Rate")
    perfusionBytes = try reader.bytes(2, field: "Perfusion Index")
    rest = try reader.bytes(60, field: "Rest")
    let checkOffset = reader.offset
    guard try reader.uint8(field: "Checksum") == check else {
      throw PayloadError(
        .checksumMismatch, field: "Checksum", offset: checkOffset,
        message: "The frame was damaged on its way. Wait for the next.")
    }
  }

  package func encode(to writer: inout PayloadWriter) {
    writer.append(body)
    writer.uint8(check)
  }

  private var body: [UInt8] {
    Self.start + [fingerByte, saturationByte, pulseRateByte] + perfusionBytes + rest
  }

  private var check: UInt8 { Checksum.sum8.value(of: body) &+ 1 }
  private static let start: [UInt8] = [0xFF, 0x44, 0x01]
  private static let count = 69
}

extension JKS50FFrame {
  /// Whether there is a finger.
  package var hasFinger: Bool { fingerByte == 0 }
  /// The saturation in percent; nil when there is none.
  package var saturation: Int? { saturationByte == 127 ? nil : Int(saturationByte) }
  /// The pulse rate in beats per minute; nil when there is none.
  package var pulseRate: Int? { pulseRateByte == 127 ? nil : Int(pulseRateByte) }

  /// The perfusion index in percent; nil above 20, which no finger has.
  package var perfusionIndex: Double? {
    let hundredths = Int(perfusionBytes[0] & 0x7F) | Int(perfusionBytes[1] & 0x3F) << 7
    return hundredths > 2000 ? nil : Double(hundredths) / 100
  }

  /// The measured values; nil without a finger.
  package var sample: OximetrySample? {
    guard hasFinger else { return nil }
    return OximetrySample(
      saturation: saturation, pulseRate: pulseRate, perfusionIndex: perfusionIndex)
  }
}

extension JKS50FFrame: StreamedFrame {
  package static func extent(of start: ArraySlice<UInt8>) -> FrameExtent {
    let bytes = Array(start.prefix(3))
    guard bytes == Array(Self.start.prefix(bytes.count)) else { return .noFrame }
    return bytes.count == 3 ? .bytes(count) : .unknown
  }
}
