// SPDX-License-Identifier: Apache-2.0

/// Makes rows of the cells that the network takes for cores of rows.
struct RowGrouping {
  /// From which probability on a cell belongs to a row.
  static let threshold: Float = 0.5
  /// The lowest mean probability of a row's cells.
  static let leastMean = 0.55

  private struct Cell {
    let x: Int
    let y: Int
    let probability: Double
    let height: Double
    /// The middle of the row above the cell.
    let middle: Point
  }

  /// The rows that a network has found, in pixels of its image.
  static func rows(_ result: FeatureMap) -> [FoundRow] {
    var isTaken = [Bool](repeating: false, count: result.width * result.height)
    var rows: [FoundRow] = []
    for y in 0..<result.height {
      for x in 0..<result.width where !isTaken[y * result.width + x] {
        guard result[x, y, 0] > logit(threshold) else { continue }
        let cells = group(x, y, result, &isTaken)
        if let row = row(cells) { rows.append(row) }
      }
    }
    return RowJoining.joined(rows)
  }

  private static func logit(_ probability: Float) -> Float {
    probability == 0.5 ? 0 : Float(logarithm(Double(probability / (1 - probability))))
  }

  /// The cells around one that belong to the same row: neighbours whose middles and heights agree.
  private static func group(
    _ x: Int, _ y: Int, _ result: FeatureMap, _ isTaken: inout [Bool]
  ) -> [Cell] {
    var cells: [Cell] = []
    var open = [(x, y)]
    isTaken[y * result.width + x] = true
    while let (x, y) = open.popLast() {
      let cell = cell(x, y, result)
      cells.append(cell)
      for (nextX, nextY) in neighbours(x, y, cell.height) {
        guard nextX >= 0, nextY >= 0, nextX < result.width, nextY < result.height,
          !isTaken[nextY * result.width + nextX], result[nextX, nextY, 0] > logit(threshold)
        else { continue }
        let next = self.cell(nextX, nextY, result)
        let height = max(cell.height, next.height)
        guard abs(cell.middle.y - next.middle.y) < 0.3 * height,
          min(cell.height, next.height) > 0.6 * height
        else { continue }
        isTaken[nextY * result.width + nextX] = true
        open.append((nextX, nextY))
      }
    }
    return cells
  }

  /// The cells beside one, and those a gap between two characters away.
  private static func neighbours(_ x: Int, _ y: Int, _ height: Double) -> [(Int, Int)] {
    let reach = max(1, min(6, Int(height * 0.35) / FinderNetwork.cell))
    var places = [(x, y - 1), (x, y + 1)]
    for distance in 1...reach {
      // A row that is turned goes up or down on the way to the next character.
      let rise = 1 + distance / 2
      for side in [-distance, distance] {
        places += (-rise...rise).map { (x + side, y + $0) }
      }
    }
    return places
  }

  private static func cell(_ x: Int, _ y: Int, _ result: FeatureMap) -> Cell {
    let size = Double(FinderNetwork.cell)
    let height = 16 * exponential(Double(min(max(result[x, y, 2], -1.4), 2.2)))
    let center = Point((Double(x) + 0.5) * size, (Double(y) + 0.5) * size)
    return Cell(
      x: x, y: y, probability: 1 / (1 + exponential(-Double(result[x, y, 0]))), height: height,
      middle: Point(center.x, center.y + Double(result[x, y, 3]) * height))
  }

  /// The row of some cells: a straight line through their middles, and their mean height.
  private static func row(_ cells: [Cell]) -> FoundRow? {
    let weight = cells.reduce(0) { $0 + $1.probability }
    let mean = weight / Double(cells.count)
    guard mean >= leastMean else { return nil }
    let center = cells.reduce(Point(0, 0)) { $0 + $1.middle * $1.probability } * (1 / weight)
    let height = cells.reduce(0) { $0 + $1.height * $1.probability } / weight
    var (square, product) = (0.0, 0.0)
    for cell in cells {
      let difference = cell.middle - center
      square += cell.probability * difference.x * difference.x
      product += cell.probability * difference.x * difference.y
    }
    let half = Double(FinderNetwork.cell) / 2
    let (left, right) = (
      (cells.map(\.middle.x).min() ?? 0) - half, (cells.map(\.middle.x).max() ?? 0) + half
    )
    // Of a single character the direction would be by chance.
    let isLong = right - left > 0.8 * height
    let slope = isLong && square > 0 ? product / square : 0
    guard abs(slope) < 1, right - left > 0.08 * height else { return nil }
    // The height is measured straight down; the sides of a turned row are at right angles to it.
    let upright = height / 2 / (1 + slope * slope)
    func corner(_ x: Double, _ side: Double) -> Point {
      Point(
        x - side * slope * upright, center.y + (x - center.x) * slope + side * upright)
    }
    return FoundRow(
      quad: Quad(corner(left, -1), corner(right, -1), corner(right, 1), corner(left, 1)),
      confidence: mean)
  }
}
