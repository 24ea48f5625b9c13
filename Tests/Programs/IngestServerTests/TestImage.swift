// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import TestSupport
import SantorioCryptography

/// What passes for an image: the first bytes of its type, then bytes made of a seed.
struct TestImage {
  let type: String
  let bytes: [UInt8]
  var digest: String { SHA256Digest.hex(bytes) }

  init(_ seed: UInt64, type: String = "image/jpeg", size: Int = 2_000) {
    self.type = type
    var random = SeededGenerator(seed: seed)
    let head = Self.heads[type] ?? []
    let noise = (0..<min(size, 1_000)).map { _ in UInt8.random(in: 0...255, using: &random) }
    var bytes = head
    while bytes.count < size { bytes += noise }
    bytes.removeLast(bytes.count - size)
    self.bytes = bytes
  }

  static let heads: [String: [UInt8]] = [
    "image/jpeg": [0xff, 0xd8, 0xff, 0xe0],
    "image/png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    "image/heic": [0, 0, 0, 0x18] + "ftypheic".utf8 + [0, 0, 0, 0] + "mif1heic".utf8,
  ]
}
