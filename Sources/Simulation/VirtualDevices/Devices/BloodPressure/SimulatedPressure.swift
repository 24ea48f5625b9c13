// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

/// Plausible values for a healthy person; each number gives another set.
struct SimulatedPressure: Hashable, Sendable {
  /// mmHg.
  let systolic: UInt8
  /// mmHg.
  let diastolic: UInt8
  /// Beats per minute.
  let pulseRate: UInt8

  init(_ number: Int) {
    let number = Int(number.magnitude % 10_000)
    systolic = UInt8(108 + number * 7 % 34)
    diastolic = UInt8(66 + number * 5 % 22)
    pulseRate = UInt8(56 + number * 11 % 28)
  }

  /// The values as a device of the Blood Pressure Profile sends them (2A35).
  func measurement(at time: LocalDateTime?, userID: UserID? = nil) -> BloodPressureMeasurement? {
    let words = [systolic, diastolic, pulseRate]
      .compactMap { try? MedicalFloat16(Double($0), exponent: 0) }
    guard words.count == 3 else { return nil }
    return BloodPressureMeasurement(
      systolic: words[0], diastolic: words[1], timestamp: time.map { Timestamp($0) },
      pulseRate: words[2], userID: userID, measurementStatus: [])
  }
}
