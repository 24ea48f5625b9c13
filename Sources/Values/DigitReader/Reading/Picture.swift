// SPDX-License-Identifier: Apache-2.0

/// Where a row of an image is to be in a picture of it.
struct PictureFrame {
  let x: Double
  let y: Double
  let width: Double
  let height: Double
}

/// A row of an image and what is around it, upright and in a size that a network reads.
struct Picture {
  /// The brightness, row by row.
  let values: [Float]
  let width: Int

  /// Takes a row out of an image; nil for corners that are on a line.
  init?(_ row: Quad, of image: GrayImage, at frame: PictureFrame, width: Int, height: Int) {
    guard
      let toRow = Homography(width: frame.width, height: frame.height, to: row)
    else { return nil }
    // The row's corners are at those of the frame; the picture's own lie outside of the row.
    func outside(_ x: Double, _ y: Double) -> Point { toRow(Point(x - frame.x, y - frame.y)) }
    let (w, h) = (Double(width), Double(height))
    let corners = Quad(outside(0, 0), outside(w, 0), outside(w, h), outside(0, h))
    guard let mapping = Homography(width: w, height: h, to: corners) else { return nil }
    self.width = width
    values = Self.sampled(
      image, mapping, width, height, reduction: row.height / max(frame.height, 1))
  }

  /// Brightness at the places of the picture's pixels: each the mean of some samples where the picture
  /// is smaller than the row.
  private static func sampled(
    _ image: GrayImage, _ mapping: Homography, _ width: Int, _ height: Int, reduction: Double
  ) -> [Float] {
    let samples = max(1, min(6, Int(reduction.rounded(.up))))
    let share = 1 / Float(samples * samples)
    var values = [Float](repeating: 0, count: width * height)
    unsafe image.pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<height {
        for x in 0..<width {
          var sum: Float = 0
          for row in 0..<samples {
            for column in 0..<samples {
              let place = mapping(
                Point(
                  Double(x) + (Double(column) + 0.5) / Double(samples),
                  Double(y) + (Double(row) + 0.5) / Double(samples)))
              sum += unsafe sample(pixels, image.width, image.height, place)
            }
          }
          values[y * width + x] = sum * share
        }
      }
    }
    return values
  }

  /// The brightness between pixels; outside of the image that of its edge.
  @inline(__always)
  private static func sample(
    _ pixels: UnsafeBufferPointer<UInt8>, _ width: Int, _ height: Int, _ place: Point
  ) -> Float {
    // Of corners that no display has, places may be infinite, or no numbers.
    let (left, upper) = (place.x - 0.5, place.y - 0.5)
    let x = Float(left > 0 ? min(left, Double(width - 1)) : 0)
    let y = Float(upper > 0 ? min(upper, Double(height - 1)) : 0)
    let (column, row) = (Int(x), Int(y))
    let (next, below) = (min(column + 1, width - 1), min(row + 1, height - 1))
    let (dx, dy) = (x - Float(column), y - Float(row))
    let first = unsafe Float(pixels[row * width + column])
    let second = unsafe Float(pixels[row * width + next])
    let third = unsafe Float(pixels[below * width + column])
    let fourth = unsafe Float(pixels[below * width + next])
    let above = first + (second - first) * dx
    return above + (third + (fourth - third) * dx - above) * dy
  }
}

extension FeatureMap {
  /// Fills a map of one channel with a picture, so that its mean is 0 and its deviation about 1: what is
  /// dark or pale is seen as well as what has contrast.
  func fill(normalizing picture: [Float]) {
    precondition(channels == 1 && picture.count == width * height)
    let mean = picture.reduce(0, +) / Float(picture.count)
    let variance = picture.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(picture.count)
    let scale = 1 / (variance.squareRoot() + 8)
    for y in 0..<height {
      let row = unsafe place(0, y)
      for x in 0..<width { unsafe row[x] = (picture[y * width + x] - mean) * scale }
    }
  }
}
