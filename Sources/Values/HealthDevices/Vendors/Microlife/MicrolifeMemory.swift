// SPDX-License-Identifier: Apache-2.0

package import HealthGATT

/// The measurements of a Microlife monitor: the payload of its reply to `MicrolifeFrame.readAll`.
///
/// After 38 bytes ten for each slot, the last of which may lack the two that are not understood:
///
/// ```
/// // 78   50   3C    18 06 0F 0E 1E  0000
/// // SYS  DIA  PULS  YY MO DA HH MM  ?
/// ```
///
/// Source: derdilla/blood-pressure-monitor-fl; joergmlpts/blood-pressure-monitor.
package struct MicrolifeMemory: Hashable, Sendable {
  /// A measurement.
  package struct Record: Hashable, Sendable {
    /// In mmHg.
    package let systolic: UInt8
    /// In mmHg.
    package let diastolic: UInt8
    /// Beats per minute.
    package let pulseRate: UInt8
    /// The time on the device's clock, to the minute.
    package let time: LocalDateTime
  }

  private static let headerCount = 38
  private static let slotCount = 10
  private static let knownCount = 8

  /// The measurements, in the order of the slots.
  package let records: [Record]
  /// The slots that hold pressures without a possible time.
  package let damagedSlots: [[UInt8]]

  /// Reads the payload of the reply.
  ///
  /// - Throws: `truncated` when there are less than the 38 bytes before the first slot.
  package init(payload: some Collection<UInt8>) throws(PayloadError) {
    var reader = PayloadReader(payload)
    _ = try reader.bytes(Self.headerCount, field: "Header")
    var records: [Record] = []
    var damagedSlots: [[UInt8]] = []
    while reader.remainingCount >= Self.knownCount {
      let slot = try reader.bytes(min(Self.slotCount, reader.remainingCount), field: "Slot")
      if slot.prefix(3).allSatisfy({ $0 == 0 }) { continue }
      if let record = Record(slot) {
        records.append(record)
      } else {
        damagedSlots.append(slot)
      }
    }
    self.records = records
    self.damagedSlots = damagedSlots
  }
}

extension MicrolifeMemory.Record {
  init?(_ slot: [UInt8]) {
    let timestamp = Timestamp(yearSince2000: slot[3..<8])
    guard let time = timestamp.localDateTime else { return nil }
    self.init(systolic: slot[0], diastolic: slot[1], pulseRate: slot[2], time: time)
  }

  /// The ten bytes of the slot.
  package var slot: [UInt8] {
    [systolic, diastolic, pulseRate] + Timestamp(time).bytesSince2000.prefix(5) + [0, 0]
  }
}
