// SPDX-License-Identifier: Apache-2.0

/// Finds where light is reflected: areas as bright as the sensor can say, in a display that is darker.
enum Glare {
  /// From which brightness on a pixel says nothing.
  private static let saturated: UInt8 = 250
  /// The side of the cells that are looked at, in relation to the longer side of the image.
  private static let cellsAcross = 80

  /// The areas in or beside a display; in all of the image without one.
  static func areas(in image: GrayImage, around display: Quad?) -> [Quad] {
    let size = max(4, max(image.width, image.height) / cellsAcross)
    let cells = CellGrid(image, size, threshold: saturated)
    let margin = display.map { 0.3 * min($0.width, $0.height) } ?? 0
    let area = display.flatMap { image.region(around: $0, margin: margin) }
    let inside = cells.range(of: area)
    // A display that is bright all over is lit from behind, or white.
    guard cells.share(in: inside) < 0.3 else { return [] }
    return cells.groups(in: inside).filter { $0.count >= 2 }.map { cells.quad(of: $0) }
      .filter { glare in display.map { $0.hasInside(glare.center) } ?? true }
  }
}

extension Quad {
  /// Whether a place lies within the corners, or a little outside.
  fileprivate func hasInside(_ place: Point) -> Bool {
    guard let back = Homography(width: 1, height: 1, to: self)?.inverse else { return false }
    let (inside, margin) = (back(place), 0.05)
    return (-margin...1 + margin).contains(inside.x) && (-margin...1 + margin).contains(inside.y)
  }
}

/// Which cells of an image are saturated.
private struct CellGrid {
  private let size: Int
  private let columns: Int
  private let rows: Int
  private var isBright: [Bool]

  init(_ image: GrayImage, _ size: Int, threshold: UInt8) {
    self.size = size
    (columns, rows) = (max(1, image.width / size), max(1, image.height / size))
    isBright = [Bool](repeating: false, count: columns * rows)
    let (step, needed) = (max(1, size / 4), 0.85)
    for row in 0..<rows {
      for column in 0..<columns {
        var (bright, all) = (0, 0)
        for y in stride(from: row * size, to: min((row + 1) * size, image.height), by: step) {
          for x in stride(from: column * size, to: min((column + 1) * size, image.width), by: step)
          {
            all += 1
            if image[x, y] >= threshold { bright += 1 }
          }
        }
        isBright[row * columns + column] = Double(bright) >= needed * Double(max(all, 1))
      }
    }
  }

  struct Cell {
    let x: Int
    let y: Int
  }

  typealias Range = (columns: Swift.Range<Int>, rows: Swift.Range<Int>)

  func range(of region: PixelRegion?) -> Range {
    guard let region else { return (0..<columns, 0..<rows) }
    func cells(_ start: Int, _ length: Int, _ most: Int) -> Swift.Range<Int> {
      let first = min(start / size, most - 1)
      return first..<max(first + 1, min(most, (start + length + size - 1) / size))
    }
    return (cells(region.x, region.width, columns), cells(region.y, region.height, rows))
  }

  func share(in range: Range) -> Double {
    let all = range.columns.count * range.rows.count
    let bright = range.rows.reduce(0) { sum, row in
      sum + range.columns.filter { isBright[row * columns + $0] }.count
    }
    return Double(bright) / Double(max(all, 1))
  }

  /// The cells that touch each other.
  func groups(in range: Range) -> [[Cell]] {
    var isTaken = isBright.map { !$0 }
    var groups: [[Cell]] = []
    for y in range.rows {
      for x in range.columns where !isTaken[y * columns + x] {
        isTaken[y * columns + x] = true
        var (group, open) = ([Cell](), [Cell(x: x, y: y)])
        while let cell = open.popLast() {
          group.append(cell)
          for next in [
            Cell(x: cell.x - 1, y: cell.y), Cell(x: cell.x + 1, y: cell.y),
            Cell(x: cell.x, y: cell.y - 1), Cell(x: cell.x, y: cell.y + 1),
          ]
          where range.columns.contains(next.x) && range.rows.contains(next.y)
            && !isTaken[next.y * columns + next.x]
          {
            isTaken[next.y * columns + next.x] = true
            open.append(next)
          }
        }
        groups.append(group)
      }
    }
    return groups
  }

  func quad(of cells: [Cell]) -> Quad {
    let (left, right) = (cells.map(\.x).min() ?? 0, cells.map(\.x).max() ?? 0)
    let (top, bottom) = (cells.map(\.y).min() ?? 0, cells.map(\.y).max() ?? 0)
    return Quad(
      x: Double(left * size), y: Double(top * size), width: Double((right - left + 1) * size),
      height: Double((bottom - top + 1) * size))
  }
}

extension GrayImage {
  /// Where light is reflected by a display, or anywhere if no value was read.
  ///
  /// - Parameter reading: What was read in the image.
  /// - Returns: The areas.
  public func glare(around reading: DisplayReading) -> [Quad] {
    Glare.areas(in: self, around: reading.display)
  }
}
