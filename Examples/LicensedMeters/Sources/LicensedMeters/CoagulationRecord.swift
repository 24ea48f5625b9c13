// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import HealthRecords

/// A record of the stand-in protocol for coagulation meters, in clear text.
///
/// ```
/// // 2A00  EA07 03 1D 0C 00 00  19F0  00
/// // SEQ   YEAR MO DA HH MM SS  INR   FLAGS
/// ```
///
/// Flags: bit 0 a control was measured, bit 1 the measurement failed.
struct CoagulationRecord: CharacteristicValue {
  var sequenceNumber: UInt16
  var timestamp: Timestamp
  /// The international normalised ratio, as an SFLOAT.
  var ratio: MedicalFloat16
  var flags: UInt8

  init(
    sequenceNumber: UInt16, timestamp: Timestamp, ratio: MedicalFloat16, flags: UInt8 = 0
  ) {
    self.sequenceNumber = sequenceNumber
    self.timestamp = timestamp
    self.ratio = ratio
    self.flags = flags
  }

  init(from reader: inout PayloadReader) throws(PayloadError) {
    sequenceNumber = try reader.uint16(field: "Sequence Number")
    timestamp = try reader.timestamp(field: "Time Stamp")
    ratio = try reader.medicalFloat16(field: "INR")
    flags = try reader.uint8(field: "Flags")
  }

  func encode(to writer: inout PayloadWriter) {
    writer.uint16(sequenceNumber)
    writer.timestamp(timestamp)
    writer.medicalFloat16(ratio)
    writer.uint8(flags)
  }

  /// What it is for the user.
  var reading: DeviceReading {
    guard flags & 0b01 == 0 else {
      return DeviceReading(
        rejected: .control, "A control was measured, which is no reading of the user.",
        payload: payload)
    }
    guard flags & 0b10 == 0, let value = ratio.double else {
      return DeviceReading(
        rejected: .failedMeasurement, "The meter reports that the test failed. Test again.",
        payload: payload)
    }
    var reading = DeviceReading(
      [Metric(.inr, value)], clock: timestamp.localDateTime.map { .local($0) }, payload: payload)
    reading.sequenceNumber = Int(sequenceNumber)
    return reading
  }
}
