// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// How a family of Omron monitors keeps one measurement in its memory.
///
/// All families have the same four words of 16 bits. They differ in the order of the bytes, in the
/// width of the year, and in a few marks:
///
/// ```
/// // bit  15        8 7         0
/// // 0    diastolic   systolic - 25
/// // 1    year - 2000 pulse rate
/// // 2    m i month:4 day:5 hours:5      m: body moved, i: irregular pulse
/// // 3    ? ? ? ? minutes:6 seconds:6
/// ```
///
/// Source: userx14/omblepy, deviceSpecific; eigger/hass-omron, record parsers.
package struct OmronRecordLayout: Hashable, Sendable {
  /// The bytes of a slot.
  package let byteCount: Int
  let isBigEndian: Bool
  /// The bits of the year that count.
  let yearMask: UInt16
  let movementMask: UInt16
  let irregularPulseMask: UInt16
  /// The first byte of a slot that holds a measurement is at most this.
  let highestFirstByte: UInt8
  /// Where a slot has the number of its measurement.
  let sequenceOffset: Int?

  private init(
    byteCount: Int = 14, isBigEndian: Bool = false, yearMask: UInt16 = 0x3F,
    movementMask: UInt16 = 0x8000, irregularPulseMask: UInt16 = 0x4000,
    highestFirstByte: UInt8 = 0xFF, sequenceOffset: Int? = nil
  ) {
    self.byteCount = byteCount
    self.isBigEndian = isBigEndian
    self.yearMask = yearMask
    self.movementMask = movementMask
    self.irregularPulseMask = irregularPulseMask
    self.highestFirstByte = highestFirstByte
    self.sequenceOffset = sequenceOffset
  }

  /// HEM-7322T, HEM-7600T (EVOLV).
  package static let hem7322T = OmronRecordLayout(isBigEndian: true, yearMask: 0xFF)
  /// HEM-7530T.
  package static let hem7530T = OmronRecordLayout(isBigEndian: true)
  /// HEM-6232T, which has the marks of movement and irregular pulse the other way round.
  package static let hem6232T = OmronRecordLayout(
    isBigEndian: true, movementMask: 0x4000, irregularPulseMask: 0x8000)
  /// HEM-7142T2, HEM-7143T1.
  package static let hem7142T2 = OmronRecordLayout(highestFirstByte: 0xE1, sequenceOffset: 10)
  /// HEM-7150T, HEM-7155T, HEM-7342T, HEM-7361T.
  package static let hem7361T = OmronRecordLayout(byteCount: 16)

  /// Whether a slot holds nothing: erased, or never written.
  func isEmpty(_ slot: [UInt8]) -> Bool {
    guard let first = slot.first else { return true }
    return slot.allSatisfy { $0 == 0xFF } || slot.dropFirst().allSatisfy { $0 == 0 }
      || first > highestFirstByte
  }

  func word(from reader: inout PayloadReader, field: String) throws(PayloadError) -> UInt16 {
    isBigEndian ? try reader.bigEndianUInt16(field: field) : try reader.uint16(field: field)
  }

  func append(_ word: UInt16, to writer: inout PayloadWriter) {
    isBigEndian ? writer.bigEndianUInt16(word) : writer.uint16(word)
  }
}
