// SPDX-License-Identifier: Apache-2.0

/// Which way rows run in an image.
struct Direction {
  private var cosine = 1.0
  private var sine = 0.0

  /// That of all rows together; longer ones count more.
  init(of quads: [Quad]) {
    let sum = quads.reduce(Point(0, 0)) {
      $0 + ($1.topRight - $1.topLeft) + ($1.bottomRight - $1.bottomLeft)
    }
    let length = sum.distance(to: Point(0, 0))
    guard length > 0 else { return }
    (cosine, sine) = (sum.x / length, sum.y / length)
  }

  /// The same after the image was turned so that rows run from left to right.
  func upright(_ quad: Quad) -> Quad {
    func turned(_ point: Point) -> Point {
      Point(point.x * cosine + point.y * sine, point.y * cosine - point.x * sine)
    }
    return Quad(
      turned(quad.topLeft), turned(quad.topRight), turned(quad.bottomRight),
      turned(quad.bottomLeft))
  }

  /// What is upright as it was before the image was turned.
  func back(_ quad: Quad) -> Quad {
    var direction = self
    direction.sine = -sine
    return direction.upright(quad)
  }
}
