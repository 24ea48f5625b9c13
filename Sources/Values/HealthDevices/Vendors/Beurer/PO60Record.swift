// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A stored measurement of the Beurer PO60: 24 bytes.
///
/// ```
/// // E9  40  1A 05 07 08 1E 00  1A 05 07 08 1F 00  00  00 00  62 5F 61  4E 44 48  ..
/// // ST  NR  YY MO DD HH MM SS  YY MO DD HH MM SS  B7  ?      X  N  A   X  N  A   ?
/// //         START              END                           SPO2      PULSE
/// ```
///
/// Bytes other than the first have seven bits. Some of byte 14 are the eighth bits of the pulse
/// rates; which ones, no public source says, so pulse rates are known only where byte 14 is 0.
/// Source: weliem/LivecareBluetoothSDK (PO60SPO2) and a public script for Beurer's PO60, which
/// agree on start, end and saturation.
package struct PO60Record: CharacteristicValue {
  /// Highest, lowest and average over the measurement.
  package struct Range: Hashable, Sendable {
    /// The highest value.
    package let highest: UInt8
    /// The lowest value.
    package let lowest: UInt8
    /// The average.
    package let average: UInt8

    package init(highest: UInt8, lowest: UInt8, average: UInt8) {
      self.highest = highest
      self.lowest = lowest
      self.average = average
    }
  }

  /// The 24 bytes.
  package let bytes: [UInt8]

  /// Makes a record; years are those of this century, values below 128.
  package init(
    number: UInt8, isLast: Bool, start: Timestamp, end: Timestamp, saturation: Range,
    pulseRate: Range
  ) {
    var bytes: [UInt8] = [Self.startByte, number & 0x0F | (isLast ? Self.lastBit : 0)]
    for time in [start, end] {
      bytes.append(UInt8(truncatingIfNeeded: time.year % 100))
      bytes += [time.month, time.day, time.hours, time.minutes, time.seconds]
    }
    bytes += [0, 0, 0]
    for range in [saturation, pulseRate] { bytes += [range.highest, range.lowest, range.average] }
    bytes = bytes.prefix(1) + bytes.dropFirst().map { $0 & 0x7F }
    bytes.append(Checksum.sum7.value(of: bytes))
    self.bytes = bytes
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let start = reader.offset
    bytes = try reader.bytes(Self.count, field: "Record")
    guard bytes[0] == Self.startByte else {
      throw PayloadError(
        .reservedValue, field: "Start", offset: start,
        message: "A record starts with E9. Skip the byte.")
    }
    if let wrong = bytes.indices.dropFirst().first(where: { bytes[$0] > 0x7F }) {
      throw PayloadError(
        .reservedValue, field: "Record", offset: start + wrong,
        message: "Only the first byte has bit 7 set. Skip to the next such byte.")
    }
  }

  package func encode(to writer: inout PayloadWriter) {
    writer.append(bytes)
  }

  private static let count = 24
  private static let startByte: UInt8 = 0xE9
  private static let lastBit: UInt8 = 0x40
}

extension PO60Record {
  /// Asks for the first records.
  package static let start: [UInt8] = [0x99, 0x00, 0x19]
  /// Asks for the records that follow.
  package static let proceed: [UInt8] = [0x99, 0x01, 0x1A]
  /// The most records that come in answer to one request.
  package static let batchCount = 10

  /// The number of the packet, 0...15.
  package var number: Int { Int(bytes[1] & 0x0F) }
  /// Whether the oximeter has no further record.
  package var isLast: Bool { bytes[1] & Self.lastBit != 0 }
  /// When the measurement began, on the oximeter's clock.
  package var startTime: Timestamp { time(at: 2) }
  /// When the measurement ended, on the oximeter's clock.
  package var endTime: Timestamp { time(at: 8) }
  /// The saturation in percent.
  package var saturation: Range { range(at: 17) }
  /// The pulse rate in beats per minute; nil when one of the values may be above 127.
  package var pulseRate: Range? { bytes[14] == 0 ? range(at: 20) : nil }

  /// The averages, when they are values of a finger.
  package var sample: OximetrySample? {
    OximetrySample(
      saturation: Int(saturation.average), pulseRate: pulseRate.map { Int($0.average) })
  }

  private func time(at position: Int) -> Timestamp {
    Timestamp(
      year: 2000 + UInt16(bytes[position]), month: bytes[position + 1], day: bytes[position + 2],
      hours: bytes[position + 3], minutes: bytes[position + 4], seconds: bytes[position + 5])
  }

  private func range(at position: Int) -> Range {
    Range(
      highest: bytes[position], lowest: bytes[position + 1], average: bytes[position + 2])
  }
}

extension PO60Record: StreamedFrame {
  package static func extent(of start: ArraySlice<UInt8>) -> FrameExtent {
    start.first == startByte ? .bytes(count) : .noFrame
  }
}
