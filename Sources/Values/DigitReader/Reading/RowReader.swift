// SPDX-License-Identifier: Apache-2.0

/// What several looks at the same row agree on.
struct RowReading: Sendable {
  /// The characters; nil of those on which the looks do not agree.
  var text: String
  /// From 0 to 1: how many looks agree, and how sure they are.
  var confidence: Double
  var characters: [Double]
  var quad: Quad
}

extension DigitReader {
  /// The ways in which a row of a single image is looked at.
  static let framings: [LinePicture.Framing] = [
    .init(fill: 0.78, stretch: 1, shift: 0), .init(fill: 0.68, stretch: 1, shift: 0.02),
    .init(fill: 0.86, stretch: 1, shift: 0), .init(fill: 0.74, stretch: 0.87, shift: -0.02),
    .init(fill: 0.78, stretch: 1.18, shift: 0),
  ]

  /// Reads a row in several ways, and counts the votes.
  func read(_ row: FoundRow, of image: GrayImage, framings: [LinePicture.Framing]) -> RowReading? {
    let looks = framings.compactMap { look(at: row.quad, of: image, $0) }
    guard !looks.isEmpty else { return nil }
    var votes: [String: Double] = [:]
    for look in looks where !look.text.isEmpty { votes[look.text, default: 0] += look.confidence }
    // Of two with the same votes the first in the order of texts, so that the same image gives the same.
    guard
      let best = votes.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      let shown = looks.filter({ $0.text == best.key }).max(by: { $0.confidence < $1.confidence })
    else { return nil }
    return RowReading(
      text: best.key, confidence: best.value / Double(looks.count),
      characters: shown.glyphs.map(\.confidence), quad: row.quad)
  }
}

extension DigitReader {
  /// Reads a row and a little of what is beside it, and leaves out what is not of the row: a network
  /// takes the edge of a housing for a one.
  private func look(
    at row: Quad, of image: GrayImage, _ framing: LinePicture.Framing
  ) -> LineReading? {
    guard let picture = LinePicture(row.widened(), of: image, framing) else { return nil }
    let size = picture.columns.upperBound - picture.columns.lowerBound
    let share = row.width / max(row.widened().width, 1)
    let beside = size * (1 - share) / 2
    let tolerance = size * share * 0.1 * row.height / max(row.width, 1)
    let own =
      picture.columns.lowerBound + beside - tolerance...picture.columns.upperBound - beside
      + tolerance
    return read(picture).within(own).trimmed
  }
}

extension LineReading {
  /// Without the characters whose middle is not within some columns.
  fileprivate func within(_ columns: ClosedRange<Double>) -> LineReading {
    LineReading(
      glyphs: glyphs.filter {
        columns.contains(($0.columns.lowerBound + $0.columns.upperBound) / 2)
      }, confidenceWithoutPoints: confidenceWithoutPoints)
  }

  /// Without what is at its ends and is no character of a value.
  fileprivate var trimmed: LineReading {
    var glyphs = glyphs[...]
    while let first = glyphs.first, "#.:".contains(first.character) { glyphs.removeFirst() }
    while let last = glyphs.last, "#.:".contains(last.character) { glyphs.removeLast() }
    return LineReading(glyphs: Array(glyphs), confidenceWithoutPoints: confidenceWithoutPoints)
  }

  private init(glyphs: [Glyph], confidenceWithoutPoints: Double) {
    (self.glyphs, self.confidenceWithoutPoints) = (glyphs, confidenceWithoutPoints)
  }
}

extension Quad {
  /// With a quarter of its height more on the left and on the right: what is cut off cannot be read.
  fileprivate func widened() -> Quad {
    let part = 0.25 * height / max(width, 1)
    return Quad(
      topLeft.mixed(with: topRight, -part), topRight.mixed(with: topLeft, -part),
      bottomRight.mixed(with: bottomLeft, -part), bottomLeft.mixed(with: bottomRight, -part))
  }
}
