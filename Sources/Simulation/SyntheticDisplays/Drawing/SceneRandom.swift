// SPDX-License-Identifier: Apache-2.0

/// Random numbers that follow from a seed, on each platform the same (SplitMix64).
struct SceneRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// From 0 to 1, without 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func real(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + unit() * (range.upperBound - range.lowerBound)
  }

  mutating func whole(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// True in so many of all cases, from 0 to 1.
  mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[whole(0...elements.count - 1)]
  }

  /// About normal: the sum of twelve, which needs no functions that differ from platform to platform.
  mutating func normal(_ deviation: Double = 1) -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += unit() }
    return sum * deviation
  }
}
