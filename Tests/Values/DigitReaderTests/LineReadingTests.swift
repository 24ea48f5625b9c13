// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DigitReader

@Suite struct `What stands in a row` {
  /// The answers of a network that sees these characters, one a step; where a second one is nearly as
  /// likely, it is in the other text at the same place.
  private func reading(_ steps: String, or others: String = "") -> LineReading {
    let result = FeatureMap(
      width: steps.count, height: 1, channels: LineReading.classes.count + 1)
    for step in 0..<steps.count {
      for (channel, _) in LineReading.classes.enumerated() { result[step, 0, channel] = 0 }
      result[step, 0, LineReading.classes.count] = -9
    }
    for (text, likelihood) in [(others, Float(6)), (steps, 9)] {
      for (step, character) in text.enumerated() where character != " " || text == steps {
        guard let channel = LineReading.classes.firstIndex(of: character) else { continue }
        result[step, 0, channel] = likelihood
      }
    }
    return LineReading(result, unit: 32)
  }

  @Test func `are the characters between which there is a space`() {
    let reading = reading(" 11  0088 ")
    #expect(reading.text == "108")
    #expect(reading.glyphs[1].columns == 20...28)
    #expect(reading.confidence > 0.98)
  }

  @Test func `are digits where an H is among them`() {
    let reading = reading(" HH 00 88 ", or: " 44       ").withoutLetters
    #expect(reading.text == "408")
    #expect(reading.confidence > 0.9)
    // Which digit it is has to be plain.
    #expect(self.reading(" HH 00 88 ").withoutLetters.confidence < 0.2)
  }

  @Test func `are letters where it is alone, or with one digit`() {
    #expect(reading(" HH II ", or: " 44 11 ").withoutLetters.text == "HI")
    #expect(reading(" HH 11 ", or: " 44    ").withoutLetters.text == "H1")
    // Beside HI there may be bars.
    #expect(reading(" HH 11 11 ", or: " 44       ").withoutLetters.text == "H11")
    #expect(reading(" 11 HH 77 ", or: "    44    ").withoutLetters.text == "1H7")
    #expect(reading(" EE -- 33 ").text == "E-3")
    #expect(reading(" EE 11 33 ").text == "E13")
  }

  @Test func `are two values where a gap is wide, and beside each other where it is wider`() {
    // 4 columns a step; the row is 32 high.
    #expect(reading(" 99 77    66 22 ").parts(32, isBeside: false)?.count == 2)
    #expect(reading(" 99 77  66 22 ").parts(32, isBeside: false) == nil)
    let parts = reading(" 99 77  66 22 ").parts(32, isBeside: true)
    #expect(parts?.count == 2)
    #expect(parts?[0].upperBound ?? 0 < 32)
    #expect(parts?[1].lowerBound ?? 0 > 26)
    // The number of a model has no gap, and 1 has more on both sides.
    #expect(reading(" 99 77 66 22 ").parts(32, isBeside: true) == nil)
  }

  @Test func `ends with a bar if no value is as large`() {
    let expected = LayoutMatching(layout: .bloodPressure, threshold: 0.75).expectation
    #expect(expected.endsWithBar("861"))
    #expect(expected.endsWithBar("867"))
    #expect(!expected.endsWithBar("117"))
    #expect(!expected.endsWithBar("868"))
    #expect(!expected.endsWithBar("86"))
    #expect(!expected.endsWithBar("E17"))
    // A bar on the left of 127, and points that were not seen: no end tells what is wrong with them.
    #expect(!expected.endsWithBar("1127"))
    for layout in [DisplayLayout.glucoseInMilligrams, .scale, .thermometer] {
      let other = LayoutMatching(layout: layout, threshold: 0.75).expectation
      for text in ["1107", "1187", "867", "1317"] { #expect(!other.endsWithBar(text)) }
    }
  }
}
