// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioImages
import Testing

/// Four fields: very bright and bright above, dark and very dark below.
private enum Fixture {
  static func bytes(_ name: String) throws -> [UInt8] {
    let file = try #require(
      Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Fixtures"))
    return [UInt8](try Data(contentsOf: file))
  }

  static let fields = [250, 170, 85, 5]
}

extension DecodedImage {
  /// The brightness in the middle of the four fields.
  fileprivate var fields: [Int] {
    [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
      Int(pixels[(y * height / 4) * width + x * width / 4])
    }
  }
}

/// An orientation, and the four fields as they are seen.
struct Turn: Sendable {
  let orientation: UInt8
  let fields: [Int]

  static let all = [
    Turn(orientation: 1, fields: [250, 170, 85, 5]),
    Turn(orientation: 2, fields: [170, 250, 5, 85]),
    Turn(orientation: 3, fields: [5, 85, 170, 250]),
    Turn(orientation: 4, fields: [85, 5, 250, 170]),
    Turn(orientation: 5, fields: [250, 85, 170, 5]),
    Turn(orientation: 6, fields: [85, 250, 5, 170]),
    Turn(orientation: 7, fields: [5, 170, 85, 250]),
    Turn(orientation: 8, fields: [170, 5, 250, 85]),
    Turn(orientation: 0, fields: [250, 170, 85, 5]),
    Turn(orientation: 9, fields: [250, 170, 85, 5]),
  ]

  /// The segment of a JPEG that says it.
  func segment(isLittleEndian: Bool) -> [UInt8] {
    func number(_ value: UInt8, _ count: Int) -> [UInt8] {
      let zeros = [UInt8](repeating: 0, count: count - 1)
      return isLittleEndian ? [value] + zeros : zeros + [value]
    }
    var content = Array("Exif".utf8)
    content += [0, 0]
    content += Array((isLittleEndian ? "II" : "MM").utf8)
    content += number(42, 2)
    content += number(8, 4)
    content += number(1, 2)
    content += isLittleEndian ? [0x12, 0x01] : [0x01, 0x12]
    content += number(3, 2)
    content += number(1, 4)
    content += number(orientation, 2)
    content += [0, 0]
    content += number(0, 4)
    return [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
  }
}

private func isAbout(_ first: [Int], _ second: [Int]) -> Bool {
  zip(first, second).allSatisfy { abs($0 - $1) < 6 }
}

@Suite struct `An image file` {
  @Test(arguments: [
    "gray.jpg", "color.jpg", "progressive.jpg", "gray.png", "color.png", "palette.png", "deep.png",
  ])
  func `is decoded to brightness`(_ name: String) throws {
    let image = try DecodedImage(Fixture.bytes(name))
    #expect(image.width == 24 && image.height == 16)
    #expect(isAbout(image.fields, Fixture.fields), "\(image.fields)")
  }

  @Test func `is white where it is transparent`() throws {
    let image = try DecodedImage(Fixture.bytes("transparent.png"))
    #expect(isAbout(image.fields, [255, 170, 85, 5]), "\(image.fields)")
  }

  @Test(arguments: Turn.all)
  func `is turned as its Exif data says`(_ turn: Turn) throws {
    for isLittleEndian in [true, false] {
      var bytes = try Fixture.bytes("gray.jpg")
      bytes.insert(contentsOf: turn.segment(isLittleEndian: isLittleEndian), at: 2)
      let image = try DecodedImage(bytes)
      #expect((image.width == 24) == !(5...8).contains(turn.orientation))
      #expect(isAbout(image.fields, turn.fields), "\(image.fields)")
    }
  }

  @Test(arguments: ["gray.jpg", "color.jpg", "progressive.jpg", "color.png", "palette.png"])
  func `that is cut is an error wherever it is cut`(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    // The last bytes of a PNG and of a JPEG are marks of the end, which nothing needs.
    for count in 0..<bytes.count - 14 {
      #expect(throws: ImageFileError.self, "\(count) bytes") {
        try DecodedImage(Array(bytes.prefix(count)))
      }
    }
  }

  @Test(arguments: ["gray.jpg", "color.png"])
  func `that is damaged does no harm`(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    for place in bytes.indices {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var damaged = bytes
        damaged[place] = value
        _ = try? DecodedImage(damaged)
      }
    }
  }

  @Test func `of another kind is named`() {
    #expect(throws: ImageFileError.otherFormat) { try DecodedImage(Array("GIF89a".utf8)) }
    #expect(throws: ImageFileError.otherFormat) { try DecodedImage([]) }
  }

  @Test func `that would be huge is refused before it is decoded`() throws {
    var bytes = try Fixture.bytes("gray.jpg")
    let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    for place in [5, 7] { bytes[frame + place] = 0xFF }
    for place in [6, 8] { bytes[frame + place] = 0 }
    #expect(throws: ImageFileError.wrongSize(width: 65280, height: 65280)) {
      try DecodedImage(bytes)
    }
  }

  @Test func `in colors of print is an error with a reason`() throws {
    #expect { try DecodedImage(Fixture.bytes("cmyk.jpg")) } throws: {
      "\($0)".hasPrefix("It is cut or damaged: ")
    }
  }
}
