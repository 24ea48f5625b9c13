// SPDX-License-Identifier: Apache-2.0

/// By how much an image is turned, so that what lies crooked in it becomes upright.
struct Turn {
  private let cosine: Double
  private let sine: Double

  /// By half a right angle and by a right angle, to both sides; upside down, digits are others.
  static let all = [
    Turn(cosine: 0.5.squareRoot(), sine: 0.5.squareRoot()),
    Turn(cosine: 0.5.squareRoot(), sine: -0.5.squareRoot()), Turn(cosine: 0, sine: 1),
    Turn(cosine: 0, sine: -1),
  ]

  /// The image turned around its middle, and where its pixels come from.
  func turned(_ image: GrayImage) -> (image: GrayImage, origin: Homography)? {
    let (w, h) = (Double(image.width), Double(image.height))
    let (width, height) = (
      (w * abs(cosine) + h * abs(sine)).rounded(.up), (w * abs(sine) + h * abs(cosine)).rounded(.up)
    )
    // From a place of the turned image to that of the image.
    func origin(_ x: Double, _ y: Double) -> Point {
      let (dx, dy) = (x - width / 2, y - height / 2)
      return Point(w / 2 + dx * cosine + dy * sine, h / 2 - dx * sine + dy * cosine)
    }
    let corners = Quad(
      origin(0, 0), origin(width, 0), origin(width, height), origin(0, height))
    guard let mapping = Homography(width: width, height: height, to: corners),
      let turned = image.rectified(corners)
    else { return nil }
    return (turned, mapping)
  }
}

extension RowFinder {
  /// The rows of an image that was turned, in pixels of the image as it is.
  func rows(turned turn: Turn, _ pyramid: ImagePyramid) -> [FoundRow] {
    let longest = Double(max(pyramid.image.width, pyramid.image.height))
    let (image, scale) = pyramid.level(atLeast: min(1, Double(Self.sides.last ?? 640) / longest))
    guard let (turned, origin) = turn.turned(image) else { return [] }
    let back = Point(1 / scale.x, 1 / scale.y)
    return rows(ImagePyramid(turned)).map {
      FoundRow(quad: origin($0.quad).scaled(by: back), confidence: $0.confidence)
    }
  }
}
