// SPDX-License-Identifier: Apache-2.0

/// A row of large characters in an image.
struct FoundRow: Hashable, Sendable {
  /// Around its characters, in pixels of the image.
  var quad: Quad
  /// How sure it is that there is one, from 0 to 1.
  var confidence: Double

  /// Whether two rows are about at the same place.
  func overlaps(_ other: FoundRow) -> Bool { quad.overlaps(other.quad) }
}

extension Quad {
  /// Whether another one is about at the same place.
  func overlaps(_ other: Quad) -> Bool {
    let smaller = min(bounds.area, other.bounds.area)
    return bounds.common(with: other.bounds) > 0.4 * smaller
  }
}

extension Quad {
  struct Bounds {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    var area: Double { (right - left) * (bottom - top) }

    /// The area that both have.
    func common(with other: Bounds) -> Double {
      let width = min(right, other.right) - max(left, other.left)
      let height = min(bottom, other.bottom) - max(top, other.top)
      return width > 0 && height > 0 ? width * height : 0
    }
  }

  /// The upright rectangle around it.
  var bounds: Bounds {
    let (xs, ys) = (corners.map(\.x), corners.map(\.y))
    return Bounds(
      left: xs.min() ?? 0, top: ys.min() ?? 0, right: xs.max() ?? 0, bottom: ys.max() ?? 0)
  }

  /// The same in an image of another size.
  func scaled(by scale: Point) -> Quad {
    func scaled(_ point: Point) -> Point { Point(point.x * scale.x, point.y * scale.y) }
    return Quad(scaled(topLeft), scaled(topRight), scaled(bottomRight), scaled(bottomLeft))
  }

  /// The same in an image that begins at another place.
  func moved(by shift: Point) -> Quad {
    Quad(topLeft + shift, topRight + shift, bottomRight + shift, bottomLeft + shift)
  }
}
