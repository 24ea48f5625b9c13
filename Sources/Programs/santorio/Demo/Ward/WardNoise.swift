// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Random numbers that are the same for the same name and minute.
struct WardNoise: RandomNumberGenerator {
  private var state: UInt64

  /// Numbers for what a device, or a patient, does at a time.
  init(_ name: String, at date: Date) {
    let minute = UInt64(bitPattern: Int64(date.timeIntervalSince1970 / 60))
    // FNV-1a.
    state = (Array(name.utf8).map(UInt64.init) + [minute])
      .reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ $1) &* 0x100_0000_01B3 }
  }

  /// The next number of SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A deviation of at most `limit` on either side; small ones are more frequent.
  mutating func deviation(_ limit: Double) -> Double {
    (Double.random(in: -limit...limit, using: &self)
      + Double.random(in: -limit...limit, using: &self)) / 2
  }
}
