// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// A measurement in the memory of an Omron monitor.
package struct OmronRecord: Hashable, Sendable {
  private static let systolicOffset = 25

  /// In mmHg, 25...280.
  package let systolic: Int
  /// In mmHg, 0...255.
  package let diastolic: Int
  /// Beats per minute, 0...255.
  package let pulseRate: Int
  /// Whether the body moved.
  package let hasBodyMovement: Bool
  /// Whether the pulse was irregular.
  package let hasIrregularPulse: Bool
  /// The time on the device's clock.
  package let time: LocalDateTime
  /// The number that the device counts measurements with, where it is known to keep one.
  package let sequence: UInt16?

  /// Reads a slot of the memory; nil when the slot is empty.
  ///
  /// A second of 60...63, which some models store, becomes 59.
  ///
  /// - Throws: `truncated` or `trailingBytes` for a slot of another length; `outOfRange` when the
  ///   time cannot be, as in a slot that is damaged or of another layout.
  package init?(
    slot: some Collection<UInt8>, layout: OmronRecordLayout
  ) throws(PayloadError) {
    var reader = PayloadReader(slot)
    let bytes = try reader.bytes(layout.byteCount, field: "Slot")
    try reader.finish()
    if layout.isEmpty(bytes) { return nil }
    reader = PayloadReader(bytes)
    let pressures = try layout.word(from: &reader, field: "Pressures")
    let yearAndPulse = try layout.word(from: &reader, field: "Year and Pulse Rate")
    let date = try layout.word(from: &reader, field: "Date")
    let minutes = try layout.word(from: &reader, field: "Minutes and Seconds")
    systolic = Int(pressures & 0xFF) + Self.systolicOffset
    diastolic = Int(pressures >> 8)
    pulseRate = Int(yearAndPulse & 0xFF)
    hasBodyMovement = date & layout.movementMask != 0
    hasIrregularPulse = date & layout.irregularPulseMask != 0
    time = try Self.time(yearAndPulse >> 8 & layout.yearMask, date, minutes)
    sequence = layout.sequenceOffset.map {
      UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
    }
  }

  private static func time(
    _ year: UInt16, _ date: UInt16, _ minutes: UInt16
  ) throws(PayloadError) -> LocalDateTime {
    let timestamp = Timestamp(
      year: 2000 + year, month: UInt8(date >> 10 & 0xF), day: UInt8(date >> 5 & 0x1F),
      hours: UInt8(date & 0x1F), minutes: UInt8(minutes >> 6 & 0x3F),
      seconds: UInt8(min(minutes & 0x3F, 59)))
    return try LocalDateTime(recorded: timestamp, at: 2)
  }
}
