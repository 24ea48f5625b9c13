// SPDX-License-Identifier: Apache-2.0

import SantorioImages
import Testing

@Suite struct `An encoded image` {
  @Test func `as PNG is the same again`() throws {
    let rgb: [UInt8] = [0, 0, 0, 255, 255, 255, 90, 90, 90, 200, 200, 200, 1, 1, 1, 30, 30, 30]
    let image = try DecodedImage(try DecodedImage.png(width: 3, height: 2, rgb: rgb))
    #expect((image.width, image.height) == (3, 2))
    #expect(image.pixels == [0, 255, 90, 200, 1, 30])
  }

  @Test func `as JPEG is nearly the same again`() throws {
    let pixels = (0..<64 * 48).map { UInt8($0 % 64 * 3) }
    let file = try DecodedImage.jpeg(width: 64, height: 48, pixels: pixels, quality: 95)
    let image = try DecodedImage(file)
    #expect(zip(image.pixels, pixels).allSatisfy { abs(Int($0) - Int($1)) < 8 })
  }

  @Test func `of no pixels is refused`() {
    #expect(throws: ImageFileError.wrongSize(width: 0, height: 5)) {
      try DecodedImage.jpeg(width: 0, height: 5, pixels: [])
    }
    #expect(throws: ImageFileError.wrongSize(width: 5, height: 0)) {
      try DecodedImage.png(width: 5, height: 0, rgb: [])
    }
  }

  /// Cameras such as Logitech's send frames of this kind.
  @Test func `with bytes before its last marker is read, unless it is cut, too`() throws {
    let pixels = (0..<64 * 48).map { UInt8($0 % 64 * 3) }
    let file = try DecodedImage.jpeg(width: 64, height: 48, pixels: pixels)
    let scan = try #require(
      file.indices.dropLast().last { file[$0] == 0xFF && file[$0 + 1] == 0xDA })
    // Between the segments before the scan: what stands there is no part of any.
    let padded = Array(file[..<scan]) + [0, 1, 2] + Array(file[scan...])
    #expect(try DecodedImage(padded) == DecodedImage(file))
    #expect(throws: ImageFileError.self) { try DecodedImage(Array(padded.dropLast(40))) }
  }
}

@Suite struct `The time of a photo` {
  /// A JPEG that begins with Exif data with a time, and perhaps an offset, in the order of bytes "MM".
  private func file(_ time: String, _ offset: String? = nil) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(value >> (8 * $0) & 0xFF) }
    }
    let texts =
      [(0x9003, Array(time.utf8) + [0])] + (offset.map { [(0x9011, Array($0.utf8) + [0])] } ?? [])
    // The first directory is at 8 and points to the camera's at 26.
    var tiff = Array("MM".utf8) + number(42, 2) + number(8, 4) + number(1, 2)
    tiff += number(0x8769, 2) + number(4, 2) + number(1, 4) + number(26, 4) + number(0, 4)
    var place = 26 + 2 + 12 * texts.count + 4
    tiff += number(texts.count, 2)
    for (tag, text) in texts {
      tiff += number(tag, 2) + number(2, 2) + number(text.count, 4) + number(place, 4)
      place += text.count
    }
    tiff += number(0, 4) + texts.flatMap(\.1)
    let content = Array("Exif".utf8) + [0, 0] + tiff
    return [0xFF, 0xD8, 0xFF, 0xE1] + number(content.count + 2, 2) + content + [0xFF, 0xD9]
  }

  @Test func `is read with its offset`() throws {
    let time = try #require(PhotoTime(jpeg: file("2026:11:27 18:05:09", "+05:30")))
    #expect((time.year, time.month, time.day) == (2026, 11, 27))
    #expect((time.hour, time.minute, time.second) == (18, 5, 9))
    #expect(time.utcOffsetSeconds == 19_800)
    let west = try #require(PhotoTime(jpeg: file("2026:11:27 18:05:09", "-03:30")))
    #expect(west.utcOffsetSeconds == -12_600)
    #expect(try #require(PhotoTime(jpeg: file("2026:11:27 18:05:09"))).utcOffsetSeconds == nil)
  }

  @Test(arguments: [
    "", "0000:00:00 00:00:00", "2026:13:01 00:00:00", "2026:11:27", "2026:11:27 24:00:00",
    "    :  :     :  :  ",
  ])
  func `that cannot be is none`(_ text: String) { #expect(PhotoTime(jpeg: file(text)) == nil) }

  @Test func `is none of a file that is cut anywhere`() {
    let bytes = file("2026:11:27 18:05:09", "+05:30")
    for count in 0..<bytes.count - 2 { #expect(PhotoTime(jpeg: Array(bytes.prefix(count))) == nil) }
    #expect(PhotoTime(jpeg: []) == nil)
  }
}
