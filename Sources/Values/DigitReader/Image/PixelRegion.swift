// SPDX-License-Identifier: Apache-2.0

/// An upright part of an image, in whole pixels.
public struct PixelRegion: Hashable, Sendable {
  /// The first column.
  public let x: Int
  /// The first row.
  public let y: Int
  /// How many columns it has.
  public let width: Int
  /// How many rows it has.
  public let height: Int

  /// A part of an image.
  ///
  /// - Returns: nil if it has no pixel, or does not lie in the image whole.
  public init?(x: Int, y: Int, width: Int, height: Int, in image: GrayImage) {
    guard x >= 0, y >= 0, width > 0, height > 0, x < image.width, y < image.height,
      width <= image.width - x, height <= image.height - y
    else { return nil }
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  var corner: Point { Point(Double(x), Double(y)) }

  /// The pixels of the part.
  func part(of image: GrayImage) -> GrayImage {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height)
    for row in y..<y + height {
      pixels += image.pixels[row * image.width + x..<row * image.width + x + width]
    }
    return GrayImage(unchecked: width, height, pixels)
  }
}
