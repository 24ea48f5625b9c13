// SPDX-License-Identifier: Apache-2.0

import SantorioCryptography
import Testing

@testable import SantorioCore

@Suite struct `Row seal` {
  private let seal = RowSeal(key: Array(0..<32))

  /// Made by another program: Python's `cryptography`, AESGCM(bytes(range(32))).encrypt(
  /// bytes(range(100, 112)), b"systolic 120", b"log-1").
  private static let made: [UInt8] =
    [0x01] + (100..<112).map { UInt8($0) } + [
      0x3b, 0x62, 0xad, 0x12, 0x16, 0x85, 0x3f, 0xfd, 0x1e, 0x53, 0x6d, 0xd8, 0x46, 0x66,
      0xbb, 0x31, 0x73, 0x64, 0x34, 0x4e, 0x2b, 0xbf, 0x14, 0xa5, 0x41, 0xb9, 0xd6, 0x48,
    ]

  @Test func `opens what another implementation of AES-GCM has sealed`() {
    #expect(seal.open(Self.made, as: "log-1") == Array("systolic 120".utf8))
  }

  @Test(arguments: [0, 1, 15, 16, 17, 1000])
  func `opens what it has sealed, and the bytes show nothing of it`(count: Int) throws {
    let bytes = [UInt8](repeating: 0x61, count: count)

    let sealed = try seal.seal(bytes, as: "log-1")

    #expect(sealed.count == count + RowSeal.overhead)
    #expect(seal.open(sealed, as: "log-1") == bytes)
    #expect(count < 15 || !sealed.contains([UInt8](repeating: 0x61, count: 4)))
  }

  @Test func `marks with a key of its own`() {
    #expect(seal.mark("a") != seal.mark("b"))
    #expect(seal.mark("a") != RowSeal(key: Array(1..<33)).mark("a"))
    #expect(seal.mark("a") != HMACSHA256(key: Array(0..<32)).code(of: Array("a".utf8)))
  }

  @Test func `encrypts no more than one key may, and counts what it does`() throws {
    let seal = RowSeal(key: Array(0..<32))
    _ = try seal.seal([1], as: "a")
    _ = try seal.sealing(16) { _ in }
    #expect(seal.messageCount == 17)
    #expect(seal.takeUnsaved(from: 18) == nil)
    #expect(seal.takeUnsaved(from: 17) == 17)
    #expect(seal.takeUnsaved(from: 1) == nil)

    seal.resume(at: RowSeal.mostMessages - 18)
    let last = try seal.seal([1], as: "a")

    let error = #expect(throws: SessionError.self) { try seal.seal([1], as: "a") }
    #expect(error?.code == .keyUsedUp)
    #expect(seal.open(last, as: "a") == [1])
  }

  @Test func `never makes the same bytes twice`() throws {
    let made = try (0..<100).map { _ in try seal.seal([1, 2, 3], as: "a") }

    #expect(Set(made).count == 100)
    #expect(Set(made.map { RowSeal.mark(of: $0) }).count == 100)
  }

  @Test func `serves many threads at once, and no two with one nonce`() async throws {
    let sealed = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
      for thread in 0..<8 {
        group.addTask { [seal] in
          try (0..<200).map { index in
            let bytes = Array("\(thread) \(index)".utf8)
            let sealed = try seal.seal(bytes, as: "log-1")
            try #require(seal.open(sealed, as: "log-1") == bytes)
            return sealed
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }

    #expect(Set(sealed.map { $0[1...AESGCM.nonceSize] }).count == 1600)
  }

  @Test func `opens nothing that was changed in any bit, shortened, or put under another name`()
    throws
  {
    let sealed = try seal.seal(Array("pulse 60".utf8), as: "log-1")

    for place in sealed.indices {
      for bit in 0..<8 {
        var changed = sealed
        changed[place] ^= 1 << bit
        #expect(seal.open(changed, as: "log-1") == nil)
      }
    }
    for count in 0..<sealed.count {
      #expect(seal.open(Array(sealed.prefix(count)), as: "log-1") == nil)
    }
    #expect(seal.open(sealed + [0], as: "log-1") == nil)
    #expect(seal.open(sealed, as: "log-2") == nil)
    #expect(RowSeal(key: [UInt8](repeating: 9, count: 32)).open(sealed, as: "log-1") == nil)
  }
}
