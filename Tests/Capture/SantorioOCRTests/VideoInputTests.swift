// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import DigitReader
  import Foundation
  import SantorioOCR
  import TestSupport
  import Testing

  @Suite struct `Frames of an input` {
    private func frames(_ path: String, _ framesPerSecond: Int = 10) throws -> [OCRFrame] {
      var input = try VideoInput(path: path, framesPerSecond: framesPerSecond)
      var frames: [OCRFrame] = []
      while let frame = try input.nextFrame() { frames.append(frame) }
      return frames
    }

    private func jpeg(_ value: UInt8) throws -> Data {
      try GrayImage(width: 32, height: 16, filledWith: value).jpeg()
    }

    private func write(_ bytes: Data, _ name: String, _ folder: TemporaryFolder) throws -> String {
      try bytes.write(to: folder.url.appendingPathComponent(name))
      return folder.path(name)
    }

    @Test func `are the images of a folder, by name`() throws {
      let folder = try TemporaryFolder()
      for (name, value) in [("b.jpg", 200), ("a.JPEG", 50), ("c.png.txt", 9)] {
        _ = try write(try jpeg(UInt8(value)), name, folder)
      }
      let frames = try frames(folder.url.path)
      #expect(frames.map { $0.image[5, 5] } == [50, 200])
      #expect(frames.map(\.time) == [.zero, .milliseconds(100)])
    }

    @Test func `are those of Motion JPEG and of YUV4MPEG2, whatever the name is`() throws {
      let folder = try TemporaryFolder()
      let jpegs = try write(try jpeg(50) + jpeg(200), "a", folder)
      #expect(try frames(jpegs).map { $0.image[5, 5] } == [50, 200])
      let pixels = Data(repeating: 126, count: 32 * 16)
      let video = Data("YUV4MPEG2 W32 H16 F5:1 Cmono XCOLORRANGE=FULL\nFRAME\n".utf8) + pixels
      let frames = try frames(try write(video, "b", folder))
      #expect(frames.count == 1 && frames[0].image[3, 3] == 126)
    }

    @Test func `are skipped when they are damaged, but not all of them`() throws {
      let folder = try TemporaryFolder()
      let good = try jpeg(50)
      // A picture of which the end is missing.
      let noise = (0..<64 * 48).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 >> 3) }
      let whole = try GrayImage(width: 64, height: 48, pixels: noise).jpeg()
      let damaged = whole.prefix(whole.count * 3 / 4) + Data([0xFF, 0xD9])
      var input = try VideoInput(
        path: try write(good + damaged + good, "a.mjpeg", folder), framesPerSecond: 10)
      #expect(try input.nextFrame()?.time == .zero)
      #expect(try input.nextFrame()?.time == .milliseconds(200))
      #expect(try input.nextFrame() == nil)
      #expect(input.damagedFrames == 1)
      let many = (0..<150).reduce(into: Data()) { data, _ in data += damaged }
      var bad = try VideoInput(path: try write(many, "b.mjpeg", folder))
      #expect(throws: (any Error).self) { try bad.nextFrame() }
      #expect(bad.damagedFrames == 100)
    }

    @Test func `of nothing are an error that says what is wrong`() throws {
      let folder = try TemporaryFolder()
      for path in [folder.path("none.y4m"), "/dev/null"] {
        #expect(throws: (any Error).self) { try frames(path) }
      }
      let text = try write(Data("hello".utf8), "a.y4m", folder)
      #expect(throws: (any Error).self) { try frames(text) }
    }
  }
#endif
