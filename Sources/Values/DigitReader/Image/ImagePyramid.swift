// SPDX-License-Identifier: Apache-2.0

/// An image in its own size, in half of it, in a quarter and so on: rows are taken out of the one in which
/// they are a little larger than needed.
struct ImagePyramid {
  /// From the image itself to the smallest.
  private(set) var levels: [GrayImage]

  /// No level is made whose longer side would be below this.
  static let leastSide = 96

  init(_ image: GrayImage) {
    levels = [image]
    while let last = levels.last, max(last.width, last.height) >= 2 * Self.leastSide,
      min(last.width, last.height) >= 2
    {
      levels.append(last.halved())
    }
  }

  var image: GrayImage { levels[0] }

  /// The smallest level that is at least so large.
  ///
  /// - Parameter factor: How much smaller than the image a level may be, at most 1.
  /// - Returns: The level, and its size in relation to the image, in both directions.
  func level(atLeast factor: Double) -> (image: GrayImage, scale: Point) {
    var index = 0
    while index + 1 < levels.count, scale(of: index + 1).x >= factor,
      scale(of: index + 1).y >= factor
    {
      index += 1
    }
    return (levels[index], scale(of: index))
  }

  private func scale(of index: Int) -> Point {
    Point(
      Double(levels[index].width) / Double(image.width),
      Double(levels[index].height) / Double(image.height))
  }
}

extension GrayImage {
  /// The image in half its size; a last column or row of an odd number is left out.
  func halved() -> GrayImage {
    let (columns, rows) = (max(1, width / 2), max(1, height / 2))
    guard width >= 2, height >= 2 else { return reduced(to: columns, rows) }
    let result = unsafe [UInt8](unsafeUninitializedCapacity: columns * rows) { target, count in
      unsafe pixels.withUnsafeBufferPointer { source in
        for y in 0..<rows {
          let upper = unsafe source.baseAddress.unsafelyUnwrapped + 2 * y * width
          let lower = unsafe upper + width
          let line = unsafe target.baseAddress.unsafelyUnwrapped + y * columns
          for x in 0..<columns {
            let sum =
              unsafe UInt16(upper[2 * x]) &+ UInt16(upper[2 * x &+ 1])
              &+ UInt16(lower[2 * x]) &+ UInt16(lower[2 * x &+ 1])
            unsafe line[x] = UInt8(truncatingIfNeeded: (sum &+ 2) >> 2)
          }
        }
      }
      count = columns * rows
    }
    return GrayImage(unchecked: columns, rows, result)
  }
}
