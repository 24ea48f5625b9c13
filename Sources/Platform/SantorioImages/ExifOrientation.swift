// SPDX-License-Identifier: Apache-2.0

/// How a photo has to be turned, as its Exif data says (CIPA DC-008, tag 0x0112).
enum ExifOrientation: Int {
  case upright = 1
  case mirrored
  case upsideDown
  case mirroredUpsideDown
  case mirroredTurnedLeft
  case turnedLeft
  case mirroredTurnedRight
  case turnedRight

  /// Reads the orientation of a JPEG; one that has none, or a wrong one, is upright.
  init(jpeg bytes: [UInt8]) {
    self = Self.tag(in: bytes).flatMap(Self.init(rawValue:)) ?? .upright
  }

  /// Looks through the segments before the image for the one with Exif data.
  private static func tag(in bytes: [UInt8]) -> Int? {
    var place = 2
    while place + 4 <= bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      let end = place + 2 + length
      guard length >= 2, end <= bytes.count, marker != 0xDA else { return nil }
      let content = bytes[place + 4..<end]
      if marker == 0xE1, content.starts(with: [0x45, 0x78, 0x69, 0x66, 0, 0]) {
        return TIFF(bytes: Array(content.dropFirst(6)))?.orientation
      }
      place = end
    }
    return nil
  }

  /// The part of TIFF that Exif is written in.
  private struct TIFF {
    let bytes: [UInt8]
    private let isLittleEndian: Bool

    init?(bytes: [UInt8]) {
      self.bytes = bytes
      if bytes.starts(with: [0x49, 0x49]) {
        isLittleEndian = true
      } else if bytes.starts(with: [0x4D, 0x4D]) {
        isLittleEndian = false
      } else {
        return nil
      }
    }

    private func number(_ place: Int, _ count: Int) -> Int? {
      guard place >= 0, place <= bytes.count - count else { return nil }
      let part = bytes[place..<place + count]
      let ordered = isLittleEndian ? Array(part.reversed()) : Array(part)
      return ordered.reduce(0) { $0 << 8 | Int($1) }
    }

    var orientation: Int? {
      guard let directory = number(4, 4), let entries = number(directory, 2) else { return nil }
      for index in 0..<entries {
        let entry = directory + 2 + index * 12
        guard let tag = number(entry, 2) else { return nil }
        if tag == 0x0112 { return number(entry + 8, 2) }
      }
      return nil
    }
  }
}

extension DecodedImage {
  /// The image as it was seen.
  func turned(_ orientation: ExifOrientation) -> DecodedImage {
    guard orientation != .upright else { return self }
    let isTurned = orientation.rawValue >= ExifOrientation.mirroredTurnedLeft.rawValue
    let (columns, rows) = isTurned ? (height, width) : (width, height)
    var result = [UInt8]()
    result.reserveCapacity(pixels.count)
    for y in 0..<rows {
      for x in 0..<columns {
        let (fromX, fromY) =
          switch orientation {
          case .upright: (x, y)
          case .mirrored: (width - 1 - x, y)
          case .upsideDown: (width - 1 - x, height - 1 - y)
          case .mirroredUpsideDown: (x, height - 1 - y)
          case .mirroredTurnedLeft: (y, x)
          case .turnedLeft: (y, height - 1 - x)
          case .mirroredTurnedRight: (width - 1 - y, height - 1 - x)
          case .turnedRight: (width - 1 - y, x)
          }
        result.append(pixels[fromY * width + fromX])
      }
    }
    return DecodedImage(columns, rows, result)
  }
}
