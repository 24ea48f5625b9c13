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

  /// The pixels of the part, as far as it lies in the image; all of one in which nothing of it lies.
  func part(of image: GrayImage) -> GrayImage {
    let (right, bottom) = (min(x + width, image.width), min(y + height, image.height))
    guard x < right, y < bottom else { return image }
    var pixels: [UInt8] = []
    pixels.reserveCapacity((right - x) * (bottom - y))
    for row in y..<bottom {
      pixels += image.pixels[row * image.width + x..<row * image.width + right]
    }
    return GrayImage(unchecked: right - x, bottom - y, pixels)
  }

  /// Where the part begins; at the corner of an image in which nothing of it lies.
  func corner(in image: GrayImage) -> Point {
    x < image.width && y < image.height ? Point(Double(x), Double(y)) : Point(0, 0)
  }
}

extension GrayImage {
  /// A part of the image.
  ///
  /// - Parameter region: The part; it lies in the image.
  /// - Returns: Its pixels.
  public func cropped(to region: PixelRegion) -> GrayImage { region.part(of: self) }

  /// The image in a size whose longer side is at least this long.
  func enlarged(toSide side: Int) -> GrayImage {
    let longest = max(width, height)
    guard longest < side else { return self }
    let (columns, rows) = (
      max(1, width * side / longest), max(1, height * side / longest)
    )
    let frame = PictureFrame(x: 0, y: 0, width: Double(columns), height: Double(rows))
    let whole = Quad(x: 0, y: 0, width: Double(width), height: Double(height))
    guard let picture = Picture(whole, of: self, at: frame, width: columns, height: rows) else {
      return self
    }
    return GrayImage(
      unchecked: columns, rows, picture.values.map { UInt8(min(255, max(0, $0 + 0.5))) })
  }

  /// The image with more of its edge on each side.
  func padded(by margin: Int) -> GrayImage {
    let (columns, rows) = (width + 2 * margin, height + 2 * margin)
    guard margin > 0, columns <= Self.mostPixels / rows else { return self }
    var result: [UInt8] = []
    result.reserveCapacity(columns * rows)
    for y in 0..<rows {
      let line = min(max(y - margin, 0), height - 1) * width
      result += repeatElement(pixels[line], count: margin)
      result += pixels[line..<line + width]
      result += repeatElement(pixels[line + width - 1], count: margin)
    }
    return GrayImage(unchecked: columns, rows, result)
  }

  /// What lies within four corners, as if it were seen straight on.
  ///
  /// - Parameter quad: The corners.
  /// - Returns: An image of about the same size; nil if the corners are on a line or too near together.
  public func rectified(_ quad: Quad) -> GrayImage? {
    let (width, height) = (quad.width.rounded(), quad.height.rounded())
    guard width >= 1, height >= 1, width * height <= Double(Self.mostPixels) else { return nil }
    let frame = PictureFrame(x: 0, y: 0, width: width, height: height)
    guard
      let picture = Picture(quad, of: self, at: frame, width: Int(width), height: Int(height))
    else { return nil }
    return GrayImage(
      unchecked: Int(width), Int(height), picture.values.map { UInt8(min(255, max(0, $0 + 0.5))) })
  }
}
