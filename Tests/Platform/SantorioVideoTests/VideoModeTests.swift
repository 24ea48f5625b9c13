// SPDX-License-Identifier: Apache-2.0

import CVideo4Linux
import Testing

@testable import SantorioVideo

private func offer(_ format: PixelFormat, _ width: Int, _ height: Int) -> VideoOffer {
  VideoOffer(format: format, width: .init(width), height: .init(height))
}

private func mode(
  _ format: PixelFormat, _ width: Int = 640, _ height: Int = 480, _ rate: FrameRate? = nil
) -> VideoMode {
  VideoMode(format: format, width: width, height: height, rate: rate)
}

@Suite struct `The mode of a device` {
  @Test func `has the numbers of its formats`() {
    // v4l2_fourcc in linux/videodev2.h.
    #expect(PixelFormat.yuyv.code == 0x5659_5559)
    #expect(PixelFormat.nv12.code == 0x3231_564E)
    #expect(PixelFormat.grey.code == 0x5945_5247)
    #expect(PixelFormat.mjpeg.code == 0x4750_4A4D)
    #expect(PixelFormat(code: 0x4750_4A4D) == .mjpeg)
    #expect(PixelFormat(code: 0) == nil)
    #expect(PixelFormat.name(0x3436_3248) == "H264")
    #expect(PixelFormat.name(0x1B00_3248) == "H2??")
  }

  @Test func `has the wanted size with all formats`() {
    let offers = [
      offer(.yuyv, 640, 480), offer(.yuyv, 1_280, 720), offer(.mjpeg, 1_280, 720),
      offer(.mjpeg, 1_920, 1_080),
    ]
    #expect(
      VideoMode.nearest(of: offers, width: 1_280, height: 720)
        == [mode(.yuyv, 1_280, 720), mode(.mjpeg, 1_280, 720)])
  }

  @Test func `shows rather more than less`() {
    let offers = [
      offer(.yuyv, 1_200, 700), offer(.mjpeg, 1_920, 1_080), offer(.yuyv, 3_840, 2_160),
    ]
    #expect(
      VideoMode.nearest(of: offers, width: 1_280, height: 720) == [mode(.mjpeg, 1_920, 1_080)])
    #expect(
      VideoMode.nearest(of: offers, width: 8_000, height: 6_000) == [mode(.yuyv, 3_840, 2_160)])
    #expect(VideoMode.nearest(of: offers, width: 1, height: 1) == [mode(.yuyv, 1_200, 700)])
  }

  @Test func `has a size of a range`() {
    let range = VideoOffer(
      format: .nv12, width: .init(32, 2_592, step: 32), height: .init(32, 1_944, step: 2))
    func size(_ width: Int, _ height: Int) -> [Int] {
      VideoMode.nearest(of: [range], width: width, height: height).flatMap {
        [$0.width, $0.height]
      }
    }
    #expect(size(640, 480) == [640, 480])
    #expect(size(641, 481) == [672, 482])
    #expect(size(1, 1) == [32, 32])
    #expect(size(.max, .max) == [2_592, 1_944])
  }

  @Test func `keeps to ranges that drivers give wrongly`() {
    #expect(VideoOffer.Sides(100, 50, step: 0).nearest(to: 75) == 100)
    #expect(VideoOffer.Sides(10, 25, step: 10).nearest(to: 24) == 20)
    #expect(VideoOffer.Sides(10, 25, step: 10).nearest(to: 99) == 20)
    #expect(VideoMode.nearest(of: [offer(.grey, 0, 0)], width: 8, height: 8) == [])
    #expect(VideoMode.nearest(of: [], width: 8, height: 8) == [])
  }

  @Test func `has the best format that is fast enough`() throws {
    let (slow, fast) = (FrameRate(frames: 5), FrameRate(frames: 30))
    let (ten, fifty) = (try #require(FrameRate("10")), try #require(FrameRate("50")))
    let modes = [
      mode(.mjpeg, 640, 480, fast), mode(.yuyv, 640, 480, slow), mode(.nv12, 640, 480, fast),
    ]
    #expect(VideoMode.best(of: modes, rate: ten)?.format == .nv12)
    #expect(VideoMode.best(of: Array(modes.prefix(2)), rate: ten)?.format == .mjpeg)
    // None is: the fastest, and of equals the best format.
    #expect(VideoMode.best(of: modes, rate: fifty)?.format == .nv12)
    #expect(VideoMode.best(of: Array(modes.prefix(2)), rate: fifty)?.format == .mjpeg)
    #expect(VideoMode.best(of: [], rate: ten) == nil)
  }

  @Test func `has the best format where no rate is known`() {
    let modes = [mode(.mjpeg), mode(.yuyv), mode(.grey), mode(.nv12)]
    #expect(VideoMode.best(of: modes, rate: .unstated)?.format == .grey)
  }

  @Test func `has the lowest rate that is enough`() throws {
    let rates = [60, 30, 15, 5].compactMap { FrameRate(frames: $0) }
    #expect(VideoMode.nearest(of: rates, to: try #require(FrameRate("10"))) == rates[2])
    #expect(VideoMode.nearest(of: rates, to: try #require(FrameRate("30000/1001"))) == rates[1])
    #expect(VideoMode.nearest(of: rates, to: try #require(FrameRate("90"))) == rates[0])
    #expect(VideoMode.nearest(of: [], to: .unstated) == nil)
  }
}

@Suite struct `The layout of pixels` {
  private func layout(_ format: PixelFormat, _ bytesPerRow: Int) throws -> PixelLayout {
    try PixelLayout(format, width: 3, height: 2, bytesPerRow: bytesPerRow, isFullRange: true)
  }

  @Test func `has brightness in rows that may be longer`() throws {
    let pixels: [UInt8] = [1, 2, 3, 4, 5, 6]
    for format in [PixelFormat.grey, .nv12] {
      #expect(try layout(format, 0).brightness(of: [1, 2, 3, 4, 5, 6]) == pixels)
      #expect(try layout(format, 4).brightness(of: [1, 2, 3, 0, 4, 5, 6, 0, 9, 9]) == pixels)
      #expect(try layout(format, 4).brightness(of: [1, 2, 3, 0, 4, 5, 6]) == pixels)
      #expect(try layout(format, 4).brightness(of: [1, 2, 3, 0, 4, 5]) == nil)
      #expect(try layout(format, 4).brightness(of: []) == nil)
    }
  }

  @Test func `has brightness and color in turns`() throws {
    let bytes: [UInt8] = [1, 99, 2, 99, 3, 99, 0, 99, 4, 99, 5, 99, 6, 99, 0, 99]
    let yuyv = try layout(.yuyv, 0)
    #expect(yuyv.bytesPerRow == 8)
    #expect(yuyv.brightness(of: bytes) == [1, 2, 3, 4, 5, 6])
    #expect(yuyv.brightness(of: bytes.dropLast(3)) == [1, 2, 3, 4, 5, 6])
    #expect(yuyv.brightness(of: bytes.dropLast(4)) == nil)
  }

  @Test func `is stretched when its range is limited`() throws {
    let limited = try PixelLayout(
      .grey, width: 3, height: 1, bytesPerRow: 0, isFullRange: false)
    #expect(limited.brightness(of: [16, 126, 235]) == [0, 128, 255])
  }

  @Test func `has the range that the driver says, or that of its format`() {
    func isFull(_ format: PixelFormat, _ colorspace: UInt32, _ quantization: UInt32) -> Bool {
      PixelLayout.isFullRange(format, colorspace: colorspace, quantization: quantization)
    }
    #expect(isFull(.yuyv, 8, 1) && !isFull(.grey, 7, 2))
    #expect(!isFull(.yuyv, 8, 0) && isFull(.yuyv, 7, 0))
    #expect(isFull(.grey, 8, 0) && isFull(.mjpeg, 8, 0))
  }

  @Test func `is an error when a driver says what cannot be`() {
    #expect(throws: VideoError.wrongSize(width: 9_000, height: 9_000)) {
      try PixelLayout(.grey, width: 9_000, height: 9_000, bytesPerRow: 0, isFullRange: true)
    }
    #expect(throws: VideoError.wrongSize(width: 3, height: 2)) { try layout(.grey, .max) }
  }
}
