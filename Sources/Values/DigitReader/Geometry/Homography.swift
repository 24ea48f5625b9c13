// SPDX-License-Identifier: Apache-2.0

/// How a flat thing appears to a camera: a mapping of the plane that keeps lines straight.
public struct Homography: Hashable, Sendable {
  // Row by row; the last number is 1.
  private let m: (Double, Double, Double, Double, Double, Double, Double, Double)

  /// Maps the rectangle from 0, 0 to `width`, `height` to four corners.
  ///
  /// - Returns: nil if three corners are on a line.
  public init?(width: Double, height: Double, to quad: Quad) {
    // Heckbert's closed form for the unit square, and the size of the rectangle.
    let (p0, p1, p2, p3) = (quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft)
    let (d1, d2) = (p1 - p2, p3 - p2)
    let sum = Point(p0.x - p1.x + p2.x - p3.x, p0.y - p1.y + p2.y - p3.y)
    let determinant = d1.x * d2.y - d2.x * d1.y
    guard width > 0, height > 0, abs(determinant) > 1e-9 else { return nil }
    let g = (sum.x * d2.y - d2.x * sum.y) / determinant
    let h = (d1.x * sum.y - sum.x * d1.y) / determinant
    m = (
      (p1.x - p0.x + g * p1.x) / width, (p3.x - p0.x + h * p3.x) / height, p0.x,
      (p1.y - p0.y + g * p1.y) / width, (p3.y - p0.y + h * p3.y) / height, p0.y, g / width,
      h / height
    )
  }

  private init(
    _ m: (Double, Double, Double, Double, Double, Double, Double, Double)
  ) { self.m = m }

  /// The place to which a place is mapped.
  public func callAsFunction(_ point: Point) -> Point {
    let scale = 1 / (m.6 * point.x + m.7 * point.y + 1)
    return Point(
      (m.0 * point.x + m.1 * point.y + m.2) * scale, (m.3 * point.x + m.4 * point.y + m.5) * scale)
  }

  /// The corners to which those of a rectangle are mapped.
  public func callAsFunction(_ quad: Quad) -> Quad {
    Quad(self(quad.topLeft), self(quad.topRight), self(quad.bottomRight), self(quad.bottomLeft))
  }

  /// The mapping back; nil if there is none.
  public var inverse: Homography? {
    let (a, b, c, d, e, f, g, h) = m
    let scale = a * e - b * d
    guard abs(scale) > 1e-12 else { return nil }
    return Homography(
      (
        (e - f * h) / scale, (c * h - b) / scale, (b * f - c * e) / scale, (f * g - d) / scale,
        (a - c * g) / scale, (c * d - a * f) / scale, (d * h - e * g) / scale,
        (b * g - a * h) / scale
      ))
  }

  /// Whether both map alike.
  public static func == (left: Homography, right: Homography) -> Bool {
    left.numbers == right.numbers
  }

  /// Hashes the numbers of the mapping.
  public func hash(into hasher: inout Hasher) { hasher.combine(numbers) }

  private var numbers: [Double] { [m.0, m.1, m.2, m.3, m.4, m.5, m.6, m.7] }
}
