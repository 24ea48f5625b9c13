// SPDX-License-Identifier: Apache-2.0

/// What a layer of a network makes of an image: so many numbers for each place, within a border of zeros.
///
/// The border lets convolutions read beyond the edge. Memory is allocated once.
@safe final class FeatureMap {
  /// Columns of zeros on the left and on the right, and rows above and below.
  static let border = (columns: 2, rows: 1)

  let width: Int
  let height: Int
  /// A multiple of eight, but for the image itself.
  let channels: Int
  /// From one row to the next.
  let rowStride: Int
  private let storage: UnsafeMutablePointer<Float>
  private let count: Int

  init(width: Int, height: Int, channels: Int) {
    (self.width, self.height, self.channels) = (width, height, channels)
    rowStride = (width + 2 * Self.border.columns) * channels
    // What is read beyond the last place of the last row.
    count = rowStride * (height + 2 * Self.border.rows) + 8 * channels
    unsafe storage = .allocate(capacity: count)
    unsafe storage.initialize(repeating: 0, count: count)
  }

  deinit { unsafe storage.deallocate() }

  /// The numbers of a place; rows and columns of the border have indices below zero.
  @unsafe func place(_ x: Int, _ y: Int) -> UnsafeMutablePointer<Float> {
    unsafe storage + (y + Self.border.rows) * rowStride
      + (x + Self.border.columns) * channels
  }

  /// A number.
  subscript(x: Int, y: Int, channel: Int) -> Float {
    get {
      check(x, y, channel)
      return unsafe place(x, y)[channel]
    }
    set {
      check(x, y, channel)
      unsafe place(x, y)[channel] = newValue
    }
  }

  private func check(_ x: Int, _ y: Int, _ channel: Int) {
    precondition(
      x >= 0 && x < width && y >= 0 && y < height && channel >= 0 && channel < channels)
  }

  /// The largest of each field of places.
  func pooled(_ columns: Int, _ rows: Int, into result: FeatureMap) {
    precondition(
      result.width == width / columns && result.height == height / rows
        && result.channels == channels)
    for y in 0..<result.height {
      for x in 0..<result.width {
        let target = unsafe result.place(x, y)
        for channel in 0..<channels {
          var largest = -Float.infinity
          for row in 0..<rows {
            for column in 0..<columns {
              largest = unsafe max(
                largest, place(x * columns + column, y * rows + row)[channel])
            }
          }
          unsafe target[channel] = largest
        }
      }
    }
  }

  /// Adds a map of half the size, each place of it to four; what is then below zero becomes zero.
  func addDoubled(_ half: FeatureMap) {
    precondition(half.channels == channels && half.width * 2 >= width && half.height * 2 >= height)
    for y in 0..<height {
      for x in 0..<width {
        let (target, source) = unsafe (place(x, y), half.place(x / 2, y / 2))
        for channel in 0..<channels {
          unsafe target[channel] = max(0, target[channel] + source[channel])
        }
      }
    }
  }
}
