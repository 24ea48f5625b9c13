// SPDX-License-Identifier: Apache-2.0

/// Finds the values of a layout among the rows of an image.
struct LayoutMatching {
  let layout: DisplayLayout
  /// From which confidence on a value is used.
  let threshold: Double

  /// What rows may show.
  var expectation: RowExpectation {
    RowExpectation(
      hasPoints: layout.fields.contains { $0.decimals.upperBound > 0 },
      largest: layout.fields.map(\.range.upperBound).max() ?? .infinity,
      // Of other layouts the digits before a bar may be another value: 109.7 without its point is no 109.
      hasBars: layout == .bloodPressure, isBeside: layout.arrangement == .any, canUse: canUse)
  }

  /// Whether a row with this text is a value of the layout, or stands in the place of one.
  func canUse(_ text: String) -> Bool {
    isRefusal(text) || layout.fields.contains { fits(text, $0) }
  }

  /// The values among some rows.
  ///
  /// - Parameters:
  ///   - rows: What stands in the image.
  ///   - shownUnit: Which of some units is shown beside a value.
  /// - Returns: The values, or why there are none.
  func reading(
    _ rows: [RowReading], shownUnit: (Quad, [DisplayUnit]) -> DisplayUnit? = { _, _ in nil }
  ) -> DisplayReading {
    let shown = rows.map {
      DisplayReading.Row(text: $0.text, confidence: $0.confidence, quad: $0.quad)
    }
    func result(_ values: [DisplayReading.Value], _ doubt: DisplayReading.Doubt?) -> DisplayReading
    {
      DisplayReading(values: values, doubt: doubt, rows: shown)
    }
    guard !rows.isEmpty else { return result([], .nothingFound) }
    let large = largest(distinct(rows))
    let refusal = large.filter { isRefusal($0.text) }.max { rank($0) < rank($1) }
    guard let chosen = choose(large) else {
      return result([], refusal == nil ? .otherLayout : .noValue)
    }
    // Beside a larger `Err` a value is the number of a memory, or an old one.
    let height = chosen.map(\.quad.height).max() ?? 0
    if let refusal, refusal.confidence > 0.5, refusal.quad.height > 0.75 * height {
      return result([], .noValue)
    }
    let unit = layout.family.isEmpty ? nil : shownUnit(chosen[0].quad, layout.family)
    let values = zip(layout.fields, chosen).map { field, row in
      DisplayReading.Value(
        label: field.label, text: Self.usual(row.text),
        unit: unit ?? layout.unit(of: row.text), confidence: row.confidence, quad: row.quad,
        characters: row.characters)
    }
    let isCut = chosen.contains { isPart($0, chosen, rows) }
    return result(values, doubt(values, unit, isCut))
  }

  /// Of readings of the same place the fullest that is sure: others have seen a part of it.
  private func distinct(_ rows: [RowReading]) -> [RowReading] {
    func weight(_ row: RowReading) -> Double {
      Double(row.text.filter(\.isNumber).count) * (row.confidence > 0.5 ? 1 : 0) + row.confidence
    }
    var kept: [RowReading] = []
    for row in rows.sorted(by: { weight($0) > weight($1) })
    where !kept.contains(where: { $0.found.overlaps(row.found) }) { kept.append(row) }
    return kept
  }

  /// Whether a row stands so near beside another of about its size, which is no value, that both may be
  /// parts of one.
  private func isPart(_ row: RowReading, _ chosen: [RowReading], _ rows: [RowReading]) -> Bool {
    let direction = Direction(of: [row.quad])
    let own = direction.upright(row.quad).bounds
    return rows.contains { other in
      if isFuller(other, than: row) { return true }
      // A time without its colon begins with a zero, which a value does not.
      let isTime = other.text.contains(":") || (other.text.count > 2 && other.text.first == "0")
      let isAgain = chosen.contains {
        $0.text == other.text && $0.found.overlaps(other.found)
      }
      guard !isAgain, !isTime, other.text.contains(where: isOfValue), other.confidence > 0.3
      else { return false }
      return own.isPart(with: direction.upright(other.quad).bounds)
    }
  }

  /// Whether a character may be one of a value.
  private func isOfValue(_ character: Character) -> Bool {
    character.isNumber || (layout.fields[0].hasBeyond && "HILo".contains(character))
  }

  /// Whether a reading of the same place has what another one has, and more.
  private func isFuller(_ reading: RowReading, than other: RowReading) -> Bool {
    reading.confidence > Self.leastFuller && reading.text.count > other.text.count
      && reading.text.contains(other.text) && reading.found.overlaps(other.found)
  }

  /// From which confidence on what is seen around a value speaks against it.
  private static let leastFuller = 0.2

  /// Without times, and without rows much smaller than the largest: dates and numbers of memories.
  private func largest(_ rows: [RowReading]) -> [RowReading] {
    let readable = rows.filter {
      !$0.text.isEmpty && !$0.text.contains(":") && !$0.text.contains("#")
    }
    let most = readable.filter(isPlain).map(\.quad.height).max() ?? 0
    let share = layout.arrangement == .single ? 0.75 : 0.4
    return readable.filter { $0.quad.height >= share * most }
  }

  /// Whether a row is seen plainly; letters, as of `HI`, need less, since a value beside them is none.
  private func isPlain(_ row: RowReading) -> Bool {
    let hasLetters = layout.fields[0].hasBeyond && row.text.contains { "HL".contains($0) }
    return row.confidence > (hasLetters ? 0.25 : 0.4)
  }

  /// Whether a display shows this in place of a value; all segments are lit at the start.
  private func isRefusal(_ text: String) -> Bool {
    text.hasPrefix("E") || (text.count > 1 && text.allSatisfy { $0 == "-" }) || text == "888"
      || (text == "88.8" && !layout.units.contains(.kilograms) && !layout.units.contains(.pounds))
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
    let direction = Direction(of: rows.map(\.quad))
    func upright(_ row: RowReading) -> Quad.Bounds { direction.upright(row.quad).bounds }
    let rows = rows.sorted { upright($0).middle.y < upright($1).middle.y }
    let isStacked = zip(rows, rows.dropFirst()).allSatisfy {
      upright($0).isAbove(upright($1))
    }
    if isStacked { return fit(rows) }
    guard layout.arrangement == .any else { return nil }
    let beside = rows.sorted { upright($0).middle.x < upright($1).middle.x }
    let isBeside = zip(beside, beside.dropFirst()).allSatisfy {
      upright($0).isBeside(upright($1))
    }
    return isBeside ? fit(beside) : nil
  }

  private func fit(_ rows: [RowReading]) -> [RowReading]? {
    zip(rows, layout.fields).allSatisfy { fits($0.text, $1) } ? rows : nil
  }

  /// `HI` and `LO` in one way of writing: a seven-segment O is a zero.
  private static func usual(_ text: String) -> String {
    switch text {
    case "Hi", "H", "H1": "HI"
    case "Lo", "L", "L0": "LO"
    default: text
    }
  }

  /// Whether a text has the form of a value; its range is looked at later.
  private func fits(_ text: String, _ field: DisplayLayout.Field) -> Bool {
    if field.hasBeyond, ["HI", "LO"].contains(Self.usual(text)) { return true }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) }) else {
      return false
    }
    let decimals = parts.count == 2 ? parts[1].count : 0
    // A single digit may be a letter or a part of a value: S is a 5 of seven segments.
    guard field.decimals.contains(decimals), parts[0].count + decimals > 1 else { return false }
    // As many digits as the largest value has, and not fewer than the smallest.
    let most = "\(Int(field.range.upperBound))".count
    let least = "\(Int(field.range.lowerBound))".count
    return (least...most).contains(parts[0].count)
      && (parts[0].count == 1 || parts[0].first != "0" || layout == .number)
  }

  private func doubt(
    _ values: [DisplayReading.Value], _ unit: DisplayUnit?, _ isCut: Bool
  ) -> DisplayReading.Doubt? {
    if let unit, let value = values.first {
      guard layout.units.contains(unit), (layout.unit(of: value.text) ?? unit) == unit else {
        return .otherUnit
      }
    }
    for (value, field) in zip(values, layout.fields) {
      guard let number = Double(value.text) else { continue }
      // Of a layout with several units the range of the one that the value has.
      let own = DisplayLayout.all.first { $0.unit == value.unit && value.unit != nil }?.fields[0]
      guard field.range.contains(number), own?.range.contains(number) != false else {
        return .outOfRange
      }
    }
    if layout.fields.first?.label == "sys", let systolic = Double(values[0].text),
      let diastolic = Double(values[1].text), systolic < diastolic + 10
    {
      return .contradiction
    }
    guard !isCut else { return .cut }
    guard values.allSatisfy({ $0.confidence >= threshold }) else { return .unclear }
    return nil
  }
}

extension Quad.Bounds {
  fileprivate var middle: Point { Point((left + right) / 2, (top + bottom) / 2) }

  private var height: Double { bottom - top }

  /// Whether another is the next one below.
  fileprivate func isAbove(_ other: Self) -> Bool {
    let gap = other.top - bottom
    return gap > -0.35 * min(height, other.height) && gap < 2.2 * max(height, other.height)
      && min(right, other.right) > max(left, other.left)
  }

  /// Whether another is of about the same height, on the same line, and near.
  fileprivate func isPart(with other: Self) -> Bool {
    let (larger, smaller) = (max(height, other.height), min(height, other.height))
    let gap = max(left, other.left) - min(right, other.right)
    return smaller > 0.7 * larger && abs(middle.y - other.middle.y) < 0.3 * larger
      && gap < 0.9 * larger
  }

  /// Whether another is the next one to the right.
  fileprivate func isBeside(_ other: Self) -> Bool {
    let height = max(height, other.height)
    return abs(middle.y - other.middle.y) < 0.6 * height
      && other.left - right > -0.2 * height && other.middle.x - middle.x < 6 * height
  }
}
