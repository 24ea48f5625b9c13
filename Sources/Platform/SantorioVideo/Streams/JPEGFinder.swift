// SPDX-License-Identifier: Apache-2.0

/// Finds where each JPEG of a stream ends, by its markers (ITU-T T.81, annex B).
///
/// A marker is `FF` and a byte that is neither `00` nor `FF`; `FF`s may fill the room before it.
/// Segments have lengths, so that what looks like a marker in one, of a preview for example, is
/// skipped. In the coded data after a scan's header `FF 00` is a value, and `FF D0` to `FF D7` are
/// restarts.
struct JPEGFinder {
  /// What comes next in a stream.
  enum Found: Hashable {
    case file([UInt8])
    /// A JPEG that is none, and where the search goes on; with what is wrong.
    case damaged(String)
    /// Bytes between two JPEGs.
    case stray(count: Int, offset: Int)
    /// The stream ends within a JPEG.
    case cut
    /// A JPEG has more bytes than are kept.
    case tooLarge
    /// The stream does not begin with a JPEG.
    case notJPEG
    case end
  }

  private enum Place {
    case start
    case between
    /// Behind something damaged, up to the next JPEG.
    case behindDamage
    /// Behind `FF D8`.
    case inFile
  }

  private enum Marker {
    static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
    static let start: UInt8 = 0xD8
    static let end: UInt8 = 0xD9
    static let scan: UInt8 = 0xDA
    static let temporary: UInt8 = 0x01
    /// Those with a length: tables, frames, scans, comments and what programs add.
    static let segments: [ClosedRange<UInt8>] = [
      0xC0...0xCF, 0xDA...0xDF, 0xE0...0xEF, 0xFE...0xFE,
    ]
  }

  private let reader: ByteReader
  private let mostBytes: Int
  private var place = Place.start
  private var bytes: [UInt8] = []

  init(_ reader: ByteReader, mostBytes: Int) {
    self.reader = reader
    self.mostBytes = mostBytes
  }

  /// Waits for the next JPEG, or for something wrong.
  mutating func next() throws(VideoError) -> Found {
    if let found = try findStart() { return found }
    bytes = [0xFF, Marker.start]
    // What follows a whole JPEG, unless something is found wrong.
    place = .behindDamage
    defer { bytes = [] }
    return try readFile()
  }

  // MARK: - Between files

  /// Goes behind the next `FF D8`; nil when there.
  private mutating func findStart() throws(VideoError) -> Found? {
    switch place {
    case .inFile: return nil
    case .start:
      guard try reader.peek() != nil else { return .end }
      guard try reader.next() == 0xFF, try reader.next() == Marker.start else { return .notJPEG }
      return nil
    case .behindDamage:
      return try search().isFound ? nil : .end
    case .between:
      let offset = reader.offset
      let (stray, isFound) = try search()
      guard stray > 0 else { return isFound ? nil : .end }
      if isFound { place = .inFile }
      return .stray(count: stray, offset: offset)
    }
  }

  /// Searches for `FF D8` with an `FF` behind, as each JPEG begins.
  ///
  /// - Returns: How many other bytes there were, without zeros, line ends and `FF`s, which fill the
  ///   room between files.
  private func search() throws(VideoError) -> (stray: Int, isFound: Bool) {
    var stray = 0
    var isMarker = false
    while let byte = try reader.next() {
      if isMarker, byte == Marker.start, try reader.peek() ?? 0xFF == 0xFF { return (stray, true) }
      isMarker = byte == 0xFF
      if ![0x00, 0x0A, 0x0D, 0xFF].contains(byte) { stray += 1 }
    }
    return (stray, false)
  }

  // MARK: - In a file

  private mutating func readFile() throws(VideoError) -> Found {
    var isCoded = false
    while true {
      guard bytes.count <= mostBytes else { return .tooLarge }
      if isCoded {
        if let fault = try readCodedData() { return fault }
      } else if let next = try reader.peek(), next != 0xFF {
        return .damaged("there is no marker where one must be")
      }
      guard let marker = try readMarker() else { return .cut }
      switch marker {
      case Marker.end:
        place = .between
        return .file(bytes)
      case Marker.start:
        place = .inFile
        return .damaged("it ends early, where the next one begins")
      // In the coded data 00 stands for an FF that is a value.
      case 0x00 where isCoded, Marker.restarts, Marker.temporary: continue
      case _ where Marker.segments.contains { $0.contains(marker) }:
        if let fault = try readSegment() { return fault }
        isCoded = marker == Marker.scan
      default:
        return .damaged("it has a marker that does not exist")
      }
    }
  }

  /// Reads up to an `FF` and with it.
  private mutating func readCodedData() throws(VideoError) -> Found? {
    let left = mostBytes - bytes.count
    let isFound = try reader.read(through: 0xFF, most: left, into: &bytes)
    guard !isFound else {
      // The marker is put behind with an FF of its own.
      bytes.removeLast()
      return nil
    }
    return bytes.count >= mostBytes ? .tooLarge : .cut
  }

  /// Reads `FF`s and what is behind them; nil at the end.
  private mutating func readMarker() throws(VideoError) -> UInt8? {
    while let byte = try reader.next() {
      if byte != 0xFF {
        bytes += [0xFF, byte]
        return byte
      }
    }
    return nil
  }

  /// Reads a length, which counts its own two bytes, and what has it.
  private mutating func readSegment() throws(VideoError) -> Found? {
    guard let high = try reader.next(), let low = try reader.next() else { return .cut }
    bytes += [high, low]
    let length = Int(high) << 8 | Int(low)
    guard length >= 2 else { return .damaged("a segment has the length \(length)") }
    let end = bytes.count + length - 2
    try reader.read(length - 2, into: &bytes)
    return bytes.count == end ? nil : .cut
  }
}
