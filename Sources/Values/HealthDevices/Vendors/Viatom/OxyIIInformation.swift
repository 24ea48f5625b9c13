// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The reply of an O2Ring-S to command E1: what it reports about itself, 60 bytes.
///
/// ```
/// // 4200 .... ........ 00  2D010002  01  ....  ....  ....  EA07 05 07 08 1E 00 ..  ........ ..
/// //                        FIRMWARE                         YEAR MO DA HH MM SS
/// // 0A   25B2303210
/// // LEN  SERIAL NUMBER
/// ```
///
/// Source: nglessner/o2ring-s-protocol.
package struct OxyIIInformation: Hashable, Sendable {
  /// The firmware's version.
  package let firmwareRevision: String
  /// What the ring's clock shows.
  package let clock: Timestamp
  /// The serial number; empty when it has none.
  package let serialNumber: String

  package init(firmwareRevision: String, clock: Timestamp, serialNumber: String) {
    self.firmwareRevision = firmwareRevision
    self.clock = clock
    self.serialNumber = serialNumber
  }

  package init(payload: some Collection<UInt8>) throws(PayloadError) {
    var reader = PayloadReader(payload)
    _ = try reader.bytes(9, field: "Unknown")
    firmwareRevision = Self.text(try reader.bytes(8, field: "Firmware"))
    _ = try reader.bytes(7, field: "Unknown")
    clock = try reader.timestamp(field: "Clock")
    _ = try reader.bytes(6, field: "Unknown")
    let length = Int(try reader.uint8(field: "Serial Number Length"))
    serialNumber = Self.text(try reader.bytes(length, field: "Serial Number"))
  }

  /// The 60 bytes.
  package var payload: [UInt8] {
    var writer = PayloadWriter()
    writer.append([0x42, 0, 0, 0, 0, 0, 0, 0, 0])
    writer.append(Array(firmwareRevision.utf8.prefix(8)))
    writer.append([UInt8](repeating: 0, count: max(0, 17 - writer.bytes.count)))
    writer.append([1, 0, 0, 0, 0, 0, 0])
    writer.timestamp(clock)
    writer.append([0, 0, 0, 0, 0, 0])
    let serial = Array(serialNumber.utf8.prefix(22))
    writer.uint8(UInt8(serial.count))
    writer.append(serial)
    writer.append([UInt8](repeating: 0, count: max(0, 60 - writer.bytes.count)))
    return writer.bytes
  }

  /// The printable characters up to the first NUL.
  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix { $0 != 0 }.filter { (0x20..<0x7F).contains($0) }, as: UTF8.self)
  }

  /// The same in the words of all rings.
  package var ring: RingInformation {
    var ring = RingInformation()
    if !serialNumber.isEmpty { ring.facts.append(.serialNumber(serialNumber)) }
    if !firmwareRevision.isEmpty { ring.facts.append(.firmwareRevision(firmwareRevision)) }
    ring.clock = clock.localDateTime
    return ring
  }
}
