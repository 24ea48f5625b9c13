// SPDX-License-Identifier: Apache-2.0

/// The frame of JKS50F and oximeters built alike («OXIMETER»), 69 octets over FFE0/FFE1.
///
/// ```
/// // FF4401  00   64    50    26 04  00...  ..
/// // START   FIN  SPO2  PULS  PI     ?      SUM + 1
/// ```
///
/// The perfusion index is sent in two octets of seven and six bits, the low ones first. The check is
/// the sum of the octets before it, plus 1. Source: Boerni89/ha_bt_oximeter.
package struct JKS50FFrame: CharacteristicValue {
  /// 0 with a finger.
  package let fingerOctet: UInt8
  /// The saturation as sent: 127 when there is none.
  package let saturationOctet: UInt8
  /// The pulse rate as sent: 127 when there is none.
  package let pulseRateOctet: UInt8
  /// The two octets of the perfusion index.
  package let perfusionOctets: [UInt8]
  /// The curve and what else is in the frame: 60 octets.
  package let rest: [UInt8]

  package init(saturation: UInt8?, pulseRate: UInt8?, perfusionHundredths: UInt16 = 0) {
    fingerOctet = saturation == nil ? 1 : 0
    saturationOctet = saturation ?? 127
    pulseRateOctet = pulseRate ?? 127
    perfusionOctets = [
      UInt8(perfusionHundredths & 0x7F), UInt8(perfusionHundredths >> 7 & 0x3F),
    ]
    rest = [UInt8](repeating: 0, count: 60)
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let start = reader.offset
    guard try reader.octets(3, field: "Start") == Self.start else {
      throw PayloadError(
        .reservedValue, field: "Start", offset: start,
        message: "A frame starts with FF 44 01. Skip the octet.")
    }
    fingerOctet = try reader.uint8(field: "Finger")
    saturationOctet = try reader.uint8(field: "SpO2")
    pulseRateOctet = try reader.uint8(field: "Pulse Rate")
    perfusionOctets = try reader.octets(2, field: "Perfusion Index")
    rest = try reader.octets(60, field: "Rest")
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
    Self.start + [fingerOctet, saturationOctet, pulseRateOctet] + perfusionOctets + rest
  }

  private var check: UInt8 { Checksum.sum8.value(of: body) &+ 1 }
  private static let start: [UInt8] = [0xFF, 0x44, 0x01]
  private static let count = 69
}

extension JKS50FFrame {
  /// Whether there is a finger.
  package var hasFinger: Bool { fingerOctet == 0 }
  /// The saturation in percent; nil when there is none.
  package var saturation: Int? { saturationOctet == 127 ? nil : Int(saturationOctet) }
  /// The pulse rate in beats per minute; nil when there is none.
  package var pulseRate: Int? { pulseRateOctet == 127 ? nil : Int(pulseRateOctet) }

  /// The perfusion index in percent; nil above 20, which no finger has.
  package var perfusionIndex: Double? {
    let hundredths = Int(perfusionOctets[0] & 0x7F) | Int(perfusionOctets[1] & 0x3F) << 7
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
    let octets = Array(start.prefix(3))
    guard octets == Array(Self.start.prefix(octets.count)) else { return .noFrame }
    return octets.count == 3 ? .octets(count) : .unknown
  }
}
