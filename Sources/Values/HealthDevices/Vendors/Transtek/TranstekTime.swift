// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A time as Transtek devices count it: seconds since 2010, local time without summer time.
///
/// Source: casebeer/welch-allyn-bp100-python.
package struct TranstekTime: CharacteristicValue {
  /// 2010-01-01 00:00:00.
  private static let epoch = 1_262_304_000

  /// The seconds since 2010-01-01 00:00:00.
  package var seconds: UInt32

  /// Takes any number of seconds.
  package init(seconds: UInt32) {
    self.seconds = seconds
  }

  /// Creates the time for what a clock shows.
  ///
  /// - Throws: `outOfRange` before 2010 and after 2146, and for a day that does not exist.
  package init(_ time: LocalDateTime) throws(PayloadError) {
    guard let seconds = time.secondsSince1970.flatMap({ UInt32(exactly: $0 - Self.epoch) })
    else {
      throw PayloadError(
        .outOfRange, field: "Time", message: "The years are 2010...2146. Set the clock first.")
    }
    self.init(seconds: seconds)
  }

  /// Reads the four bytes.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    seconds = try reader.uint32(field: "Time")
  }

  /// Writes the four bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.uint32(seconds)
  }

  /// What the device's clock showed.
  package var dateTime: LocalDateTime {
    LocalDateTime(secondsSince1970: Self.epoch + Int(seconds))
  }
}
