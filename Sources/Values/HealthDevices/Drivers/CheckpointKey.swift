// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// The key under which measurements leave their fingerprint in a ``SyncCheckpoint``.
///
/// A fingerprint of so few bytes as a measurement has could be searched for by anybody who knows
/// how it is made: so it takes a key, which is made by chance and kept with the checkpoints,
/// encrypted.
public struct CheckpointKey: Hashable, Sendable, Codable {
  private let first: UInt64
  private let second: UInt64

  /// A key of two numbers.
  public init(_ first: UInt64 = 0, _ second: UInt64 = 0) {
    self.first = first
    self.second = second
  }

  /// A new key.
  package static func random() -> CheckpointKey {
    CheckpointKey(.random(in: .min ... .max), .random(in: .min ... .max))
  }

  /// SipHash-2-4 of bytes: the same in every process that has the key.
  ///
  /// Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012.
  package func fingerprint(of bytes: some Sequence<UInt8>) -> UInt64 {
    var state = State(first, second)
    var (word, count) = (UInt64(0), 0)
    for byte in bytes {
      word |= UInt64(byte) << (8 * (count % 8))
      count += 1
      guard count.isMultiple(of: 8) else { continue }
      state.take(word)
      word = 0
    }
    state.take(word | UInt64(truncatingIfNeeded: count) << 56)
    return state.finished()
  }

  private struct State {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64

    init(_ first: UInt64, _ second: UInt64) {
      v0 = first ^ 0x736F_6D65_7073_6575
      v1 = second ^ 0x646F_7261_6E64_6F6D
      v2 = first ^ 0x6C79_6765_6E65_7261
      v3 = second ^ 0x7465_6462_7974_6573
    }

    mutating func take(_ word: UInt64) {
      v3 ^= word
      mix()
      mix()
      v0 ^= word
    }

    mutating func finished() -> UInt64 {
      v2 ^= 0xFF
      for _ in 0..<4 { mix() }
      return v0 ^ v1 ^ v2 ^ v3
    }

    private mutating func mix() {
      v0 &+= v1
      v1 = v1.rotated(by: 13) ^ v0
      v0 = v0.rotated(by: 32)
      v2 &+= v3
      v3 = v3.rotated(by: 16) ^ v2
      v0 &+= v3
      v3 = v3.rotated(by: 21) ^ v0
      v2 &+= v1
      v1 = v1.rotated(by: 17) ^ v2
      v2 = v2.rotated(by: 32)
    }
  }
}

extension UInt64 {
  fileprivate func rotated(by count: UInt64) -> UInt64 { self << count | self >> (64 - count) }
}
