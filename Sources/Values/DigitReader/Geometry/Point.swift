// SPDX-License-Identifier: Apache-2.0

/// A place in an image: `x` to the right and `y` down, in pixels; the first pixel's middle is at 0.5, 0.5.
public struct Point: Hashable, Sendable {
  /// Pixels from the left edge.
  public var x: Double
  /// Pixels from the upper edge.
  public var y: Double

  /// A place.
  public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

  /// The sums of both coordinates.
  public static func + (left: Point, right: Point) -> Point {
    Point(left.x + right.x, left.y + right.y)
  }

  /// The differences of both coordinates.
  public static func - (left: Point, right: Point) -> Point {
    Point(left.x - right.x, left.y - right.y)
  }

  /// Both coordinates times a number.
  public static func * (point: Point, factor: Double) -> Point {
    Point(point.x * factor, point.y * factor)
  }

  /// How far it is from another.
  public func distance(to other: Point) -> Double {
    let difference = self - other
    return (difference.x * difference.x + difference.y * difference.y).squareRoot()
  }

  /// The point between two: the first at 0, the second at 1.
  public func mixed(with other: Point, _ part: Double) -> Point { self + (other - self) * part }
}

/// Four corners, as a display or a row of digits has them in a photo.
public struct Quad: Hashable, Sendable {
  /// The corner at the upper left of what is seen, whichever way it lies.
  public var topLeft: Point
  /// The corner at its upper right.
  public var topRight: Point
  /// The corner at its lower right.
  public var bottomRight: Point
  /// The corner at its lower left.
  public var bottomLeft: Point

  /// Four corners, clockwise.
  public init(_ topLeft: Point, _ topRight: Point, _ bottomRight: Point, _ bottomLeft: Point) {
    (self.topLeft, self.topRight) = (topLeft, topRight)
    (self.bottomRight, self.bottomLeft) = (bottomRight, bottomLeft)
  }

  /// An upright rectangle.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(
      Point(x, y), Point(x + width, y), Point(x + width, y + height), Point(x, y + height))
  }

  /// The corners, clockwise from the top left.
  public var corners: [Point] { [topLeft, topRight, bottomRight, bottomLeft] }

  /// The mean of the corners.
  public var center: Point {
    (topLeft + topRight + bottomRight + bottomLeft) * 0.25
  }

  /// The mean length of the left and the right side.
  public var height: Double {
    (topLeft.distance(to: bottomLeft) + topRight.distance(to: bottomRight)) / 2
  }

  /// The mean length of the upper and the lower side.
  public var width: Double {
    (topLeft.distance(to: topRight) + bottomLeft.distance(to: bottomRight)) / 2
  }
}

extension Quad {
  /// The upright rectangle around points; nil without any.
  package init?(around points: [Point]) {
    guard let left = points.map(\.x).min(), let right = points.map(\.x).max(),
      let top = points.map(\.y).min(), let bottom = points.map(\.y).max()
    else { return nil }
    self.init(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// An upright rectangle with more on each side.
  func extended(by margin: Double) -> Quad {
    Quad(
      topLeft + Point(-margin, -margin), topRight + Point(margin, -margin),
      bottomRight + Point(margin, margin), bottomLeft + Point(-margin, margin))
  }
}
