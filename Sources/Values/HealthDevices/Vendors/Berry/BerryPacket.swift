// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A packet of Berry BM1000, which sends 100 a second in the BCI protocol, several a notification.
///
/// ```
/// // C7    1D     46        56    5F
/// // SIGN  PLETH  BAR, P.7  PULS  SPO2
/// ```
///
/// Bit 7 is set in the first byte of a packet and in no other, so a receiver finds the start
/// again; bit 7 of the pulse rate is sent as bit 6 of the third byte.
/// Source: zh2x/BCI_Protocol, berry-oximeter 0.0.3 (PyPI).
package struct BerryPacket: CharacteristicValue {
  /// The five bytes.
  package let bytes: [UInt8]

  /// Makes a packet; nil stands for a value that the oximeter does not have.
  package init(saturation: UInt8?, pulseRate: UInt8?, pleth: UInt8 = 0) {
    let pulse = pulseRate ?? 255
    let hasFinger = saturation != nil
    bytes = [
      0x87, pleth & 0x7F, (pulse >> 7) << 6 | (hasFinger ? 0 : 0x10), pulse & 0x7F,
      (saturation ?? 127) & 0x7F,
    ]
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let start = reader.offset
    bytes = try reader.bytes(Self.count, field: "Packet")
    let sync = bytes.map { $0 & 0x80 }
    if let wrong = sync.indices.first(where: { sync[$0] != ($0 == 0 ? 0x80 : 0) }) {
      throw PayloadError(
        .reservedValue, field: "Synchronisation", offset: start + wrong,
        message: "Bit 7 is set in the first byte and in no other. Skip to the next such byte.")
    }
  }

  package func encode(to writer: inout PayloadWriter) {
    writer.append(bytes)
  }

  fileprivate static let count = 5
}

extension BerryPacket {
  /// The strength of the signal, 0...15.
  package var signal: Int { Int(bytes[0] & 0x0F) }
  /// Whether there is no signal.
  package var hasNoSignal: Bool { bytes[0] & 0x10 != 0 }
  /// Whether the probe is not plugged in.
  package var isProbeUnplugged: Bool { bytes[0] & 0x20 != 0 }
  /// Whether this is the moment of a beat.
  package var isBeat: Bool { bytes[0] & 0x40 != 0 }
  /// A point of the curve, 0...127.
  package var pleth: Int { Int(bytes[1] & 0x7F) }
  /// The height of the bar on the display, 0...15.
  package var bar: Int { Int(bytes[2] & 0x0F) }
  /// Whether there is no finger.
  package var hasNoFinger: Bool { bytes[2] & 0x10 != 0 }
  /// Whether the oximeter searches for a pulse.
  package var isSearching: Bool { bytes[2] & 0x20 != 0 }

  /// The pulse rate in beats per minute; nil when there is none.
  package var pulseRate: Int? {
    let value = (bytes[2] & 0x40) << 1 | bytes[3]
    return value == 255 ? nil : Int(value)
  }

  /// The saturation in percent; nil when there is none.
  package var saturation: Int? { bytes[4] == 127 ? nil : Int(bytes[4]) }

  /// The measured values; nil without finger, probe or signal, and while the oximeter searches.
  package var sample: OximetrySample? {
    guard !hasNoFinger, !isProbeUnplugged, !hasNoSignal, !isSearching else { return nil }
    return OximetrySample(saturation: saturation, pulseRate: pulseRate)
  }
}

extension BerryPacket: StreamedFrame {
  package static func extent(of start: ArraySlice<UInt8>) -> FrameExtent {
    (start.first ?? 0) & 0x80 != 0 ? .bytes(count) : .noFrame
  }
}
