// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What a OneTouch meter is asked for.
///
/// This is all that is ever sent to a meter: the request that erases its memory (0x1A) is not among
/// it. Source: glucometers-tech/glucometer-protocols, tidepool-org/uploader.
package enum OneTouchRequest: Hashable, Sendable {
  /// The clock, in seconds since 2000.
  case readClock
  /// Set the clock.
  case setClock(secondsSince2000: UInt32)
  /// The id of the newest result: all results ever taken are numbered.
  case newestRecordID
  /// How many results are in the memory.
  case recordCount
  /// A result by its id.
  case record(id: UInt16)
  /// A text about the meter.
  case text(OneTouchText)

  /// The bytes of the request.
  package var message: [UInt8] {
    var writer = PayloadWriter()
    switch self {
    case .readClock: writer.append([0x20, 0x02])
    case .setClock(let seconds):
      writer.append([0x20, 0x01])
      writer.uint32(seconds)
    case .newestRecordID: writer.append([0x0A, 0x02, 0x06])
    case .recordCount: writer.append([0x27, 0x00])
    case .record(let id):
      writer.uint8(0xB3)
      writer.uint16(id)
    case .text(let text): writer.append([0xE6, 0x02, text.rawValue])
    }
    return writer.bytes
  }

  /// Reads a request, as a meter does.
  ///
  /// - Throws: `reservedValue` for anything that is not one of the requests above.
  package init(message: [UInt8]) throws(PayloadError) {
    var reader = PayloadReader(message)
    switch (message.first, message.dropFirst().first, message.dropFirst(2).first, message.count) {
    case (0x20, 0x02, _, 2): self = .readClock
    case (0x20, 0x01, _, 6):
      _ = try reader.uint16(field: "Request")
      self = .setClock(secondsSince2000: try reader.uint32(field: "Time"))
    case (0x0A, 0x02, 0x06, 3): self = .newestRecordID
    case (0x27, 0x00, _, 2): self = .recordCount
    case (0xB3, _, _, 3):
      _ = try reader.uint8(field: "Request")
      self = .record(id: try reader.uint16(field: "Record ID"))
    case (0xE6, 0x02, let text?, 3): self = .text(OneTouchText(rawValue: text))
    default:
      throw PayloadError(
        .reservedValue, field: "Request", offset: 0, message: "The request is not known. Refuse it."
      )
    }
  }
}

/// A text with which a OneTouch meter describes itself.
package struct OneTouchText: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The serial number.
  package static let serialNumber = OneTouchText(rawValue: 0x00)
  /// The model.
  package static let model = OneTouchText(rawValue: 0x01)
  /// The version of the software.
  package static let software = OneTouchText(rawValue: 0x02)
}
