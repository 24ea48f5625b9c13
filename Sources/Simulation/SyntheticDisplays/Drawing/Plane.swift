// SPDX-License-Identifier: Apache-2.0

import DigitReader

/// Numbers in rows and columns, such as brightness from 0 to 1, or how much of a pixel is covered.
struct Plane {
  let width: Int
  let height: Int
  var values: [Float]

  init(_ width: Int, _ height: Int, _ value: Float = 0) {
    (self.width, self.height) = (width, height)
    values = [Float](repeating: value, count: width * height)
  }

  subscript(x: Int, y: Int) -> Float {
    get { values[y * width + x] }
    set { values[y * width + x] = newValue }
  }

  /// The value at a place between pixels; at the edge that of the edge.
  func sample(_ x: Double, _ y: Double) -> Float {
    let (x, y) = (
      min(max(x - 0.5, 0), Double(width - 1)), min(max(y - 0.5, 0), Double(height - 1))
    )
    let (left, top) = (min(Int(x), max(width - 2, 0)), min(Int(y), max(height - 2, 0)))
    let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
    let (dx, dy) = (Float(x - Double(left)), Float(y - Double(top)))
    let upper = self[left, top] + (self[right, top] - self[left, top]) * dx
    let lower = self[left, bottom] + (self[right, bottom] - self[left, bottom]) * dx
    return upper + (lower - upper) * dy
  }
}

// MARK: - Shapes

extension Plane {
  /// Covers what is inside a convex polygon, so far as it is not covered already.
  mutating func cover(_ corners: [Point], _ amount: Float = 1) {
    fill(corners) { value, covered in value = max(value, amount * covered) }
  }

  /// Gives what is inside a convex polygon a value.
  mutating func paint(_ corners: [Point], _ new: Float) {
    fill(corners) { value, covered in value += (new - value) * covered }
  }

  private static let lines = 4

  /// Calls a function for each pixel that a convex polygon touches, with the part that is covered.
  private mutating func fill(_ corners: [Point], _ body: (inout Float, Float) -> Void) {
    guard let top = corners.map(\.y).min(), let bottom = corners.map(\.y).max(), top < bottom
    else { return }
    let (first, last) = (max(0, Int(top.rounded(.down))), min(height - 1, Int(bottom)))
    guard first <= last else { return }
    var covered = [Float](repeating: 0, count: width)
    for y in first...last {
      var (from, to) = (width, -1)
      for line in 0..<Self.lines {
        let level = Double(y) + (Double(line) + 0.5) / Double(Self.lines)
        guard let (left, right) = Self.span(corners, level) else { continue }
        let (start, end) = (max(left, 0), min(right, Double(width)))
        guard start < end else { continue }
        let (begin, finish) = (Int(start), min(Int(end), width - 1))
        for x in begin...finish {
          let part = min(end, Double(x + 1)) - max(start, Double(x))
          covered[x] += Float(part) / Float(Self.lines)
        }
        (from, to) = (min(from, begin), max(to, finish))
      }
      guard from <= to else { continue }
      for x in from...to {
        body(&values[y * width + x], min(1, covered[x]))
        covered[x] = 0
      }
    }
  }

  /// Where a horizontal line is inside a convex polygon.
  private static func span(_ corners: [Point], _ y: Double) -> (Double, Double)? {
    var (left, right) = (Double.infinity, -Double.infinity)
    var last = corners[corners.count - 1]
    for corner in corners {
      if (corner.y <= y) != (last.y <= y) {
        let x = last.x + (corner.x - last.x) * (y - last.y) / (corner.y - last.y)
        (left, right) = (min(left, x), max(right, x))
      }
      last = corner
    }
    return left < right ? (left, right) : nil
  }
}

// MARK: - Blur

extension Plane {
  /// Three running means in each direction, which is about a Gaussian blur.
  func blurred(_ deviation: Double) -> Plane {
    guard deviation > 0.2 else { return self }
    var result = self
    for _ in 0..<3 {
      result = result.meaned(radius: deviation, across: true).meaned(
        radius: deviation, across: false)
    }
    return result
  }

  /// A running mean; a radius between whole numbers counts the outermost pixels in part.
  private func meaned(radius: Double, across: Bool) -> Plane {
    let whole = Int(radius)
    let part = Float(radius - Double(whole))
    let scale = 1 / (Float(2 * whole + 1) + 2 * part)
    let (lines, count) = across ? (height, width) : (width, height)
    let (next, line) = across ? (1, width) : (width, 1)
    var result = self
    for index in 0..<lines {
      let start = index * line
      func at(_ place: Int) -> Float { values[start + min(max(place, 0), count - 1) * next] }
      var sum: Float = 0
      for place in -whole...whole { sum += at(place) }
      for place in 0..<count {
        let edges = part * (at(place - whole - 1) + at(place + whole + 1))
        result.values[start + place * next] = (sum + edges) * scale
        sum += at(place + whole + 1) - at(place - whole)
      }
    }
    return result
  }

  /// The mean along a line, as when the camera moves.
  func moved(by shift: Point) -> Plane {
    let steps = max(2, Int(max(abs(shift.x), abs(shift.y)).rounded(.up)))
    var result = Plane(width, height)
    for step in 0..<steps {
      let part = Double(step) / Double(steps - 1) - 0.5
      let (dx, dy) = (Int((shift.x * part).rounded()), Int((shift.y * part).rounded()))
      for y in 0..<height {
        let source = min(max(y + dy, 0), height - 1) * width
        for x in 0..<width {
          result.values[y * width + x] += values[source + min(max(x + dx, 0), width - 1)]
        }
      }
    }
    let scale = 1 / Float(steps)
    for index in result.values.indices { result.values[index] *= scale }
    return result
  }
}
