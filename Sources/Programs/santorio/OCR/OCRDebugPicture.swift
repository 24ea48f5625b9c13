// SPDX-License-Identifier: Apache-2.0

import DigitReader
import Foundation
import SantorioImages

/// A photo with what was seen on it: rows in yellow, values in green or, where they are not sure, in red,
/// a bar for each character that is as long as it is sure, and glare in magenta.
struct OCRDebugPicture {
  private let width: Int
  private let height: Int
  private var rgb: [UInt8]

  private typealias Color = (UInt8, UInt8, UInt8)
  private static let (yellow, green, red, magenta): (Color, Color, Color, Color) = (
    (240, 200, 0), (0, 220, 60), (255, 40, 40), (255, 0, 255)
  )

  init(_ image: GrayImage, _ reading: DisplayReading, _ threshold: Double) {
    (width, height) = (image.width, image.height)
    // Darker than it is, so that the marks stand out.
    rgb = image.pixels.flatMap { [UInt8](repeating: UInt8(Int($0) * 3 / 4), count: 3) }
    let stroke = max(1, max(width, height) / 400)
    let size = max(2, max(width, height) / 250)
    for glare in image.glare(around: reading) { outline(glare, Self.magenta, stroke) }
    let values = Set(reading.values.map(\.quad))
    for row in reading.rows where !values.contains(row.quad) {
      outline(row.quad, Self.yellow, stroke)
      write("\(row.text) \(Int(row.confidence * 100))", above: row.quad, Self.yellow, size)
    }
    for value in reading.values {
      let isSure = value.confidence >= threshold && !reading.isUnsure
      let color = isSure ? Self.green : Self.red
      outline(value.quad, color, 2 * stroke)
      write("\(value.text) \(Int(value.confidence * 100))", above: value.quad, color, size)
      bars(value, stroke, threshold)
    }
  }

  /// Writes the picture.
  func write(to path: String) throws {
    let file = try DecodedImage.png(width: width, height: height, rgb: rgb)
    do {
      try Data(file).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw CommandError("\"\(path.printable)\" cannot be written: \(error.localizedDescription)")
    }
  }

  // MARK: - Drawing

  private mutating func fill(_ x: Int, _ y: Int, _ w: Int, _ h: Int, _ color: Color) {
    for row in max(0, y)..<max(0, y, min(height, y + h)) {
      for column in max(0, x)..<max(0, x, min(width, x + w)) {
        let place = 3 * (row * width + column)
        (rgb[place], rgb[place + 1], rgb[place + 2]) = color
      }
    }
  }

  private mutating func outline(_ quad: Quad, _ color: Color, _ stroke: Int) {
    let corners = quad.corners
    for (start, end) in zip(corners, corners.dropFirst() + [corners[0]]) {
      let steps = Int(min(start.distance(to: end), 100_000)) + 1
      for step in 0...steps {
        let point = start.mixed(with: end, Double(step) / Double(steps))
        guard point.x.magnitude < 1e6, point.y.magnitude < 1e6 else { continue }
        fill(Int(point.x) - stroke / 2, Int(point.y) - stroke / 2, stroke, stroke, color)
      }
    }
  }

  /// Below each character a bar: as long as the character is sure.
  private mutating func bars(_ value: DisplayReading.Value, _ stroke: Int, _ threshold: Double) {
    let count = Double(max(value.characters.count, 1))
    for (index, confidence) in value.characters.enumerated() {
      let (from, to) = ((Double(index) + 0.1) / count, (Double(index) + 0.9) / count)
      let start = value.quad.bottomLeft.mixed(with: value.quad.bottomRight, from)
      let end = value.quad.bottomLeft.mixed(
        with: value.quad.bottomRight, from + (to - from) * confidence)
      let below = Point(0, Double(3 * stroke))
      outline(
        Quad(start + below, end + below, end + below, start + below),
        confidence >= threshold ? Self.green : Self.red, 2 * stroke)
    }
  }

  private mutating func write(_ text: String, above quad: Quad, _ color: Color, _ size: Int) {
    var x = Int(quad.topLeft.x.clamped(0, Double(width)))
    let y = max(0, Int(quad.topLeft.y.clamped(0, Double(height))) - 7 * size)
    for character in text {
      for (row, line) in (Self.font[character] ?? Self.unknown).enumerated() {
        for (column, mark) in line.enumerated() where mark == "#" {
          fill(x + column * size, y + row * size, size, size, color)
        }
      }
      x += 4 * size
    }
  }

  private static let unknown: [String] = ["###", "#.#", "#.#", "#.#", "###"]

  /// Characters of three by five points.
  private static let font: [Character: [String]] = [
    "0": ["###", "#.#", "#.#", "#.#", "###"], "1": ["..#", "..#", "..#", "..#", "..#"],
    "2": ["###", "..#", "###", "#..", "###"], "3": ["###", "..#", "###", "..#", "###"],
    "4": ["#.#", "#.#", "###", "..#", "..#"], "5": ["###", "#..", "###", "..#", "###"],
    "6": ["###", "#..", "###", "#.#", "###"], "7": ["###", "..#", "..#", "..#", "..#"],
    "8": ["###", "#.#", "###", "#.#", "###"], "9": ["###", "#.#", "###", "..#", "###"],
    ".": ["...", "...", "...", "...", ".#."], ":": ["...", ".#.", "...", ".#.", "..."],
    "-": ["...", "...", "###", "...", "..."], " ": ["...", "...", "...", "...", "..."],
    "H": ["#.#", "#.#", "###", "#.#", "#.#"], "L": ["#..", "#..", "#..", "#..", "###"],
    "I": ["###", ".#.", ".#.", ".#.", "###"], "O": ["###", "#.#", "#.#", "#.#", "###"],
    "o": ["...", "...", "###", "#.#", "###"], "E": ["###", "#..", "##.", "#..", "###"],
    "r": ["...", "...", "##.", "#..", "#.."], "#": ["#.#", "###", "#.#", "###", "#.#"],
  ]
}

extension Double {
  fileprivate func clamped(_ least: Double, _ most: Double) -> Double {
    isNaN ? least : Swift.min(Swift.max(self, least), most)
  }
}
