// SPDX-License-Identifier: Apache-2.0

/// Finds the values of a layout among the rows of an image.
struct LayoutMatching {
  let layout: DisplayLayout
  /// From which confidence on a value is used.
  let threshold: Double

  /// A row that can be a value of the layout.
  private struct Candidate {
    let row: RowReading
    let number: Double?
  }

  func reading(_ rows: [RowReading]) -> DisplayReading {
    let shown = rows.map {
      DisplayReading.Row(text: $0.text, confidence: $0.confidence, quad: $0.quad)
    }
    func result(_ values: [DisplayReading.Value], _ doubt: DisplayReading.Doubt?) -> DisplayReading
    {
      DisplayReading(values: values, doubt: doubt, rows: shown)
    }
    guard !rows.isEmpty else { return result([], .nothingFound) }
    let large = largest(rows)
    if large.contains(where: { Self.isRefusal($0.text) }) { return result([], .noValue) }
    guard let chosen = choose(large) else { return result([], .otherLayout) }
    let values = zip(layout.fields, chosen).map { field, row in
      DisplayReading.Value(
        label: field.label, text: row.text, confidence: row.confidence, quad: row.quad,
        characters: row.characters)
    }
    return result(values, doubt(values))
  }

  /// Without times, and without rows much smaller than the largest: dates and numbers of memories.
  private func largest(_ rows: [RowReading]) -> [RowReading] {
    let readable = rows.filter {
      !$0.text.isEmpty && !$0.text.contains(":") && !$0.text.contains("#")
    }
    let most = readable.filter { $0.confidence > 0.4 }.map(\.quad.height).max() ?? 0
    let share = layout.arrangement == .single ? 0.75 : 0.4
    return readable.filter { $0.quad.height >= share * most }
  }

  private static func isRefusal(_ text: String) -> Bool {
    text.hasPrefix("E") || text.allSatisfy { $0 == "-" } || text == "888" || text == "88.8"
  }

  /// The rows of the values, in the layout's order; nil unless there are as many as values.
  private func choose(_ rows: [RowReading]) -> [RowReading]? {
    let fitting = rows.filter { row in layout.fields.contains { fits(row.text, $0) } }
    let count = layout.fields.count
    guard fitting.count >= count else { return nil }
    if count == 1 { return fitting.max { rank($0) < rank($1) }.map { [$0] } }
    let sorted = fitting.sorted { $0.quad.center.y < $1.quad.center.y }
    var best: (rows: [RowReading], rank: Double)?
    for rows in combinations(sorted, count) {
      guard let rows = ordered(rows) else { continue }
      let rank = rows.map(rank).reduce(0, +)
      if rank > best?.rank ?? 0 { best = (rows, rank) }
    }
    return best?.rows
  }

  private func rank(_ row: RowReading) -> Double { row.quad.height * (0.2 + row.confidence) }

  private func combinations(_ rows: [RowReading], _ count: Int) -> [[RowReading]] {
    guard count > 0 else { return [[]] }
    // More rows than a display has are clutter.
    let rows = rows.count > 9 ? Array(rows.sorted { rank($0) > rank($1) }.prefix(9)) : rows
    return rows.indices.flatMap { index in
      combinations(Array(rows[(index + 1)...]), count - 1).map { [rows[index]] + $0 }
    }
  }

  /// The rows in the layout's order, if they are placed as it places them.
  private func ordered(_ rows: [RowReading]) -> [RowReading]? {
    let rows = rows.sorted { $0.quad.center.y < $1.quad.center.y }
    let isStacked = zip(rows, rows.dropFirst()).allSatisfy { upper, lower in
      let height = min(upper.quad.height, lower.quad.height)
      let (above, below) = (upper.quad.bounds, lower.quad.bounds)
      let gap = below.top - above.bottom
      let overlap = min(above.right, below.right) - max(above.left, below.left)
      return gap > -0.35 * height && gap < 2.2 * max(upper.quad.height, lower.quad.height)
        && overlap > 0
    }
    if isStacked { return zip(rows, layout.fields).allSatisfy { fits($0.text, $1) } ? rows : nil }
    guard layout.arrangement == .any else { return nil }
    let beside = rows.sorted { $0.quad.center.x < $1.quad.center.x }
    let isBeside = zip(beside, beside.dropFirst()).allSatisfy { left, right in
      let height = max(left.quad.height, right.quad.height)
      return abs(left.quad.center.y - right.quad.center.y) < 0.6 * height
        && right.quad.center.x - left.quad.center.x < 6 * height
    }
    guard isBeside, zip(beside, layout.fields).allSatisfy({ fits($0.text, $1) }) else { return nil }
    return beside
  }

  /// Whether a text has the form of a value; its range is looked at later.
  private func fits(_ text: String, _ field: DisplayLayout.Field) -> Bool {
    if field.hasBeyond, ["HI", "LO", "Lo", "H", "L"].contains(text) || text == "L0" { return true }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) }) else {
      return false
    }
    let decimals = parts.count == 2 ? parts[1].count : 0
    guard field.decimals.contains(decimals) else { return false }
    // As many digits as the largest value has, and not fewer than the smallest.
    let most = "\(Int(field.range.upperBound))".count
    let least = "\(Int(field.range.lowerBound))".count
    return (least...most).contains(parts[0].count)
      && (parts[0].count == 1 || parts[0].first != "0")
  }

  private func doubt(_ values: [DisplayReading.Value]) -> DisplayReading.Doubt? {
    for (value, field) in zip(values, layout.fields) {
      guard let number = Double(value.text) else { continue }
      guard field.range.contains(number) else { return .outOfRange }
    }
    if layout.fields.first?.label == "sys", let systolic = Double(values[0].text),
      let diastolic = Double(values[1].text), systolic < diastolic + 10
    {
      return .contradiction
    }
    guard values.allSatisfy({ $0.confidence >= threshold }) else { return .unclear }
    return nil
  }
}
