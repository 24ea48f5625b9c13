// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioCompression
import Testing

@Suite struct `The gzip form` {
  /// What `printf 'nothing lost' | gzip -n` makes.
  private static let packed: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xcb, 0xcb, 0x2f, 0xc9, 0xc8,
    0xcc, 0x4b, 0x57, 0xc8, 0xc9, 0x2f, 0x2e, 0x01, 0x00, 0xa1, 0xda, 0x9f, 0xc0, 0x0c, 0x00,
    0x00, 0x00,
  ]
  private static let plain = Array("nothing lost".utf8)

  @Test func `expands data compressed by another program`() throws {
    #expect(try Gzip.expand(Self.packed, limit: 12) == Self.plain)
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 1_000_000])
  func `expands what it has compressed`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    let packed = try #require(Gzip.compress(bytes))
    #expect(try Gzip.expand(packed, limit: count) == bytes)
  }

  @Test func `compresses repetitive bytes, and rejects expansion beyond the limit`() throws {
    let packed = try #require(Gzip.compress([UInt8](repeating: 7, count: 10_000_000)))
    #expect(packed.count < 20_000)
    #expect(throws: GzipError.tooLarge) { try Gzip.expand(packed, limit: 9_999_999) }
  }

  @Test func `rejects every truncation`() {
    for count in 0..<Self.packed.count {
      #expect(throws: GzipError.truncated) {
        try Gzip.expand(Array(Self.packed.prefix(count)), limit: 100)
      }
    }
  }

  @Test func `rejects damaged data, trailing bytes, and data that is not gzip`() {
    var damaged = Self.packed
    damaged[14] ^= 1
    for bytes in [damaged, Self.packed + [0], Array("{\"a\":1}".utf8)] {
      #expect(throws: GzipError.malformed) { try Gzip.expand(bytes, limit: 100) }
    }
  }
}
