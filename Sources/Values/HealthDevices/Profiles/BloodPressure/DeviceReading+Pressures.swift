// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

extension DeviceReading {
  /// A measurement in a manufacturer's own layout, in mmHg and beats per minute.
  ///
  /// A monitor that could not measure sends zeros.
  init(
    systolic: some BinaryInteger, diastolic: some BinaryInteger,
    mean: (some BinaryInteger)? = UInt8?.none, pulseRate: some BinaryInteger,
    clock: Clock? = nil, payload: [UInt8]
  ) {
    guard systolic > 0, diastolic > 0 else {
      self.init(
        rejected: .failedMeasurement,
        "The device reports that the measurement failed. Measure again.", payload: payload)
      self.clock = clock
      return
    }
    var values = [
      Metric(.systolic, Double(systolic)),
      Metric(.diastolic, Double(diastolic)),
    ]
    if let mean, mean > 0 { values.append(Metric(.meanArterialPressure, Double(mean))) }
    if pulseRate > 0 { values.append(Metric(.pulse, Double(pulseRate))) }
    self.init(values, clock: clock, payload: payload)
  }
}
