// SPDX-License-Identifier: Apache-2.0

/// What several looks at the same row agree on.
struct RowReading: Sendable {
  /// The characters.
  var text: String
  /// From 0 to 1: how many looks agree, and how sure they are.
  var confidence: Double
  /// How sure each character is.
  var characters: [Double]
  /// Around the characters.
  var quad: Quad

  /// The row without what stands in it.
  var found: FoundRow { FoundRow(quad: quad, confidence: confidence) }
}

/// What a row may show.
struct RowExpectation {
  /// Whether values have a point; where they have none, what looks a little like one is none.
  var hasPoints = true
  /// No value is larger.
  var largest = Double.infinity
  /// Whether a bar of segments may stand beside the digits.
  var hasBars = false
  /// Whether values may stand beside each other.
  var isBeside = false
  /// Whether a text is of use.
  var canUse: (String) -> Bool = { _ in true }

  /// Whether the last of three characters is a bar and no digit, since no value is as large.
  ///
  /// Of four characters the first may be the bar: 1127 is no 112.
  func endsWithBar(_ text: String) -> Bool {
    let digits = self.digits(text)
    guard hasBars, digits.count == 3, let last = digits.last, "17".contains(last),
      canUse(withoutBar(text)), let number = Double(digits)
    else { return false }
    return number > largest
  }

  /// A text without its last digit.
  func withoutBar(_ text: String) -> String { String(digits(text).dropLast()) }

  /// A text without points that no value has.
  func digits(_ text: String) -> String { hasPoints ? text : text.filter { $0 != "." } }
}

extension DigitReader {
  /// The ways in which a row is looked at.
  static let framings: [LinePicture.Framing] = [
    .init(), .init(fill: 0.68, shift: 0.02, network: 1), .init(fill: 0.86),
    .init(fill: 0.74, stretch: 0.87, shift: -0.02, network: 1), .init(stretch: 1.18),
    .init(fill: 0.76, lean: 0.12, network: 1), .init(fill: 0.76, lean: -0.12),
  ]

  /// From which confidence on digits count beside which there is a bar.
  private static let sureBesideBar = 0.8

  /// How often a row is made longer.
  static let mostExtensions = 2

  /// Reads a row in several ways, and counts the votes.
  ///
  /// - Parameters:
  ///   - row: The row in pixels of the image.
  ///   - pyramid: The image.
  ///   - framings: The ways.
  ///   - expected: What the row may show; if the first two looks show nothing of it, there are no more.
  ///   - extensions: How often the row may be made longer.
  /// - Returns: What stands in the row, or in the rows of which it consists.
  func read(
    _ row: FoundRow, of pyramid: ImagePyramid, _ framings: [LinePicture.Framing] = framings,
    expected: RowExpectation = RowExpectation(), extensions: Int = mostExtensions
  ) -> [RowReading] {
    var quad = row.quad
    guard var first = look(at: quad, of: pyramid, framings[0], expected) else { return [] }
    // A row that goes on beside what was found of it is read as far as it goes.
    for _ in 0..<extensions {
      guard let whole = first.whole, let look = look(at: whole, of: pyramid, framings[0], expected)
      else {
        break
      }
      (quad, first) = (whole, look)
    }
    if !expected.canUse(first.reading.text), let parts = first.parts {
      return parts.compactMap { part in
        look(at: part, of: pyramid, framings[0], expected).flatMap {
          vote($0, part, pyramid, framings, expected)?.reading
        }
      }
    }
    guard var voted = vote(first, quad, pyramid, framings, expected) else { return [] }
    if expected.endsWithBar(voted.reading.text), let shorter = voted.withoutLast,
      let look = look(at: shorter, of: pyramid, framings[0], expected),
      let again = vote(look, shorter, pyramid, framings, expected),
      again.reading.text == expected.withoutBar(voted.reading.text)
    {
      voted = again
      // Where the digits before the bar are not sure, the first of them may be the wrong one.
      if voted.reading.confidence < Self.sureBesideBar { voted.reading.confidence *= 0.5 }
    } else if first.whole != nil {
      // What seems to go on even farther was not found whole.
      voted.reading.confidence *= 0.5
    }
    return [voted.reading]
  }

  private func vote(
    _ first: Look, _ quad: Quad, _ pyramid: ImagePyramid, _ framings: [LinePicture.Framing],
    _ expected: RowExpectation
  ) -> (reading: RowReading, withoutLast: Quad?)? {
    var looks = [first]
    for framing in framings.dropFirst() {
      if looks.count == 2, !looks.contains(where: { expected.canUse($0.reading.text) }) { break }
      if let look = look(at: quad, of: pyramid, framing, expected) { looks.append(look) }
    }
    return Self.vote(looks.map(\.reading), quad).map { reading in
      (reading, looks.first { $0.reading.text == reading.text }?.withoutLast)
    }
  }

  /// The text with the most votes.
  static func vote(_ looks: [LineReading], _ quad: Quad) -> RowReading? {
    var votes: [String: Double] = [:]
    for look in looks where !look.text.isEmpty { votes[look.text, default: 0] += look.confidence }
    // Of two with the same votes the first in the order of texts, so that the same image gives the same.
    guard
      let best = votes.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      let shown = looks.filter({ $0.text == best.key }).max(by: { $0.confidence < $1.confidence })
    else { return nil }
    return RowReading(
      text: best.key, confidence: best.value / Double(looks.count),
      characters: shown.glyphs.map(\.confidence), quad: quad)
  }

  /// A look at a row.
  struct Look {
    let reading: LineReading
    /// The row and the digits beside it that seem to belong to it; nil if there are none.
    let whole: Quad?
    /// The rows of which it may consist; nil without gaps.
    let parts: [Quad]?
    /// The row without its last character; nil if it has only one.
    let withoutLast: Quad?
  }

  /// Reads a row, and looks at what is beside it.
  func look(
    at row: Quad, of pyramid: ImagePyramid, _ framing: LinePicture.Framing,
    _ expected: RowExpectation
  ) -> Look? {
    let factor = min(1, LinePicture.height(framing) / max(row.height, 1))
    let (image, scale) = pyramid.level(atLeast: factor)
    let widened = row.widened()
    guard let picture = LinePicture(widened.scaled(by: scale), of: image, framing) else {
      return nil
    }
    let (start, size) = (
      picture.columns.lowerBound, picture.columns.upperBound - picture.columns.lowerBound
    )
    /// The height of the row in columns of the picture.
    let unit = size * row.height / max(widened.width, 1)
    let own = start + (Quad.beside - 0.1) * unit...start + size - (Quad.beside - 0.1) * unit
    func quad(_ columns: ClosedRange<Double>) -> Quad {
      let (from, to) = ((columns.lowerBound - start) / size, (columns.upperBound - start) / size)
      return widened.part(from...max(from, to))
    }
    let all = read(picture, framing)
    let reading = all.within(own).withoutLetters.trimmed.pointed(expected.hasPoints)
    return Look(
      reading: reading, whole: all.extent(beyond: own, unit).map(quad),
      parts: reading.parts(unit, isBeside: expected.isBeside)?.map(quad),
      withoutLast: reading.extentWithoutLast(unit).map(quad))
  }
}

extension LineReading {
  /// Without the characters whose middle is not within some columns.
  fileprivate func within(_ columns: ClosedRange<Double>) -> LineReading {
    LineReading(
      glyphs: glyphs.filter { columns.contains($0.middle) },
      confidenceWithoutPoints: confidenceWithoutPoints)
  }

  /// Without what is at its ends and is no character of a value.
  fileprivate var trimmed: LineReading {
    var glyphs = glyphs[...]
    while let first = glyphs.first, "#.:".contains(first.character) { glyphs.removeFirst() }
    while let last = glyphs.last, "#.:".contains(last.character) { glyphs.removeLast() }
    return LineReading(glyphs: Array(glyphs), confidenceWithoutPoints: confidenceWithoutPoints)
  }

  /// With the surest point alone, since a number has one; and without it where there is none to be, unless
  /// it is plain to see.
  fileprivate func pointed(_ hasPoints: Bool) -> LineReading {
    let points = glyphs.filter { $0.character == "." }.map(\.confidence).sorted(by: >)
    guard let best = points.first else { return self }
    let isPoint = hasPoints || best >= Self.plainPoint
    let kept = isPoint ? best : .infinity
    // What is left out could have been one.
    let doubt = isPoint ? points.dropFirst().first ?? 0 : best
    return LineReading(
      glyphs: glyphs.filter { $0.character != "." || $0.confidence >= kept },
      confidenceWithoutPoints: min(confidenceWithoutPoints, 1 - doubt / 2))
  }

  /// From which confidence on a point is plain to see.
  private static let plainPoint = 0.9

  /// The columns of all characters, if digits stand so near beside those of the row that they belong to it.
  fileprivate func extent(beyond own: ClosedRange<Double>, _ unit: Double) -> ClosedRange<Double>? {
    let digits = glyphs.filter { $0.character.isNumber }
    var (first, last) = (own.lowerBound + 0.1 * unit, own.upperBound - 0.1 * unit)
    let inside = (first, last)
    for digit in digits.reversed()
    where digit.middle < own.lowerBound && first - digit.middle < 0.95 * unit
      && digit.confidence > 0.6
    {
      first = digit.columns.lowerBound - 0.15 * unit
    }
    for digit in digits
    where digit.middle > own.upperBound && digit.middle - last < 0.95 * unit
      && digit.confidence > 0.6
    {
      last = digit.columns.upperBound + 0.15 * unit
    }
    return (first, last) == inside ? nil : first...max(first, last)
  }

  /// The columns without those of the last character.
  fileprivate func extentWithoutLast(_ unit: Double) -> ClosedRange<Double>? {
    guard glyphs.count > 1 else { return nil }
    let (first, last) = (glyphs[0].columns, glyphs[glyphs.count - 2].columns)
    return first.lowerBound - 0.15 * unit...last.upperBound + 0.15 * unit
  }

  /// The columns of texts with wide gaps between them, such as of two values, or of a value and a time.
  ///
  /// Between values that stand beside each other there may be less, but more than between digits.
  func parts(_ unit: Double, isBeside: Bool) -> [ClosedRange<Double>]? {
    let gaps = zip(glyphs, glyphs.dropFirst()).map { $1.columns.lowerBound - $0.columns.upperBound }
      .sorted(by: >)
    var least = 0.4 * unit
    if isBeside, gaps.count > 1, gaps[0] < least, gaps[0] > 1.5 * max(gaps[1], 0.1 * unit) {
      least = gaps[0]
    }
    var parts: [[Glyph]] = []
    for glyph in glyphs {
      if let last = parts.last?.last,
        glyph.columns.lowerBound - last.columns.upperBound < least
      {
        parts[parts.count - 1].append(glyph)
      } else {
        parts.append([glyph])
      }
    }
    guard parts.count > 1 else { return nil }
    return parts.map { part in
      // A character is wider than its core, which is what the network marks.
      let margin = 0.15 * unit
      return part[0].columns.lowerBound - margin...part[part.count - 1].columns.upperBound + margin
    }
  }
}

extension LineReading.Glyph {
  fileprivate var middle: Double { (columns.lowerBound + columns.upperBound) / 2 }
}

extension Quad {
  /// How much is looked at beside a row, in heights of it.
  fileprivate static let beside = 1.1

  /// With more on the left and on the right: what is cut off cannot be read.
  fileprivate func widened() -> Quad {
    let part = Self.beside * height / max(width, 1)
    return Quad(
      topLeft.mixed(with: topRight, -part), topRight.mixed(with: topLeft, -part),
      bottomRight.mixed(with: bottomLeft, -part), bottomLeft.mixed(with: bottomRight, -part))
  }

  /// A part of its width.
  fileprivate func part(_ range: ClosedRange<Double>) -> Quad {
    Quad(
      topLeft.mixed(with: topRight, range.lowerBound),
      topLeft.mixed(with: topRight, range.upperBound),
      bottomLeft.mixed(with: bottomRight, range.upperBound),
      bottomLeft.mixed(with: bottomRight, range.lowerBound))
  }
}
