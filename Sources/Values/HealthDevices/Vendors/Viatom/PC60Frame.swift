// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The frame of Viatom PC-60FW, PC-60NW and POD, over the Nordic UART service.
///
/// ```
/// // AA55  0F   08   01   60    3E    00  50  00C0  ..
/// // SYNC  TOK  LEN  FUN  SPO2  PULS  ?   PI  ?     CRC
/// ```
///
/// The length counts what follows it, the check included; the check is CRC-8/MAXIM over the frame.
/// Source: sza2/viatom_pc60fw.
package struct PC60Frame: CharacteristicValue {
  /// 0F for measurements, F0 for information about the oximeter.
  package let token: UInt8
  /// What the bytes are: 1 values, 2 curve.
  package let function: UInt8
  /// What the frame carries after the function, at most 253 bytes.
  package let bytes: [UInt8]

  /// Makes a frame; bytes beyond 253 are cut off.
  package init(token: UInt8 = Self.measurement, function: UInt8, bytes: [UInt8]) {
    self.token = token
    self.function = function
    self.bytes = Array(bytes.prefix(253))
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let start = reader.offset
    guard try reader.bytes(2, field: "Start") == Self.sync else {
      throw PayloadError(
        .reservedValue, field: "Start", offset: start,
        message: "A frame starts with AA 55. Skip the bytes.")
    }
    token = try reader.uint8(field: "Token")
    let lengthOffset = reader.offset
    let length = Int(try reader.uint8(field: "Length"))
    guard length >= 2 else {
      throw PayloadError(
        .outOfRange, field: "Length", offset: lengthOffset,
        message: "It counts a function and a check. Skip the frame.")
    }
    function = try reader.uint8(field: "Function")
    bytes = try reader.bytes(length - 2, field: "Payload")
    try reader.verify(.crc8Maxim, from: start)
  }

  package func encode(to writer: inout PayloadWriter) {
    let start = writer.bytes.count
    writer.append(Self.sync)
    writer.append([token, UInt8(bytes.count + 2), function])
    writer.append(bytes)
    writer.append(.crc8Maxim, from: start)
  }

  /// The token of what a measurement brings.
  package static let measurement: UInt8 = 0x0F
  private static let sync: [UInt8] = [0xAA, 0x55]
}

extension PC60Frame {
  /// Function 1: the values of the moment.
  package struct Values: Hashable, Sendable {
    /// The saturation in percent as sent; 0 without a finger.
    package let saturation: UInt8
    /// The pulse rate in beats per minute as sent; 0 without a finger.
    package let pulseRate: UInt8
    /// The perfusion index in percent.
    package let perfusionIndex: Double
  }

  /// The values of the moment, when this is the frame that has them.
  package var values: Values? {
    guard token == Self.measurement, function == 1, bytes.count >= 4 else { return nil }
    return Values(
      saturation: bytes[0], pulseRate: bytes[1], perfusionIndex: Double(bytes[3]) / 10)
  }

  /// Function 2: a piece of the curve, when this is the frame that has it.
  package var wave: [UInt8]? {
    token == Self.measurement && function == 2 ? bytes : nil
  }

  /// The measured values; nil without a finger and for other frames.
  package var sample: OximetrySample? {
    values.flatMap {
      OximetrySample(
        saturation: Int($0.saturation), pulseRate: Int($0.pulseRate),
        perfusionIndex: $0.perfusionIndex)
    }
  }
}

extension PC60Frame: StreamedFrame {
  package static func extent(of start: ArraySlice<UInt8>) -> FrameExtent {
    let bytes = Array(start.prefix(4))
    guard bytes.prefix(2) == sync.prefix(bytes.count) else { return .noFrame }
    guard bytes.count == 4 else { return .unknown }
    return bytes[3] >= 2 ? .bytes(4 + Int(bytes[3])) : .noFrame
  }
}
