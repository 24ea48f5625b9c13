// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A measurement of a Yonker YK-IBPA1 or YK-BPW5, sent once when the host connects after it.
///
/// ```
/// // 81  83   67   51    0000  19 0B 18 13 12  00000000
/// // ST  SYS  DIA  PULS  ?     DA MO YY HH MM  ?
/// ```
///
/// The clock of these monitors is not reliable. Source: derdilla/blood-pressure-monitor-fl.
package struct YonkerMeasurement: CharacteristicValue {
  private static let start: UInt8 = 0x81

  /// In mmHg.
  package let systolic: UInt8
  /// In mmHg.
  package let diastolic: UInt8
  /// Beats per minute.
  package let pulseRate: UInt8
  /// The time on the device's clock, to the minute, whether or not it is a possible time.
  package let timestamp: Timestamp
  private var unknownBefore: [UInt8] = [0, 0]
  private var unknownAfter: [UInt8] = [0, 0, 0, 0]

  /// Creates a measurement as a monitor sends it; years are those after 2000.
  package init(systolic: UInt8, diastolic: UInt8, pulseRate: UInt8, time: LocalDateTime) {
    self.systolic = systolic
    self.diastolic = diastolic
    self.pulseRate = pulseRate
    timestamp = Timestamp(time)
  }

  /// Reads the 15 bytes.
  package init(from reader: inout PayloadReader) throws(PayloadError) {
    try reader.constant(Self.start, field: "Start")
    systolic = try reader.uint8(field: "Systolic")
    diastolic = try reader.uint8(field: "Diastolic")
    pulseRate = try reader.uint8(field: "Pulse Rate")
    unknownBefore = try reader.bytes(2, field: "Reserved")
    let date = try reader.bytes(5, field: "Time Stamp")
    timestamp = Timestamp(yearSince2000: [date[2], date[1], date[0], date[3], date[4]])
    unknownAfter = try reader.bytes(4, field: "Reserved")
  }

  /// Writes the 15 bytes.
  package func encode(to writer: inout PayloadWriter) {
    let date = timestamp.bytesSince2000
    writer.append([Self.start, systolic, diastolic, pulseRate])
    writer.append(unknownBefore)
    writer.append([date[2], date[1], date[0], date[3], date[4]])
    writer.append(unknownAfter)
  }
}
