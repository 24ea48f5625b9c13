// SPDX-License-Identifier: Apache-2.0

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
  /// 0F for what a measurement brings, F0 for what the oximeter tells of itself.
  package let token: UInt8
  /// What the octets are: 1 values, 2 curve.
  package let function: UInt8
  /// What the frame carries after the function, at most 253 octets.
  package let octets: [UInt8]

  /// Makes a frame; octets beyond 253 are cut off.
  package init(token: UInt8 = Self.measurement, function: UInt8, octets: [UInt8]) {
    self.token = token
    self.function = function
    self.octets = Array(octets.prefix(253))
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let start = reader.offset
    guard try reader.octets(2, field: "Start") == Self.sync else {
      throw PayloadError(
        .reservedValue, field: "Start", offset: start,
        message: "A frame starts with AA 55. Skip the octets.")
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
    octets = try reader.octets(length - 2, field: "Payload")
    try reader.verify(.crc8Maxim, from: start)
  }

  package func encode(to writer: inout PayloadWriter) {
    let start = writer.octets.count
    writer.append(Self.sync)
    writer.append([token, UInt8(octets.count + 2), function])
    writer.append(octets)
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
    guard token == Self.measurement, function == 1, octets.count >= 4 else { return nil }
    return Values(
      saturation: octets[0], pulseRate: octets[1], perfusionIndex: Double(octets[3]) / 10)
  }

  /// Function 2: a piece of the curve, when this is the frame that has it.
  package var wave: [UInt8]? {
    token == Self.measurement && function == 2 ? octets : nil
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
    let octets = Array(start.prefix(4))
    guard octets.prefix(2) == sync.prefix(octets.count) else { return .noFrame }
    guard octets.count == 4 else { return .unknown }
    return octets[3] >= 2 ? .octets(4 + Int(octets[3])) : .noFrame
  }
}
