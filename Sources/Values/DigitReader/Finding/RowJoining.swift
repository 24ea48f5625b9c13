// SPDX-License-Identifier: Apache-2.0

/// Joins rows that are parts of one: between characters far apart a network may see nothing.
enum RowJoining {
  /// How much lower one part may be than the other.
  private static let leastHeight = 0.78
  /// The widest gap between parts, in heights.
  private static let widestGap = 0.75
  /// The steepest row: about 27 degrees.
  private static let steepest = 0.5

  /// The rows, of which no two can be joined.
  static func joined(_ rows: [FoundRow]) -> [FoundRow] {
    var rows = rows.sorted { $0.quad.center.x < $1.quad.center.x }
    var index = 0
    while index < rows.count {
      let next = rows.indices.first { $0 != index && canJoin(rows[index], rows[$0]) }
      guard let next else {
        index += 1
        continue
      }
      let row = rows.remove(at: next)
      let place = next < index ? index - 1 : index
      rows[place] = joined(rows[place], row)
      index = 0
    }
    return rows
  }

  /// Whether the second goes on where the first ends.
  private static func canJoin(_ left: FoundRow, _ right: FoundRow) -> Bool {
    let (first, second) = (left.quad, right.quad)
    let height = max(first.height, second.height)
    let way = second.center - first.center
    guard way.x > 0, abs(way.y) < steepest * way.x,
      min(first.height, second.height) > leastHeight * height
    else { return false }
    let gap = way.x - (first.width + second.width) / 2
    guard gap > -0.3 * height, gap < widestGap * height else { return false }
    // A row of several characters has a direction, in which the other has to lie.
    return [first, second].allSatisfy { row in
      guard row.width > 0.8 * row.height else { return true }
      let along = row.topRight - row.topLeft
      let offset = (along.x * way.y - along.y * way.x) / row.width
      return abs(offset) < 0.25 * height
    }
  }

  private static func joined(_ left: FoundRow, _ right: FoundRow) -> FoundRow {
    let (first, second) =
      left.quad.center.x < right.quad.center.x
      ? (left.quad, right.quad) : (right.quad, left.quad)
    return FoundRow(
      quad: Quad(first.topLeft, second.topRight, second.bottomRight, first.bottomLeft),
      confidence: (left.confidence + right.confidence) / 2)
  }
}
