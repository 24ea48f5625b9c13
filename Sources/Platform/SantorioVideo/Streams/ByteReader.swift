// SPDX-License-Identifier: Apache-2.0

/// Reads bytes of a stream that arrives in pieces.
final class ByteReader {
  private let fill: () throws(VideoError) -> [UInt8]
  private var piece: [UInt8] = []
  private var place = 0
  private var isAtEnd = false
  /// The number of bytes read.
  private(set) var offset = 0

  /// Reads from a function that waits for the next piece and is empty at the end.
  init(_ fill: @escaping () throws(VideoError) -> [UInt8]) { self.fill = fill }

  /// Reads from a path, or from standard input for `-`.
  convenience init(path: String) throws(VideoError) {
    let file = try InputFile(path: path)
    self.init { () throws(VideoError) in try file.read() }
  }

  /// Whether there is a byte at the place.
  private func isFilled() throws(VideoError) -> Bool {
    if place < piece.count { return true }
    guard !isAtEnd else { return false }
    piece = try fill()
    place = 0
    isAtEnd = piece.isEmpty
    return !isAtEnd
  }

  /// The next byte, which stays the next; nil at the end.
  func peek() throws(VideoError) -> UInt8? { try isFilled() ? piece[place] : nil }

  /// The next byte; nil at the end.
  func next() throws(VideoError) -> UInt8? {
    guard try isFilled() else { return nil }
    defer { advance(1) }
    return piece[place]
  }

  /// Appends bytes; fewer at the end.
  func read(_ count: Int, into bytes: inout [UInt8]) throws(VideoError) {
    var left = count
    while left > 0, try isFilled() {
      let part = min(left, piece.count - place)
      bytes += piece[place..<place + part]
      advance(part)
      left -= part
    }
  }

  /// Skips bytes; false if there are fewer.
  func skip(_ count: Int) throws(VideoError) -> Bool {
    var left = count
    while left > 0, try isFilled() {
      let part = min(left, piece.count - place)
      advance(part)
      left -= part
    }
    return left == 0
  }

  /// Appends bytes up to a value and with it; false if it is not before a limit and the end.
  func read(
    through value: UInt8, most: Int, into bytes: inout [UInt8]
  ) throws(VideoError) -> Bool {
    var left = most
    while left > 0, try isFilled() {
      let part = piece[place..<min(piece.count, place + left)]
      let found = part.firstIndex(of: value)
      let end = found.map { $0 + 1 } ?? part.endIndex
      bytes += piece[place..<end]
      left -= end - place
      advance(end - place)
      if found != nil { return true }
    }
    return false
  }

  private func advance(_ count: Int) {
    place += count
    offset += count
  }
}
