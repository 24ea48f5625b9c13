// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What a Viatom BP2 is asked for.
///
/// Source: chalimov/viatom_bp2_ha, LP-BP2W_PROTOCOL.md.
package enum BP2Request: Hashable, Sendable {
  /// E1: serial number and clock.
  case information
  /// EC: set the clock.
  case setTime(LocalDateTime)
  /// 30: the battery's voltage.
  case battery
  /// 00: what the monitor is doing; its user sees nothing of it.
  case state
  /// F2: open the file of measurements; not answered while it measures.
  case openFile
  /// F3: bytes of the file from an offset on.
  case part(offset: UInt32)
  /// F4: close the file.
  case closeFile

  package var command: UInt8 {
    switch self {
    case .information: 0xE1
    case .setTime: 0xEC
    case .battery: 0x30
    case .state: 0x00
    case .openFile: 0xF2
    case .part: 0xF3
    case .closeFile: 0xF4
    }
  }

  /// What the frame carries.
  package var content: [UInt8] {
    var writer = PayloadWriter()
    switch self {
    case .setTime(let time): writer.timestamp(Timestamp(time))
    case .openFile:
      let name = Array(BP2File.name.utf8)
      writer.append(name + [UInt8](repeating: 0, count: max(20 - name.count, 0)))
    case .part(let offset): writer.uint32(offset)
    case .information, .battery, .state, .closeFile: break
    }
    return writer.bytes
  }
}

/// What a Viatom BP2 reports about itself: its answer to E1.
///
/// ```
/// // 42  ...  EA07 03 07 17 06 37  ...  0A   "2523C00812"
/// // HW       CLOCK at 24               LEN at 37
/// ```
package struct BP2Information: Hashable, Sendable {
  /// What the clock shows; nil when that is no time.
  package let time: LocalDateTime?
  /// The serial number; nil when there is none.
  package let serialNumber: String?

  /// Reads the payload of the answer.
  package init(payload: some Collection<UInt8>) throws(PayloadError) {
    var reader = PayloadReader(payload)
    _ = try reader.bytes(24, field: "Versions")
    time = try reader.timestamp(field: "Clock").localDateTime
    _ = try reader.bytes(6, field: "Reserved")
    let count = Int(try reader.uint8(field: "Length of Serial Number"))
    let text = try reader.bytes(min(count, reader.remainingCount), field: "Serial Number")
    let printable = text.allSatisfy { (0x21...0x7E).contains($0) }
    serialNumber = printable && !text.isEmpty ? String(decoding: text, as: UTF8.self) : nil
  }
}

/// What a Viatom BP2 is doing: the last byte of its answer to 00.
package enum BP2State: Hashable, Sendable {
  case idle, measuring, result, other

  /// Reads the payload of the answer; nil when it is cut.
  package init?(payload: [UInt8]) {
    guard payload.count > 39 else { return nil }
    switch payload[39] {
    case 3: self = .idle
    case 4, 15, 16: self = .measuring
    case 5, 17: self = .result
    default: self = .other
    }
  }
}
