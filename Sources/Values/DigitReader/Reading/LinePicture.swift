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
    /// How far the row's top is taken to be to the right of its bottom, in its heights.
    var lean = 0.0
    /// Which of the two networks reads it.
    var network = 0
  }

  /// The brightness, row by row.
  let values: [Float]
  /// The columns of the picture that the row has.
  let columns: ClosedRange<Double>
  /// How many columns of the picture the row is high.
  let unit: Double

  /// How many of the picture's rows a row of characters has.
  static func height(_ framing: Framing) -> Double { Double(LineNetwork.height) * framing.fill }

  /// Takes a row out of an image; nil for corners that are on a line.
  init?(_ row: Quad, of image: GrayImage, _ framing: Framing = Framing()) {
    let (width, height) = (Double(LineNetwork.width), Double(LineNetwork.height))
    let scale = Self.height(framing) / max(row.height, 1)
    // A row that would be too long becomes narrower, not smaller.
    let needed = min(row.width * scale * framing.stretch, width - 6)
    let frame = PictureFrame(
      x: (width - needed) / 2, y: height * (0.5 + framing.shift - framing.fill / 2), width: needed,
      height: Self.height(framing))
    guard
      let picture = Picture(
        row.leaning(by: framing.lean), of: image, at: frame, width: LineNetwork.width,
        height: LineNetwork.height)
    else { return nil }
    columns = frame.x...frame.x + needed
    unit = needed * row.height / max(row.width, 1)
    values = picture.values
  }
}

extension Quad {
  /// The same with its upper side moved along it, in heights.
  fileprivate func leaning(by lean: Double) -> Quad {
    guard lean != 0, width > 0 else { return self }
    let shift = (topRight - topLeft) * (lean * height / width)
    return Quad(topLeft + shift, topRight + shift, bottomRight, bottomLeft)
  }
}
