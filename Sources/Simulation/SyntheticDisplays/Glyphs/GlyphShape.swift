// SPDX-License-Identifier: Apache-2.0

import DigitReader

/// A character as polygons in a box that is one high, and what follows on the next one.
struct GlyphShape {
  /// How much of the height the box is wide.
  var width: Double
  /// What is lit, as convex polygons.
  var lit: [[Point]]
  /// What could be lit and is not.
  var unlit: [[Point]] = []
}

/// How the characters of a display look.
enum GlyphStyle {
  case segments(SegmentStyle)
  case dots(DotStyle)
  case strokes(StrokeStyle)

  /// The shape of a character; nil for one that it lacks.
  func shape(_ character: Character) -> GlyphShape? {
    switch self {
    case .segments(let style): style.shape(character)
    case .dots(let style): style.shape(character)
    case .strokes(let style): style.shape(character)
    }
  }

  /// The space between characters, in heights.
  var spacing: Double {
    switch self {
    case .segments(let style): style.spacing
    case .dots(let style): style.spacing
    case .strokes(let style): style.spacing
    }
  }
}

extension Array where Element == Point {
  /// A regular polygon in place of a disc.
  static func disc(_ center: Point, _ radius: Double) -> [Point] {
    // Of the sixteen directions; sines and cosines differ in the last digit from platform to platform.
    let directions: [(Double, Double)] = [
      (1, 0), (0.92388, 0.38268), (0.70711, 0.70711), (0.38268, 0.92388), (0, 1),
      (-0.38268, 0.92388), (-0.70711, 0.70711), (-0.92388, 0.38268), (-1, 0),
      (-0.92388, -0.38268), (-0.70711, -0.70711), (-0.38268, -0.92388), (0, -1),
      (0.38268, -0.92388), (0.70711, -0.70711), (0.92388, -0.38268),
    ]
    return directions.map { Point(center.x + radius * $0.0, center.y + radius * $0.1) }
  }

  /// An upright rectangle.
  static func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> [Point] {
    [Point(x, y), Point(x + width, y), Point(x + width, y + height), Point(x, y + height)]
  }

  /// A line of some width.
  static func bar(_ from: Point, _ to: Point, _ width: Double) -> [Point] {
    let length = Swift.max(from.distance(to: to), 1e-9)
    let across = Point((from.y - to.y) / length, (to.x - from.x) / length) * (width / 2)
    return [from + across, to + across, to - across, from - across]
  }
}
