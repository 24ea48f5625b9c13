// SPDX-License-Identifier: Apache-2.0

/// Random whole numbers that follow from a seed, a purpose and a day (SplitMix64).
///
/// A day's numbers do not depend on how many days are generated.
struct SeededRandom {
  /// What numbers are drawn for; each purpose has its own sequence.
  enum Purpose: UInt64 {
    case walks = 1
    case chunks, climbs, night, stages, wear, seam, workouts, workoutHeart, heart, energy, basal
    case exercise, standing, mindful, body, pressure, glucose, meals, drinks, cycle, temperature
    case oxygen, breathing, variability, fitness, gait, effort, audio, pointers, copies, route, ecg
  }

  private var state: UInt64

  init(_ seed: UInt64, _ purpose: Purpose, _ day: Int) {
    state = Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
    state = Self.mix(state ^ purpose.rawValue &* 0xD6E8_FEB8_6659_FD93)
    state = Self.mix(state ^ UInt64(bitPattern: Int64(day)) &* 0xA076_1D64_78BD_642F)
  }

  static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// A number of a range.
  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(((next() >> 32) &* UInt64(range.count)) >> 32)
  }

  /// A number of a range that is a multiple of `step`.
  mutating func number(_ range: ClosedRange<Int>, step: Int) -> Int {
    number(range.lowerBound / step...range.upperBound / step) * step
  }

  /// True in so many of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }
}
