// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What sets or asks for the clock of a CareSens meter, and its answer.
///
/// ```
/// // C0 03 01 00  EA07 03 1D 0C 00 00
/// // HEADER       LOCAL TIME, or seven zeros to ask for it
/// ```
///
/// The answer has four bytes before the time, too; they need not be those of the request. Sources:
/// tidepool-org/uploader, NightscoutFoundation/xDrip.
package struct CareSensClockFrame: CharacteristicValue {
  /// The bytes before the time.
  package var header: [UInt8]
  /// The time as sent.
  package var timestamp: Timestamp

  /// Sets the clock.
  package init(setting time: LocalDateTime) {
    header = Self.requestHeader
    timestamp = Timestamp(time)
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    header = try reader.bytes(4, field: "Header")
    timestamp = try reader.timestamp(field: "Time")
  }

  package func encode(to writer: inout PayloadWriter) {
    writer.append(header)
    writer.timestamp(timestamp)
  }

  /// Asks for the time.
  package static let query = requestHeader + [UInt8](repeating: 0, count: 7)
  package static let requestHeader: [UInt8] = [0xC0, 0x03, 0x01, 0x00]
}

extension GATTAttribute {
  /// The clock of meters with version 1.4 of the protocol.
  package static let careSensClock = GATTAttribute("FFF0", "FFF1")
  /// The clock of meters with version 1.5 of the protocol.
  package static let careSensClock15 = GATTAttribute(
    "C4DEA010-5A9D-11E9-8647-D663BD873D93", "C4DEA3BC-5A9D-11E9-8647-D663BD873D93")
}

extension ClockProcedure.Form {
  /// The clock of a CareSens meter.
  ///
  /// The answer to the setting comes late and is not waited for.
  package static func careSens(_ attribute: GATTAttribute) -> Self {
    Self(
      attribute, reading: .query(CareSensClockFrame.query),
      shown: { DeviceClock.Shown((try? CareSensClockFrame(payload: $0))?.timestamp.dateTime) },
      setting: { time in time.local.map { CareSensClockFrame(setting: $0).payload } })
  }
}
