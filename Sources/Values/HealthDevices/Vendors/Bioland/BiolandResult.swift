// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A result of the Bioland G-500 glucose meter: the body of a frame `BiolandFrame.Kind.result`.
///
/// ```
/// // 0E  01  01  05  19  00  C302
/// // YY  MO  DA  HH  MI  ?   MGDL
/// ```
///
/// Source: sivulich/AppiaGlucometers.
package struct BiolandResult: CharacteristicValue {
  private let timeBytes: [UInt8]
  /// Byte 5, of unknown meaning.
  private let unknown: UInt8
  /// The concentration of glucose in mg/dL.
  package let milligramsPerDeciliter: UInt16

  /// Creates a result.
  ///
  /// - Throws: `outOfRange` for an impossible date, and outside the years 2000...2255.
  package init(_ time: LocalDateTime, milligramsPerDeciliter: UInt16) throws(PayloadError) {
    timeBytes = try BiolandFrame.timeBytes(time)
    unknown = 0
    self.milligramsPerDeciliter = milligramsPerDeciliter
  }

  /// Reads time and concentration.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    timeBytes = try reader.bytes(5, field: "Time")
    unknown = try reader.uint8(field: "Unknown")
    milligramsPerDeciliter = try reader.uint16(field: "Glucose")
  }

  /// Writes the eight bytes.
  package func encode(to writer: inout PayloadWriter) {
    writer.append(timeBytes)
    writer.uint8(unknown)
    writer.uint16(milligramsPerDeciliter)
  }

  /// The time on the meter's clock, to the minute; nil when it is impossible.
  package var dateTime: DateTime? {
    try? DateTime(
      year: 2000 + Int(timeBytes[0]), month: Int(timeBytes[1]), day: Int(timeBytes[2]),
      hours: Int(timeBytes[3]), minutes: Int(timeBytes[4]), seconds: 0)
  }
}

extension BiolandFrame {
  /// Asks for a result; the meter answers with the next one or with the end.
  ///
  /// - Throws: `outOfRange` for an impossible date, and outside the years 2000...2255.
  package static func resultRequest(at time: LocalDateTime) throws(PayloadError) -> BiolandFrame {
    try request(.result, at: time)
  }

  /// Asks for the information about the meter.
  ///
  /// - Throws: `outOfRange` for an impossible date, and outside the years 2000...2255.
  package static func informationRequest(at time: LocalDateTime) throws(PayloadError)
    -> BiolandFrame
  {
    try request(.information, at: time)
  }

  private static func request(
    _ kind: Kind, at time: LocalDateTime
  ) throws(PayloadError) -> BiolandFrame {
    try BiolandFrame(.request, kind, body: timeBytes(time) + [UInt8(clamping: time.second)])
  }

  /// Year since 2000, month, day, hour and minute.
  static func timeBytes(_ time: LocalDateTime) throws(PayloadError) -> [UInt8] {
    guard time.isPossible, let year = UInt8(exactly: time.year - 2000) else {
      throw PayloadError(
        .outOfRange, field: "Time", message: "A day of the years 2000...2255 is needed.")
    }
    return [year] + [time.month, time.day, time.hour, time.minute].map { UInt8(clamping: $0) }
  }
}
