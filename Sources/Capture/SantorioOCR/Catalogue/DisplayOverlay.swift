// SPDX-License-Identifier: Apache-2.0

public import DigitReader

/// The shape of a display, which a user brings into line with the picture of a camera.
///
/// It is one high and ``aspectRatio`` wide; its digits show where values are to be.
public struct DisplayOverlay: Hashable, Sendable {
  /// The width of the display in relation to its height.
  public let aspectRatio: Double
  /// The outline of the display.
  public let outline: Quad
  /// The segments of the digits.
  public let segments: [[Point]]

  /// Values one above the other, with so many digits each.
  init(aspectRatio: Double, rows: [Int]) {
    let height = min(0.8 / Double(rows.count) * 0.85, 0.6)
    let step = 0.9 / Double(rows.count)
    let boxes = rows.enumerated().flatMap { index, count in
      let width = min(height * 0.58, aspectRatio * 0.86 / Double(count))
      let top = 0.05 + step * Double(index) + (step - height) / 2
      let left = aspectRatio * 0.93 - width * Double(count)
      return (0..<count).map { Self.box(left + width * Double($0), top, width, height) }
    }
    self.init(aspectRatio, boxes)
  }

  /// Values side by side, with so many digits each.
  init(aspectRatio: Double, columns: [Int]) {
    let digits = Double(columns.reduce(0, +)) + 0.7 * Double(columns.count - 1)
    let width = min(aspectRatio * 0.88 / digits, 0.35)
    let (height, top) = (width / 0.58, 0.5 - width / 0.58 / 2)
    var (x, boxes): (Double, [Quad]) = ((aspectRatio - width * digits) / 2, [])
    for count in columns {
      for _ in 0..<count {
        boxes.append(Self.box(x, top, width, height))
        x += width
      }
      x += 0.7 * width
    }
    self.init(aspectRatio, boxes)
  }

  private init(_ aspectRatio: Double, _ digits: [Quad]) {
    self.aspectRatio = aspectRatio
    outline = Quad(x: 0, y: 0, width: aspectRatio, height: 1)
    segments = digits.flatMap(Self.segments)
  }

  private static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Quad {
    Quad(x: x + 0.1 * width, y: y, width: 0.8 * width, height: height)
  }

  /// The seven segments of a digit in a box.
  private static func segments(of box: Quad) -> [[Point]] {
    let (left, top) = (box.topLeft.x, box.topLeft.y)
    let (width, height, thick) = (box.width, box.height, 0.14 * box.height)
    func bar(_ x: Double, _ y: Double, _ w: Double, _ h: Double) -> [Point] {
      Quad(x: left + x, y: top + y, width: w, height: h).corners
    }
    let (gap, side) = (0.015 * height, height / 2 - thick)
    let across = [0, (height - thick) / 2, height - thick].map {
      bar(thick + gap, $0, width - 2 * thick - 2 * gap, thick)
    }
    let along = [0, width - thick].flatMap { x in
      [bar(x, thick / 2 + gap, thick, side), bar(x, height / 2 + gap, thick, side)]
    }
    return across + along
  }

  /// The largest frame with the shape of the display in the middle of a view.
  ///
  /// - Parameters:
  ///   - width: The view's width.
  ///   - height: The view's height.
  ///   - share: How much of the view the frame may have, from 0 to 1.
  /// - Returns: The frame in the view; of no size for a view of no size.
  public func frame(inWidth width: Double, height: Double, share: Double = 0.8) -> Quad {
    let size = max(0, min(height * share, width * share / aspectRatio))
    return Quad(
      x: (width - size * aspectRatio) / 2, y: (height - size) / 2, width: size * aspectRatio,
      height: size)
  }

  /// The overlay as an SVG image, for pages and for views without drawing of their own.
  ///
  /// - Parameter height: Its height in pixels.
  /// - Returns: The image as text.
  public func svg(height: Int = 400) -> String {
    func path(_ points: [Point]) -> String {
      let places = points.map { "\(rounded($0.x)),\(rounded($0.y))" }
      return "M" + places.joined(separator: "L") + "Z"
    }
    let width = Int((Double(height) * aspectRatio).rounded())
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(rounded(aspectRatio)) 1"><path d="\(path(outline.corners))" fill="none" \
      stroke="#fff" stroke-width="0.02"/><path d="\(segments.map(path).joined())" fill="#fff" \
      fill-opacity="0.35"/></svg>
      """
  }

  private func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
