// SPDX-License-Identifier: Apache-2.0

import SantorioCompression
import Testing

@Suite struct `Gzip in parts` {
  private static let plain = (0..<100_000).map {
    UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13)
  }

  /// Expands what comes in parts of a size, in steps of at most another.
  private func expand(
    _ bytes: [UInt8], part: Int, step: Int = 1_000
  ) throws -> (bytes: [UInt8], isComplete: Bool) {
    let expansion = try GzipExpansion(stepSize: step)
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: part) {
      expansion.take(Array(bytes[start..<min(start + part, bytes.count)]))
      while case .bytes(let bytes) = try expansion.step() {
        #expect((1...step).contains(bytes.count))
        result += bytes
      }
    }
    return (result, expansion.isComplete)
  }

  @Test(arguments: [1, 7, 1_000, 1_000_000])
  func `expands to the same in any parts`(part: Int) throws {
    let packed = try #require(Gzip.compress(Self.plain))
    let (bytes, isComplete) = try expand(packed, part: part)
    #expect(bytes == Self.plain)
    #expect(isComplete)
  }

  @Test func `is not complete before its end`() throws {
    let packed = try #require(Gzip.compress(Self.plain))
    #expect(try !expand(Array(packed.dropLast()), part: 1_000).isComplete)
    #expect(try !expand([], part: 1).isComplete)
  }

  @Test func `rejects damaged data, trailing bytes, and data that is not gzip`() throws {
    let packed = try #require(Gzip.compress(Self.plain))
    var damaged = packed
    damaged[packed.count - 6] ^= 1
    for bytes in [damaged, packed + [0], Array("{\"a\":1}".utf8)] {
      #expect(throws: GzipError.malformed) { try expand(bytes, part: 1_000) }
      #expect(throws: GzipError.malformed) { try expand(bytes, part: 1) }
    }
  }

  @Test func `reports its claimed size`() throws {
    #expect(Gzip.claimedSize(try #require(Gzip.compress(Self.plain))) == 100_000)
    #expect(Gzip.claimedSize([UInt8](repeating: 1, count: 17)) == nil)
  }

  @Test func `rejects a claimed size that is too small, and reserves no more than claimed`() throws
  {
    var packed = try #require(Gzip.compress(Self.plain))
    packed.replaceSubrange((packed.count - 4)..., with: [10, 0, 0, 0])
    #expect(throws: GzipError.malformed) { try Gzip.expand(packed, limit: 1_000_000) }
    packed.replaceSubrange((packed.count - 4)..., with: [0xff, 0xff, 0xff, 0xff])
    #expect(throws: GzipError.malformed) { try Gzip.expand(packed, limit: 1_000_000) }
  }
}
