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
    self = TIFF(jpeg: bytes)?.number(0x0112).flatMap(Self.init(rawValue:)) ?? .upright
  }
}

/// When a photo was taken, as its Exif data says (CIPA DC-008, tags 0x9003 and 0x9011).
package struct PhotoTime: Hashable, Sendable {
  package let year: Int
  package let month: Int
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int
  /// Local time minus UTC; nil of the many photos that do not say it.
  package let utcOffsetSeconds: Int?

  /// Reads the time of a JPEG.
  ///
  /// - Returns: nil without a time, and for one that cannot be.
  package init?(jpeg bytes: [UInt8]) {
    guard let tiff = TIFF(jpeg: bytes), let text = tiff.text(0x9003) else { return nil }
    let parts = text.split { !$0.isNumber }.compactMap { Int($0) }
    guard parts.count == 6, (1990...2199).contains(parts[0]), (1...12).contains(parts[1]),
      (1...31).contains(parts[2]), (0...23).contains(parts[3]), (0...59).contains(parts[4]),
      (0...59).contains(parts[5])
    else { return nil }
    (year, month, day) = (parts[0], parts[1], parts[2])
    (hour, minute, second) = (parts[3], parts[4], parts[5])
    utcOffsetSeconds = tiff.text(0x9011).flatMap(Self.offset)
  }

  /// The offset of a text such as `+02:00`.
  private static func offset(_ text: String) -> Int? {
    let parts = text.dropFirst().split(separator: ":").compactMap { Int($0) }
    guard parts.count == 2, (0...14).contains(parts[0]), (0...59).contains(parts[1]),
      let sign = ["+": 1, "-": -1][text.prefix(1)]
    else { return nil }
    return sign * (parts[0] * 3600 + parts[1] * 60)
  }
}

/// The part of TIFF that Exif is written in.
private struct TIFF {
  private let bytes: [UInt8]
  private let isLittleEndian: Bool
  /// Where the directories are: of the image, and of what the camera says.
  private var directories: [Int] = []

  /// Looks through the segments before the image of a JPEG for the one with Exif data.
  init?(jpeg bytes: [UInt8]) {
    var place = 2
    while place + 4 <= bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      let end = place + 2 + length
      guard length >= 2, end <= bytes.count, marker != 0xDA else { return nil }
      let content = bytes[place + 4..<end]
      if marker == 0xE1, content.starts(with: [0x45, 0x78, 0x69, 0x66, 0, 0]) {
        self.init(bytes: Array(content.dropFirst(6)))
        return
      }
      place = end
    }
    return nil
  }

  private init?(bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0x49, 0x49]) {
      isLittleEndian = true
    } else if bytes.starts(with: [0x4D, 0x4D]) {
      isLittleEndian = false
    } else {
      return nil
    }
    guard let first = read(4, 4) else { return nil }
    directories = [first]
    if let camera = entry(0x8769).flatMap({ read($0 + 8, 4) }) { directories.append(camera) }
  }

  private func read(_ place: Int, _ count: Int) -> Int? {
    guard place >= 0, place <= bytes.count - count else { return nil }
    let part = bytes[place..<place + count]
    let ordered = isLittleEndian ? Array(part.reversed()) : Array(part)
    return ordered.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Where the entry of a tag is.
  private func entry(_ wanted: Int) -> Int? {
    for directory in directories {
      for index in 0..<(read(directory, 2) ?? 0) {
        let entry = directory + 2 + index * 12
        guard let tag = read(entry, 2) else { break }
        if tag == wanted { return entry }
      }
    }
    return nil
  }

  /// The number of a tag that has one of 16 bits.
  func number(_ tag: Int) -> Int? { entry(tag).flatMap { read($0 + 8, 2) } }

  /// The text of a tag; at most 64 characters.
  func text(_ tag: Int) -> String? {
    guard let entry = entry(tag), read(entry + 2, 2) == 2, let count = read(entry + 4, 4),
      (1...64).contains(count)
    else { return nil }
    guard let start = count <= 4 ? entry + 8 : read(entry + 8, 4), start <= bytes.count - count
    else { return nil }
    return String(decoding: bytes[start..<start + count].prefix { $0 != 0 }, as: UTF8.self)
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
