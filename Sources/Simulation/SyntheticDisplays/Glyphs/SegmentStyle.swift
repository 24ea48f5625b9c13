// SPDX-License-Identifier: Apache-2.0

import DigitReader

/// Characters of seven segments.
///
///      aaa
///     f   b
///      ggg
///     e   c
///      ddd
struct SegmentStyle {
  enum Ends: CaseIterable {
    /// Pointed, as most displays have them.
    case pointed
    /// Cut off at 45 degrees, longer outside.
    case cut
    /// Square.
    case square
  }

  var ends = Ends.cut
  /// How much of the height a digit is wide.
  var width = 0.52
  /// How much of the height a segment is thick.
  var thickness = 0.13
  /// The gap between segments.
  var gap = 0.015
  /// How far the top is to the right of the bottom.
  var slant = 0.08
  /// The space between characters.
  var spacing = 0.2
  var sevenHasHook = false
  var sixHasTop = true
  var nineHasBottom = true
  /// Whether a point has a cell of its own, and is not squeezed between digits.
  var pointHasCell = false
  var pointIsRound = false
  /// How large a point is, in thicknesses of a segment.
  var pointSize = 1.1
  /// Whether a one is as narrow as its segments.
  var oneIsNarrow = false

  private static let segments: [Character: String] = [
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg", "5": "acdfg",
    "6": "acdefg", "7": "abc", "8": "abcdefg", "9": "abcdfg", "-": "g", "E": "adefg", "r": "eg",
    "H": "bcefg", "I": "ef", "i": "c", "L": "def", "o": "cdeg", "O": "abcdef", " ": "",
    "P": "abefg",
    "F": "aefg", "C": "adef", "A": "abcefg", "b": "cdefg", "d": "bcdeg", "n": "ceg", "t": "defg",
    "U": "bcdef", "u": "cde", "h": "cefg", "S": "acdfg",
  ]

  func shape(_ character: Character) -> GlyphShape? {
    if character == "." { return pointHasCell ? cell([0.92]) : squeezed() }
    if character == ":" { return cell([0.3, 0.7]) }
    guard var names = Self.segments[character] else { return nil }
    if character == "7", sevenHasHook { names.append("f") }
    if character == "6", !sixHasTop { names.removeAll { $0 == "a" } }
    if character == "9", !nineHasBottom { names.removeAll { $0 == "d" } }
    var shape = GlyphShape(width: width, lit: names.map { slanted(segment($0)) })
    shape.unlit = "abcdefg".filter { !names.contains($0) }.map { slanted(segment($0)) }
    guard character == "1", oneIsNarrow else { return shape }
    let left = width - thickness
    shape.width = thickness
    shape.unlit = []
    shape.lit = shape.lit.map { $0.map { Point($0.x - left, $0.y) } }
    return shape
  }

  private func slanted(_ corners: [Point]) -> [Point] {
    corners.map { Point($0.x + (1 - $0.y) * slant, $0.y) }
  }

  private func dot(_ middle: Point) -> [Point] {
    let side = thickness * pointSize
    return slanted(
      pointIsRound
        ? .disc(middle, side * 0.56)
        : .rectangle(middle.x - side / 2, middle.y - side / 2, side, side))
  }

  private func cell(_ heights: [Double]) -> GlyphShape {
    let side = thickness * 1.4
    return GlyphShape(width: side, lit: heights.map { dot(Point(side / 2, $0)) })
  }

  private func squeezed() -> GlyphShape {
    // As wide as to leave the digits where they are.
    GlyphShape(width: -spacing, lit: [dot(Point(-spacing / 2, 0.94))])
  }

  private func segment(_ name: Character) -> [Point] {
    let middle = 0.5
    return switch name {
    case "a": across(0, 0)
    case "d": across(1, 1)
    case "g": across(middle, 0.5)
    case "b": along(width, 0, middle, 1)
    case "c": along(width, middle, 1, 1)
    case "f": along(0, 0, middle, 0)
    default: along(0, middle, 1, 0)
    }
  }

  /// A segment from the left to the right, at the top (0), in the middle or at the bottom (1).
  private func across(_ y: Double, _ side: Double) -> [Point] {
    let t = thickness
    let (top, bottom) = (y - t * side, y + t * (1 - side))
    let center = (top + bottom) / 2
    switch (ends, side == 0.5) {
    case (.square, _):
      return .rectangle(t + gap, top, width - 2 * t - 2 * gap, t)
    case (.cut, false):
      let (outer, inner) = (gap + 0.1 * t, t + gap)
      let (upper, lower) = side == 0 ? (outer, inner) : (inner, outer)
      return [
        Point(upper, top), Point(width - upper, top), Point(width - lower, bottom),
        Point(lower, bottom),
      ]
    default:
      let (tip, shoulder) = (t / 2 + gap, t + gap)
      return [
        Point(tip, center), Point(shoulder, top), Point(width - shoulder, top),
        Point(width - tip, center), Point(width - shoulder, bottom), Point(shoulder, bottom),
      ]
    }
  }

  /// A segment from the top to the bottom, on the left (0) or the right (1).
  private func along(_ x: Double, _ from: Double, _ to: Double, _ side: Double) -> [Point] {
    let t = thickness
    let (left, right) = (x - t * side, x + t * (1 - side))
    let center = (left + right) / 2
    // At the middle the segments meet with half of its thickness.
    let (start, end) = (from == 0 ? 0 : from - t / 2, to == 1 ? 1 : to + t / 2)
    switch ends {
    case .square:
      return .rectangle(left, start + (from == 0 ? gap : t + gap), t, end - start - t - 2 * gap)
    case .cut:
      let (outer, inner) = (0.1 * t + gap, t + gap)
      let (first, last) = (from == 0 ? outer : t / 2 + gap, to == 1 ? outer : t / 2 + gap)
      let (top, bottom) = (from == 0 ? inner : t + gap, to == 1 ? inner : t + gap)
      return side == 0
        ? [
          Point(left, start + first), Point(right, start + top), Point(right, end - bottom),
          Point(left, end - last),
        ]
        : [
          Point(right, start + first), Point(right, end - last), Point(left, end - bottom),
          Point(left, start + top),
        ]
    case .pointed:
      return [
        Point(center, start + t / 2 + gap), Point(right, start + t + gap),
        Point(right, end - t - gap), Point(center, end - t / 2 - gap), Point(left, end - t - gap),
        Point(left, start + t + gap),
      ]
    }
  }
}
