// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A seeded generator (SplitMix64): the same seed gives the same events.
struct RandomSource: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A version 4 UUID that depends on the numbers only.
  static func identifier(_ numbers: UInt64...) -> UUID {
    let start = numbers.reduce(0) { mix($0 &* 31 &+ $1 &+ 1) }
    var source = RandomSource(seed: start)
    var bytes = withUnsafeBytes(of: (source.next(), source.next())) { Array($0) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
