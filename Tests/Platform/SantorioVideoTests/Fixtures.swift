// SPDX-License-Identifier: Apache-2.0

import SantorioImages
@testable import SantorioVideo

extension ByteReader {
  /// Reads bytes that arrive in pieces of a size.
  convenience init(_ bytes: [UInt8], pieces: Int = 65_536) {
    var rest = bytes[...]
    self.init {
      defer { rest = rest.dropFirst(pieces) }
      return Array(rest.prefix(pieces))
    }
  }
}

extension Y4MStream {
  init(_ text: String, _ frames: [UInt8] = [], pieces: Int = 65_536) throws(VideoError) {
    try self.init(ByteReader(Array(text.utf8) + frames, pieces: pieces))
  }
}

extension MJPEGStream {
  init(_ bytes: [UInt8], pieces: Int = 65_536, mostBytes: Int = MJPEGStream.mostBytes) {
    self.init(ByteReader(bytes, pieces: pieces), rate: .unstated, mostBytes: mostBytes)
  }
}

extension VideoSource {
  /// The frames and the errors up to the end, or to the first error that is not of one frame.
  mutating func rest() -> [Result<VideoFrame, VideoError>] {
    var results: [Result<VideoFrame, VideoError>] = []
    while true {
      do throws(VideoError) {
        guard let frame = try next() else { return results }
        results.append(.success(frame))
      } catch {
        results.append(.failure(error))
        if !error.concernsOneFrame { return results }
      }
    }
  }
}

/// What is written into streams.
enum Picture {
  static let frameLine = Array("FRAME\n".utf8)

  /// A JPEG of one brightness.
  static func even(_ value: UInt8, width: Int = 16, height: Int = 8) throws -> [UInt8] {
    try DecodedImage.jpeg(
      width: width, height: height, pixels: [UInt8](repeating: value, count: width * height))
  }

  /// A JPEG of noise, in whose coded data the value FF occurs.
  static func noise(width: Int = 48, height: Int = 32) throws -> [UInt8] {
    var state: UInt32 = 1
    let pixels = (0..<width * height).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    return try DecodedImage.jpeg(width: width, height: height, pixels: pixels, quality: 100)
  }

  /// The place of a marker.
  static func place(of marker: UInt8, in bytes: [UInt8]) -> Int? {
    bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == marker }
  }
}
