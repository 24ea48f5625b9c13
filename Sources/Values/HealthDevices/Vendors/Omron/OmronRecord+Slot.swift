// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

extension OmronRecord {
  /// The bytes of a slot that holds a measurement without marks.
  ///
  /// - Parameters:
  ///   - systolic: In mmHg, at least 25.
  ///   - diastolic: In mmHg.
  ///   - pulseRate: Beats per minute.
  ///   - time: The time on the device's clock, from 2000 on.
  ///   - sequence: The number of the measurement, where the layout has a place for it.
  ///   - layout: How the model keeps measurements.
  /// - Returns: The bytes.
  package static func slot(
    systolic: UInt8, diastolic: UInt8, pulseRate: UInt8, time: LocalDateTime, sequence: UInt16,
    layout: OmronRecordLayout
  ) -> [UInt8] {
    let stamp = Timestamp(time)
    let year = (stamp.year &- 2000) & layout.yearMask
    let date = UInt16(stamp.month) << 10 | UInt16(stamp.day) << 5 | UInt16(stamp.hours)
    var writer = PayloadWriter()
    layout.append(UInt16(diastolic) << 8 | UInt16(systolic &- 25), to: &writer)
    layout.append(year << 8 | UInt16(pulseRate), to: &writer)
    layout.append(date, to: &writer)
    layout.append(UInt16(stamp.minutes) << 6 | UInt16(stamp.seconds), to: &writer)
    var bytes =
      writer.bytes + [UInt8](repeating: 0, count: max(layout.byteCount - writer.bytes.count, 0))
    if let offset = layout.sequenceOffset {
      bytes[offset] = UInt8(truncatingIfNeeded: sequence)
      bytes[offset + 1] = UInt8(sequence >> 8)
    }
    return bytes
  }
}
