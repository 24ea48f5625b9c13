// SPDX-License-Identifier: Apache-2.0

/// Values as of a healthy person, another set for each number.
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
}
