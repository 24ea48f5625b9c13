// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// What sets the clock of a Contour meter.
///
/// ```
/// // 01  EA07 03 1D 0A 00 00  7800
/// // OP  UNIVERSAL TIME       OFFS
/// ```
///
/// The offset is local time less universal time, in minutes; the meter puts it into the Time Offset
/// of its records. No way to read the clock is known. Source: NightscoutFoundation/xDrip.
package struct ContourClockSetting: CharacteristicValue {
  package var universalTime: DateTime
  package var offsetMinutes: Int16

  package init(universalTime: DateTime, offsetMinutes: Int16) {
    self.universalTime = universalTime
    self.offsetMinutes = offsetMinutes
  }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    let offset = reader.offset
    guard try reader.uint8(field: "Op Code") == 1 else {
      throw PayloadError(
        .reservedValue, field: "Op Code", offset: offset, message: "Only 1 (set time) is known.")
    }
    universalTime = try DateTime(from: &reader)
    offsetMinutes = try reader.int16(field: "Time Offset")
  }

  package func encode(to writer: inout PayloadWriter) {
    writer.uint8(1)
    universalTime.encode(to: &writer)
    writer.int16(offsetMinutes)
  }
}

extension GATTAttribute {
  package static let contourClock = GATTAttribute(
    "00000000-0002-11E2-9E96-0800200C9A66", "00001026-0002-11E2-9E96-0800200C9A66")
}

extension ClockProcedure.Form {
  /// The clock of a Contour meter.
  package static let contour = Self(.contourClock, reading: .none, shown: { _ in nil }) { time in
    var universal = time
    universal.utcOffsetSeconds = 0
    guard let now = universal.local, let universalTime = try? DateTime(now),
      let minutes = Int16(exactly: time.utcOffsetSeconds / 60)
    else { return nil }
    return ContourClockSetting(universalTime: universalTime, offsetMinutes: minutes).payload
  }
}
