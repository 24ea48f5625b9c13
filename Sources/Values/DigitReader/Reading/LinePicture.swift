// SPDX-License-Identifier: Apache-2.0

/// A row of an image as the network reads it: upright, of a fixed size, with some of what is around.
struct LinePicture {
  /// How a row is put into the picture; several ways of the same row are several opinions.
  struct Framing: Hashable, Sendable {
    /// How much of the picture's height the row has.
    var fill = 0.78
    /// How much wider the characters become.
    var stretch = 1.0
    /// How far the row is below the middle, in heights of the picture.
    var shift = 0.0
  }

  /// The brightness, row by row.
  let values: [Float]
  /// From the picture to the image.
  let mapping: Homography
  /// The columns of the picture that the row has.
  let columns: ClosedRange<Double>

  /// Takes a row out of an image; nil for corners that are on a line.
  init?(_ row: Quad, of image: GrayImage, _ framing: Framing = Framing()) {
    let (width, height) = (Double(LineNetwork.width), Double(LineNetwork.height))
    let scale = height * framing.fill / max(row.height, 1)
    // A row that would be too long becomes narrower, not smaller.
    let needed = min(row.width * scale * framing.stretch, width - 6)
    let top = height * (0.5 + framing.shift - framing.fill / 2)
    let (left, bottom) = ((width - needed) / 2, top + height * framing.fill)
    guard
      let toRow = Homography(width: needed, height: bottom - top, to: row)
    else { return nil }
    // The row's corners are at left, top and so on in the picture: the picture's own lie outside.
    func outside(_ x: Double, _ y: Double) -> Point { toRow(Point(x - left, y - top)) }
    guard
      let mapping = Homography(
        width: width, height: height,
        to: Quad(
          outside(0, 0), outside(width, 0), outside(width, height), outside(0, height)))
    else { return nil }
    self.mapping = mapping
    columns = left...left + needed
    values = Self.sampled(image, mapping, reduction: 1 / scale)
  }

  /// Brightness at the places of the picture's pixels: each the mean of some samples where the picture
  /// is smaller than the row.
  private static func sampled(
    _ image: GrayImage, _ mapping: Homography, reduction: Double
  ) -> [Float] {
    let samples = max(1, min(6, Int(reduction.rounded(.up))))
    let share = 1 / Float(samples * samples)
    var values = [Float](repeating: 0, count: LineNetwork.width * LineNetwork.height)
    unsafe image.pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<LineNetwork.height {
        for x in 0..<LineNetwork.width {
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
          values[y * LineNetwork.width + x] = sum * share
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
    let x = Float(min(max(place.x - 0.5, 0), Double(width - 1)))
    let y = Float(min(max(place.y - 0.5, 0), Double(height - 1)))
    let (left, top) = (Int(x), Int(y))
    let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
    let (dx, dy) = (x - Float(left), y - Float(top))
    let first = unsafe Float(pixels[top * width + left])
    let second = unsafe Float(pixels[top * width + right])
    let third = unsafe Float(pixels[bottom * width + left])
    let fourth = unsafe Float(pixels[bottom * width + right])
    let upper = first + (second - first) * dx
    return upper + (third + (fourth - third) * dx - upper) * dy
  }
}
