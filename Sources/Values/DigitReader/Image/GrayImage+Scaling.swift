// SPDX-License-Identifier: Apache-2.0

extension GrayImage {
  /// A smaller image, in which each pixel is the mean of those that it replaces.
  ///
  /// - Parameters:
  ///   - width: At least 1 and at most this image's.
  ///   - height: At least 1 and at most this image's.
  /// - Returns: The smaller image.
  func reduced(to width: Int, _ height: Int) -> GrayImage {
    precondition(width > 0 && height > 0 && width <= self.width && height <= self.height)
    guard width < self.width || height < self.height else { return self }
    let columns = Self.parts(of: self.width, in: width)
    let rows = Self.parts(of: self.height, in: height)
    var result = [UInt8](repeating: 0, count: width * height)
    var sums = [UInt32](repeating: 0, count: width)
    let area = UInt64(Self.unit) * UInt64(Self.unit)
    unsafe pixels.withUnsafeBufferPointer { source in
      var totals = [UInt64](repeating: 0, count: width)
      for (y, part) in rows.enumerated() {
        for x in 0..<width { totals[x] = 0 }
        for row in part.first...part.last {
          let share =
            row == part.first ? part.firstShare : row == part.last ? part.lastShare : part.whole
          let line = row * self.width
          for (x, column) in columns.enumerated() {
            var sum = UInt32(unsafe source[line + column.first]) * column.firstShare
            if column.last > column.first {
              for place in column.first + 1..<column.last {
                sum += UInt32(unsafe source[line + place]) * column.whole
              }
              sum += UInt32(unsafe source[line + column.last]) * column.lastShare
            }
            sums[x] = sum
          }
          for x in 0..<width { totals[x] += UInt64(sums[x]) * UInt64(share) }
        }
        for x in 0..<width { result[y * width + x] = UInt8((totals[x] + area / 2) / area) }
      }
    }
    return GrayImage(unchecked: width, height, result)
  }

  /// Shares of pixels are counted in such parts of a pixel of the result.
  private static let unit: UInt32 = 4096

  /// The pixels of one line that a pixel of the result replaces, and how much of it each is.
  private struct Part {
    var first: Int
    var last: Int
    var firstShare: UInt32
    var lastShare: UInt32
    var whole: UInt32
  }

  private static func parts(of count: Int, in parts: Int) -> [Part] {
    let ratio = Double(count) / Double(parts)
    return (0..<parts).map { index in
      let (start, end) = (Double(index) * ratio, Double(index + 1) * ratio)
      let first = min(Int(start), count - 1)
      let last = min(max(first, Int(end.rounded(.up)) - 1), count - 1)
      let whole = UInt32((Double(unit) / ratio).rounded(.down))
      guard last > first else {
        return Part(first: first, last: last, firstShare: unit, lastShare: 0, whole: whole)
      }
      let between = UInt32(last - first - 1) * whole
      let firstShare = min(
        unit - between, UInt32((Double(first + 1) - start) / ratio * Double(unit)))
      return Part(
        first: first, last: last, firstShare: firstShare, lastShare: unit - between - firstShare,
        whole: whole)
    }
  }
}
