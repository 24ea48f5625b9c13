// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SantorioVideo

/// A name of chroma, and how many values of color a frame of 3 × 3 pixels has.
struct Chroma: Sendable {
  let name: String
  let colors: Int

  static let all = [
    Chroma(name: "", colors: 8), Chroma(name: " C420", colors: 8),
    Chroma(name: " C420jpeg", colors: 8), Chroma(name: " C420mpeg2", colors: 8),
    Chroma(name: " C420paldv", colors: 8), Chroma(name: " C411", colors: 6),
    Chroma(name: " C422", colors: 12), Chroma(name: " C444", colors: 18),
    Chroma(name: " C444alpha", colors: 27), Chroma(name: " Cmono", colors: 0),
  ]
}

@Suite struct `A stream of YUV4MPEG2` {
  private static let full = "YUV4MPEG2 W2 H1 F10:1 Cmono XCOLORRANGE=FULL\n"

  @Test(arguments: Chroma.all)
  func `gives the brightness of all forms of chroma`(_ chroma: Chroma) throws {
    for pieces in [1, 2, 5, 65_536] {
      let brightness: [[UInt8]] = [Array(1...9), Array(101...109)]
      let frames = brightness.flatMap {
        Picture.frameLine + $0 + [UInt8](repeating: 77, count: chroma.colors)
      }
      var stream = try Y4MStream(
        "YUV4MPEG2 W3 H3 F25:1 Ip A1:1\(chroma.name) XCOLORRANGE=FULL\n", frames, pieces: pieces)

      #expect(
        try stream.next()
          == VideoFrame(width: 3, height: 3, pixels: Array(1...9), time: .zero))
      #expect(
        try stream.next()
          == VideoFrame(width: 3, height: 3, pixels: Array(101...109), time: .milliseconds(40)))
      #expect(try stream.next() == nil)
      #expect(try stream.next() == nil)
    }
  }

  @Test(arguments: ["", " XCOLORRANGE=LIMITED"])
  func `is stretched to all of 0 to 255`(_ range: String) throws {
    let values: [UInt8] = [0, 15, 16, 17, 125, 126, 234, 235, 236, 255]
    var stream = try Y4MStream(
      "YUV4MPEG2 W10 H1 F1:1 Cmono\(range)\n", Picture.frameLine + values)
    #expect(try stream.next()?.pixels == [0, 0, 0, 1, 127, 128, 254, 255, 255, 255])
  }

  @Test(arguments: [
    ("F25:1", 40), ("F30000:1001", 33), ("F1:2", 2_000), ("F0:0", 40), ("", 40),
  ])
  func `gives each frame the time of its rate`(_ field: String, _ milliseconds: Int) throws {
    var stream = try Y4MStream(
      "YUV4MPEG2 W1 H1 Cmono \(field)\n", Picture.frameLine + [1] + Picture.frameLine + [2])
    #expect(try stream.next()?.time == .zero)
    let time = try #require(try stream.next()?.time)
    #expect(Int(time / .milliseconds(1)) == milliseconds)
  }

  @Test func `may have parameters in the line of a frame`() throws {
    var stream = try Y4MStream(Self.full, Array("FRAME Xa Xb\n".utf8) + [3, 4])
    #expect(try stream.next()?.pixels == [3, 4])
    #expect(try stream.next() == nil)
  }

  @Test func `without frames ends at once`() throws {
    var stream = try Y4MStream(Self.full)
    #expect(try stream.next() == nil)
  }

  @Test(arguments: [
    ("", "it is empty"),
    ("YUV4M", "it ends in its first line"),
    ("YUV4MPEG2 W2 H2", "it ends in its first line"),
    ("RIFF....AVI ", "it does not begin with YUV4MPEG2"),
    ("YUV4MPEG W2 H2\n", "its first line does not begin with YUV4MPEG2"),
    ("YUV4MPEG22 W2 H2\n", "its first line does not begin with YUV4MPEG2"),
    ("YUV4MPEG2\n", "it does not say the size"),
    ("YUV4MPEG2 W2\n", "it does not say the size"),
    ("YUV4MPEG2 W0 H2\n", #"the width is "0""#),
    ("YUV4MPEG2 W2 H-2\n", #"the height is "-2""#),
    ("YUV4MPEG2 W2 H\n", #"the height is """#),
    ("YUV4MPEG2 W99999999999999999999 H2\n", #"the width is "99999999999999999999""#),
    ("YUV4MPEG2 W2 H2 F25:0\n", #"the rate of frames is "25:0""#),
    ("YUV4MPEG2 W2 H2 Fé\u{1B}[2J\n", ##"the rate of frames is "??[2J""##),
  ])
  func `whose first line is wrong is an error`(_ text: String, _ reason: String) {
    #expect(throws: VideoError.wrongHeader(reason)) { try Y4MStream(text) }
  }

  @Test func `whose first line has no end is not read for ever`() {
    let text = "YUV4MPEG2 X" + String(repeating: "x", count: 10_000)
    let error = VideoError.wrongHeader("its first line has more than 4096 bytes")
    #expect(throws: error) { try Y4MStream(text) }
  }

  @Test(arguments: ["C420p10", "C422p12", "C444p16", "Cmono16", "Cgbr", "C"])
  func `with other pixels names them`(_ chroma: String) {
    #expect(throws: VideoError.otherPixels("\"\(chroma)\"")) {
      try Y4MStream("YUV4MPEG2 W2 H2 \(chroma)\n")
    }
  }

  @Test(arguments: ["It", "Ib", "Im"])
  func `that is interlaced is an error`(_ field: String) {
    #expect(throws: VideoError.interlaced) { try Y4MStream("YUV4MPEG2 W2 H2 \(field)\n") }
  }

  @Test(arguments: ["Ip", "I?"])
  func `that may be progressive is read`(_ field: String) throws {
    #expect(try Y4MStream("YUV4MPEG2 W2 H2 \(field)\n").width == 2)
  }

  @Test(arguments: [(8_193, 8_192), (Int.max, 2), (2, Int.max), (Int.max, Int.max)])
  func `of huge pictures is refused before memory is taken`(_ width: Int, _ height: Int) {
    #expect(throws: VideoError.wrongSize(width: width, height: height)) {
      try Y4MStream("YUV4MPEG2 W\(width) H\(height)\n")
    }
  }

  @Test func `that is cut says so at every place`() throws {
    let header = "YUV4MPEG2 W2 H2 C420 XCOLORRANGE=FULL\n"
    let frame = Picture.frameLine + [1, 2, 3, 4, 128, 128]
    for count in 1..<frame.count {
      var stream = try Y4MStream(header, frame + frame.prefix(count))
      #expect(try stream.next()?.pixels == [1, 2, 3, 4])
      #expect(throws: VideoError.cut(frame: 1), "\(count) bytes") { try stream.next() }
      #expect(throws: VideoError.cut(frame: 1), "\(count) bytes") { try stream.next() }
    }
  }

  @Test(arguments: ["frame\n", "FRAMES\n", "FRAM\n\n", "\0\0\0\0\0\0"])
  func `whose frame does not begin as it must is an error`(_ line: String) throws {
    var stream = try Y4MStream(Self.full, Array(line.utf8) + [1, 2])
    let error = VideoError.wrongFrameHeader(frame: 0, "the word FRAME is missing")
    #expect(throws: error) { try stream.next() }
    #expect(throws: error) { try stream.next() }
  }

  @Test func `whose frame's line has no end is not read for ever`() throws {
    let line = Array("FRAME ".utf8) + [UInt8](repeating: 0x58, count: 10_000)
    var stream = try Y4MStream(Self.full, line)
    let error = VideoError.wrongFrameHeader(frame: 0, "its line has more than 4096 bytes")
    #expect(throws: error) { try stream.next() }
  }

  @Test func `that is damaged does no harm`() {
    let bytes =
      Array("YUV4MPEG2 W2 H2 F25:1 Ip C420 XCOLORRANGE=FULL\n".utf8) + Picture.frameLine
      + [1, 2, 3, 4, 128, 128]
    for place in bytes.indices {
      for value: UInt8 in [0, 0x0A, 0x20, 0x39, 0xFF] {
        var damaged = bytes
        damaged[place] = value
        guard var stream = try? Y4MStream(ByteReader(damaged)) else { continue }
        #expect(stream.rest().count <= 1)
      }
    }
  }
}
