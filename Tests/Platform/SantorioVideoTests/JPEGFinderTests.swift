// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SantorioVideo

@Suite struct `The end of a JPEG` {
  private func found(
    _ bytes: [UInt8], pieces: Int = 65_536, mostBytes: Int = 1_000
  ) throws -> [JPEGFinder.Found] {
    var finder = JPEGFinder(ByteReader(bytes, pieces: pieces), mostBytes: mostBytes)
    var all: [JPEGFinder.Found] = []
    while true {
      let found = try finder.next()
      if found == .end { return all }
      all.append(found)
      if [.cut, .tooLarge, .notJPEG].contains(found) { return all }
    }
  }

  // D8 start, E1 segment, DA scan, D9 end.
  private static let small: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDA, 0, 3, 7, 1, 2, 3, 0xFF, 0xD9]

  @Test(arguments: [1, 2, 3, 65_536])
  func `is found in pieces of any size`(_ pieces: Int) throws {
    let bytes = Self.small + Self.small
    #expect(try found(bytes, pieces: pieces) == [.file(Self.small), .file(Self.small)])
  }

  @Test(
    arguments: [
      // A preview and what looks like ends within a segment.
      [0xFF, 0xD8, 0xFF, 0xE1, 0, 8, 0xFF, 0xD8, 0xFF, 0xD9, 0xFF, 0xD9, 0xFF, 0xDA, 0, 2, 1],
      // Ends within a scan's header.
      [0xFF, 0xD8, 0xFF, 0xDA, 0, 6, 0xFF, 0xD9, 0xFF, 0xD9, 1, 2],
      // Values of FF.
      [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 0xFF, 0, 0xD9, 0xFF, 0, 0xFF, 0],
      // Restarts, with an FF that fills.
      [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 1, 0xFF, 0xD0, 2, 0xFF, 0xD7, 3],
      // Several scans with tables between them.
      [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 1, 0xFF, 0xC4, 0, 4, 0xFF, 0xD9, 0xFF, 0xDA, 0, 2, 3],
      // No coded data at all.
      [0xFF, 0xD8],
    ] as [[UInt8]])
  func `follows from the structure`(_ start: [UInt8]) throws {
    let bytes = start + [0xFF, 0xD9]
    for pieces in [1, 65_536] {
      #expect(
        try found(bytes + Self.small, pieces: pieces) == [.file(bytes), .file(Self.small)])
    }
  }

  @Test func `may have FFs before it, which are left away`() throws {
    let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xFF, 0xDA, 0, 2, 5, 0xFF, 0xFF, 0xFF, 0xD9]
    let short: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 5, 0xFF, 0xD9]
    #expect(try found(bytes) == [.file(short)])
  }

  @Test func `may be followed by bytes that fill`() throws {
    let bytes = Self.small + [0, 0, 0x0D, 0x0A, 0xFF] + Self.small + [0, 0x0A]
    #expect(try found(bytes) == [.file(Self.small), .file(Self.small)])
  }

  @Test func `and others are reported once`() throws {
    let bytes = Self.small + [5, 0, 0xFF, 0xD8, 6] + Self.small + [7]
    #expect(
      try found(bytes) == [
        .file(Self.small), .stray(count: 3, offset: 12), .file(Self.small),
        .stray(count: 1, offset: 29),
      ])
  }

  @Test(
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 9], "a segment has the length 1"),
      ([0xFF, 0xD8, 0xFF, 0xE0, 0, 2, 9], "there is no marker where one must be"),
      ([0xFF, 0xD8, 0xFF, 0, 9], "it has a marker that does not exist"),
      ([0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 9, 0xFF, 0x02], "it has a marker that does not exist"),
      ([0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 9], "it ends early, where the next one begins"),
      ([0xFF, 0xD8], "it ends early, where the next one begins"),
    ] as [([UInt8], String)])
  func `is searched for in the next one when one is damaged`(
    _ start: [UInt8], _ reason: String
  ) throws {
    for pieces in [1, 65_536] {
      #expect(
        try found(Self.small + start + Self.small, pieces: pieces)
          == [.file(Self.small), .damaged(reason), .file(Self.small)])
    }
  }

  @Test func `is missing in a stream that is cut`() throws {
    for count in 1..<Self.small.count {
      let all = try found(Self.small + Self.small.prefix(count))
      // An FF alone may fill.
      #expect(all == (count == 1 ? [.file(Self.small)] : [.file(Self.small), .cut]), "\(count)")
    }
  }

  @Test func `is not searched for without a limit`() throws {
    let zeros = [UInt8](repeating: 0, count: 2_000)
    #expect(try found([0xFF, 0xD8, 0xFF, 0xDA, 0, 2] + zeros) == [.tooLarge])
    let segments = (0..<400).flatMap { _ in [0xFF, 0xFE, 0, 3, 0] as [UInt8] }
    #expect(try found([0xFF, 0xD8] + segments) == [.tooLarge])
    let restarts = (0..<1_000).flatMap { _ in [0xFF, 0xD0] as [UInt8] }
    #expect(try found([0xFF, 0xD8] + restarts) == [.tooLarge])
  }

  @Test(arguments: [[0], [0xFF], [0xFF, 0xFF, 0xD8], Array("RIFF".utf8), Array("--part".utf8)])
  func `is not searched for in other files`(_ bytes: [UInt8]) throws {
    #expect(try found(bytes + Self.small) == [.notJPEG])
  }
}
