// SPDX-License-Identifier: Apache-2.0

import HealthRecords

/// What passes for an image: the first octets of its type, then octets made of a seed.
struct TestImage {
  let type: String
  let octets: [UInt8]
  var digest: String { SHA256Digest.hex(octets) }

  init(_ seed: UInt64, type: String = "image/jpeg", size: Int = 2_000) {
    self.type = type
    var random = SplitMix(state: seed)
    let head = Self.heads[type] ?? []
    let noise = (0..<min(size, 1_000)).map { _ in UInt8.random(in: 0...255, using: &random) }
    var octets = head
    while octets.count < size { octets += noise }
    octets.removeLast(octets.count - size)
    self.octets = octets
  }

  static let heads: [String: [UInt8]] = [
    "image/jpeg": [0xff, 0xd8, 0xff, 0xe0],
    "image/png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    "image/heic": [0, 0, 0, 0x18] + "ftypheic".utf8 + [0, 0, 0, 0] + "mif1heic".utf8,
  ]
}

/// A small generator with a seed, so that a run can be repeated.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
