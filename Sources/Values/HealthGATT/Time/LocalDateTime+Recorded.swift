// SPDX-License-Identifier: Apache-2.0

package import CivilCalendar

extension LocalDateTime {
  /// Takes the time of a record in a manufacturer's own layout, in which each day must be of the
  /// calendar.
  ///
  /// - Parameters:
  ///   - timestamp: The components.
  ///   - offset: Where they start in the payload.
  /// - Throws: `outOfRange` at the offset.
  package init(recorded timestamp: Timestamp, at offset: Int) throws(PayloadError) {
    guard let time = timestamp.localDateTime, time.isPossible else {
      throw PayloadError(
        .outOfRange, field: "Time Stamp", offset: offset,
        message: "There is no such day or time. Leave the record out.")
    }
    self = time
  }
}

extension Timestamp {
  /// Takes the six bytes year (since 2000), month, day, hours, minutes and seconds.
  package init(yearSince2000 bytes: some Sequence<UInt8>) {
    let components = Array(bytes.prefix(6)) + [UInt8](repeating: 0, count: 6)
    self.init(
      year: 2000 + UInt16(components[0]), month: components[1], day: components[2],
      hours: components[3], minutes: components[4], seconds: components[5])
  }

  /// The six bytes year (since 2000), month, day, hours, minutes and seconds.
  package var bytesSince2000: [UInt8] {
    [UInt8(truncatingIfNeeded: year &- 2000), month, day, hours, minutes, seconds]
  }
}
