// SPDX-License-Identifier: Apache-2.0

/// What stands in a row.
struct LineReading: Sendable {
  /// A character and how sure it is.
  struct Glyph: Hashable, Sendable {
    let character: Character
    /// From 0 to 1; of a point that of the point.
    let confidence: Double
    /// Where it is in the picture, in columns.
    let columns: ClosedRange<Double>
    /// Of an H or an I the digit that it would be among digits.
    var digit: Digit?

    /// A digit in place of a letter.
    struct Digit: Hashable, Sendable {
      let character: Character
      let confidence: Double
    }

    /// The same as the digit that it would be.
    fileprivate var asDigit: Glyph {
      guard let digit else { return self }
      return Glyph(character: digit.character, confidence: digit.confidence, columns: columns)
    }
  }

  /// The characters, points among them.
  let glyphs: [Glyph]
  /// How sure it is that there is no point where none is, from 0 to 1.
  let confidenceWithoutPoints: Double

  /// The characters as text.
  var text: String { String(glyphs.map(\.character)) }

  /// The confidence of the least sure character; 0 of an empty row.
  var confidence: Double {
    min(glyphs.map(\.confidence).min() ?? 0, confidenceWithoutPoints)
  }

  /// What the network distinguishes; the first is the space between characters, the last something else.
  static let classes = Array(" 0123456789-ErHILo:#")

  /// Steps that show the same character.
  private struct Run {
    let index: Int
    var confidence: Double
    var first: Int
    var last: Int
    /// The step in which it is surest.
    var surest: Int

    var middle: Double { Double(first + last) / 2 }
    var length: Int { last - first + 1 }
  }

  /// Reads the answers of a network.
  ///
  /// - Parameters:
  ///   - result: The answers.
  ///   - unit: How many columns of the picture the row is high.
  init(_ result: FeatureMap, unit: Double) {
    let count = Self.classes.count
    let runs = Self.divided(Self.runs(result, count), unit / Double(LineNetwork.step))
    var glyphs: [Glyph] = []
    var certainty = 1.0
    let size = Double(LineNetwork.step)
    for (place, run) in runs.enumerated() {
      var glyph = Glyph(
        character: Self.classes[run.index], confidence: run.confidence,
        columns: Double(run.first) * size...Double(run.last + 1) * size)
      if "HI".contains(glyph.character) {
        let (digit, likelihood) = Self.digit(result, run.surest)
        glyph.digit = .init(character: digit, confidence: run.confidence * likelihood)
      }
      glyphs.append(glyph)
      guard place + 1 < runs.count else { continue }
      let next = runs[place + 1]
      let between = (run.first + run.last) / 2...(next.first + next.last + 1) / 2
      let point = between.map { 1 / (1 + exponential(-Double(result[$0, 0, count]))) }
      guard let most = point.max(), let at = point.firstIndex(of: most) else { continue }
      if most > 0.5 {
        let column = Double(between.lowerBound + at) * size
        glyphs.append(Glyph(character: ".", confidence: most, columns: column...column + size))
      } else {
        certainty = min(certainty, 1 - most)
      }
    }
    (self.glyphs, confidenceWithoutPoints) = (glyphs, certainty)
  }

  private static func runs(_ result: FeatureMap, _ count: Int) -> [Run] {
    var runs: [Run] = []
    var previous = 0
    for step in 0..<result.width {
      let (index, confidence) = best(result, step, count)
      if index > 0, index == previous, let last = runs.indices.last {
        if confidence > runs[last].confidence {
          (runs[last].confidence, runs[last].surest) = (confidence, step)
        }
        runs[last].last = step
      } else if index > 0 {
        runs.append(
          Run(index: index, confidence: confidence, first: step, last: step, surest: step))
      }
      previous = index
    }
    return runs
  }

  /// With the digit that an H or an I among digits must be: no display mixes them, and a 4 of which a
  /// segment more shines through looks like an H.
  ///
  /// A 1 or a 7 does not count: it may be a bar beside `HI`.
  var withoutLetters: LineReading {
    let plain = glyphs.filter { $0.character.isNumber && !"17".contains($0.character) }
    guard plain.count > 1 else { return self }
    return LineReading(
      glyphs: glyphs.map(\.asDigit),
      confidenceWithoutPoints: confidenceWithoutPoints)
  }

  /// The likeliest digit in a step, and how likely it is among digits.
  private static func digit(_ result: FeatureMap, _ step: Int) -> (Character, Double) {
    let digits = 1...10
    let likelihoods = digits.map { exponential(Double(result[step, 0, $0])) }
    let most = likelihoods.max() ?? 0
    return (
      classes[(likelihoods.firstIndex(of: most) ?? 0) + digits.lowerBound],
      most / max(likelihoods.reduce(0, +), .leastNormalMagnitude)
    )
  }

  init(glyphs: [Glyph], confidenceWithoutPoints: Double) {
    (self.glyphs, self.confidenceWithoutPoints) = (glyphs, confidenceWithoutPoints)
  }

  /// How wide a character can be, in heights of the row.
  private static let widest = 0.95
  /// How sure characters are at most between which the network has seen no space.
  private static let undivided = 0.5

  /// Two characters that are alike and near each other may look like one: a run that is longer than a
  /// character can be is divided, and is not sure.
  private static func divided(_ runs: [Run], _ unit: Double) -> [Run] {
    runs.flatMap { run in
      guard Double(run.length) > widest * unit else { return [run] }
      let count = max(2, Int((Double(run.length) / (0.75 * unit)).rounded()))
      return (0..<count).map { part in
        Run(
          index: run.index, confidence: min(run.confidence, undivided),
          first: run.first + part * run.length / count,
          last: run.first + (part + 1) * run.length / count - 1, surest: run.surest)
      }
    }
  }

  /// The likeliest class of a step, and how likely it is.
  private static func best(_ result: FeatureMap, _ step: Int, _ count: Int) -> (Int, Double) {
    var index = 0
    for other in 1..<count where result[step, 0, other] > result[step, 0, index] { index = other }
    let largest = result[step, 0, index]
    let sum = (0..<count).reduce(0) {
      $0 + exponential(Double(result[step, 0, $1] - largest))
    }
    return (index, 1 / sum)
  }
}
