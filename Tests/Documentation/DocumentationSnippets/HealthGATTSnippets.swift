// SPDX-License-Identifier: Apache-2.0

import HealthGATT

private func decode() throws {
  let bytes: [UInt8] = [0x14, 0x76, 0x00, 0x4C, 0x00, 0x5A, 0x00, 0x47, 0x00, 0x04, 0x00]
  let measurement = try BloodPressureMeasurement(payload: bytes)

  if measurement.hasResult, let systolic = measurement.systolicPressure {
    print(systolic.millimetersOfMercury)  // 118.0
  }
  let isIrregular = measurement.measurementStatus?.contains(.irregularPulse) ?? false  // true
  let isSame = measurement.payload == bytes  // true
  _ = (isIrregular, isSame)
}
