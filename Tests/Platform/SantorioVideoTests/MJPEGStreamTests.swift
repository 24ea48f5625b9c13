// SPDX-License-Identifier: Apache-2.0

import SantorioImages
import Testing

@testable import SantorioVideo

@Suite struct `A stream of Motion JPEG` {
  private func isAbout(_ frame: VideoFrame?, _ value: Int) -> Bool {
    guard let frame, !frame.pixels.isEmpty else { return false }
    return frame.pixels.allSatisfy { abs(Int($0) - value) < 4 }
  }

  /// The brightness of each frame, in short, or the error in its place.
  private func summary(_ bytes: [UInt8]) -> [String] {
    var stream = MJPEGStream(bytes)
    return stream.rest().map { result in
      switch result {
      case .success(let frame): "\(Int(frame.pixels[0]) / 10 * 10) at \(frame.time)"
      case .failure(.damagedFrame(let frame, _)): "damaged \(frame)"
      case .failure(.strayBytes): "stray"
      case .failure(.cut(let frame)): "cut \(frame)"
      case .failure(let error): "\(error)"
      }
    }
  }

  @Test(arguments: [1, 3, 100, 65_536])
  func `gives its frames with the times of its rate`(_ pieces: Int) throws {
    let bytes = try Picture.even(10) + Picture.even(128, width: 24) + Picture.even(250)
    let rate = try #require(FrameRate("5"))
    var stream = MJPEGStream(ByteReader(bytes, pieces: pieces), rate: rate)

    let first = try stream.next()
    #expect(isAbout(first, 10))
    #expect(first?.width == 16 && first?.height == 8 && first?.time == .zero)
    let second = try stream.next()
    #expect(isAbout(second, 128))
    #expect(second?.width == 24 && second?.time == .milliseconds(200))
    let third = try stream.next()
    #expect(isAbout(third, 250))
    #expect(third?.time == .milliseconds(400))
    #expect(try stream.next() == nil)
    #expect(try stream.next() == nil)
  }

  @Test func `is not ended by values that look like markers`() throws {
    let noise = try Picture.noise()
    let scan = try #require(Picture.place(of: 0xDA, in: noise))
    #expect(Picture.place(of: 0, in: Array(noise[scan...])) != nil)
    let preview = try Picture.even(200)
    var bytes = noise
    bytes.insert(contentsOf: [0xFF, 0xE1, 0, 0] + preview, at: 2)
    bytes[4] = UInt8((preview.count + 2) >> 8)
    bytes[5] = UInt8((preview.count + 2) & 0xFF)

    var stream = MJPEGStream(bytes + noise)
    let first = try #require(try stream.next())
    let second = try #require(try stream.next())
    #expect(first.width == 48 && first.pixels == second.pixels)
    #expect(try stream.next() == nil)
  }

  @Test func `without frames ends at once`() throws {
    var stream = MJPEGStream([])
    #expect(try stream.next() == nil)
  }

  @Test func `reports a frame whose coded data is damaged and goes on`() throws {
    let noise = try Picture.noise()
    // The end is there, and half of the data is missing.
    let shortened = Array(noise[..<(noise.count / 2)]) + noise.suffix(2)
    let (before, after) = (try Picture.even(12), try Picture.even(254))
    #expect(
      summary(before + shortened + after)
        == ["10 at 0.0 seconds", "damaged 1", "250 at 0.08 seconds"])
  }

  @Test func `reports a frame that ends early and goes on with the one that begins`() throws {
    let noise = try Picture.noise()
    let after = try Picture.even(254)
    #expect(summary(noise.prefix(noise.count / 2) + after) == ["damaged 0", "250 at 0.04 seconds"])
  }

  @Test func `reports what is between frames and goes on`() throws {
    let (before, after) = (try Picture.even(12), try Picture.even(254))
    let bytes = before + Array("\r\n--part\r\n\r\n".utf8) + after
    #expect(summary(bytes) == ["10 at 0.0 seconds", "stray", "250 at 0.04 seconds"])
  }

  @Test func `reports a frame of huge size without decoding it`() throws {
    var bytes = try Picture.even(12)
    let frame = try #require(Picture.place(of: 0xC0, in: bytes))
    for place in [5, 7] { bytes[frame + place] = 0xFF }
    for place in [6, 8] { bytes[frame + place] = 0 }
    var stream = MJPEGStream(bytes)
    let reason = "\(ImageFileError.wrongSize(width: 65_280, height: 65_280))"
    #expect(throws: VideoError.damagedFrame(frame: 0, reason)) { try stream.next() }
    #expect(try stream.next() == nil)
  }

  @Test func `that is cut says so at every place`() throws {
    let frame = try Picture.even(128)
    for count in 2..<frame.count {
      var stream = MJPEGStream(frame + frame.prefix(count))
      #expect(isAbout(try stream.next(), 128))
      #expect(throws: VideoError.cut(frame: 1), "\(count) bytes") { try stream.next() }
      #expect(throws: VideoError.cut(frame: 1), "\(count) bytes") { try stream.next() }
    }
  }

  @Test func `with a frame of too many bytes ends`() throws {
    let noise = try Picture.noise()
    var stream = MJPEGStream(noise, mostBytes: 1_000)
    #expect(throws: VideoError.frameTooLarge(frame: 0)) { try stream.next() }
    #expect(throws: VideoError.frameTooLarge(frame: 0)) { try stream.next() }
  }

  @Test func `of another kind is named`() {
    var stream = MJPEGStream(Array("RIFF".utf8))
    #expect(throws: VideoError.notMotionJPEG) { try stream.next() }
    #expect(throws: VideoError.notMotionJPEG) { try stream.next() }
  }

  /// Cameras leave out the tables of Huffman codes that the format has by default.
  @Test func `is decoded without its tables of codes`() throws {
    var bytes = try Picture.even(128)
    while let place = Picture.place(of: 0xC4, in: bytes) {
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      bytes.removeSubrange(place..<place + 2 + length)
    }
    var stream = MJPEGStream(bytes)
    #expect(isAbout(try stream.next(), 128))
  }

  @Test func `that is damaged does no harm`() throws {
    let bytes = try Picture.even(100) + Picture.even(200)
    for place in bytes.indices {
      for value: UInt8 in [0, 0xD8, 0xD9, 0xFF] {
        var damaged = bytes
        damaged[place] = value
        var stream = MJPEGStream(damaged)
        #expect(stream.rest().count <= 5)
      }
    }
  }
}
