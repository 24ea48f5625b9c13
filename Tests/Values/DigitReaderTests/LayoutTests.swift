// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DigitReader

@Suite struct `A layout` {
  /// A row of characters half as wide as high.
  private func row(
    _ text: String, _ x: Double, _ y: Double, _ height: Double, _ confidence: Double = 0.95
  ) -> RowReading {
    RowReading(
      text: text, confidence: confidence, characters: text.map { _ in confidence },
      quad: Quad(x: x, y: y, width: Double(text.count) * height * 0.6, height: height))
  }

  private func read(_ layout: DisplayLayout, _ rows: [RowReading]) -> DisplayReading {
    LayoutMatching(layout: layout, threshold: 0.75).reading(rows)
  }

  private func pressure(_ systolic: String, _ diastolic: String, _ pulse: String) -> [RowReading] {
    [
      row(pulse, 130, 220, 60), row(systolic, 100, 20, 90), row("10:38", 10, 290, 30),
      row(diastolic, 110, 120, 90), row("12-24", 160, 290, 30),
    ]
  }

  @Test func `takes three stacked values from the top, and no dates`() {
    let reading = read(.bloodPressure, pressure("118", "78", "70"))
    #expect(reading.values.map(\.text) == ["118", "78", "70"])
    #expect(reading.values.map(\.label) == ["sys", "dia", "pulse"])
    #expect(reading.doubt == nil)
    #expect(reading.rows.count == 5)
  }

  @Test func `has a diastolic below the systolic pressure`() {
    #expect(read(.bloodPressure, pressure("78", "118", "70")).doubt == .contradiction)
    #expect(read(.bloodPressure, pressure("118", "112", "70")).doubt == .contradiction)
  }

  @Test(arguments: ["18", "318"])
  func `has values within their range`(_ systolic: String) {
    #expect(read(.bloodPressure, pressure(systolic, "78", "70")).isUnsure)
  }

  @Test func `is unsure when a value is`() {
    var rows = pressure("118", "78", "70")
    rows[0].confidence = 0.7
    let reading = read(.bloodPressure, rows)
    #expect(reading.doubt == .unclear)
    #expect(reading.confidence == 0.7)
  }

  @Test func `misses a value`() {
    let rows = pressure("118", "78", "70").filter { $0.text != "78" }
    #expect(read(.bloodPressure, rows).doubt == .otherLayout)
    #expect(read(.bloodPressure, []).doubt == .nothingFound)
  }

  @Test(arguments: ["Err", "E-1", "---", "888"])
  func `names what is no value`(_ text: String) {
    #expect(read(.glucose, [row(text, 10, 10, 80)]).doubt == .noValue)
  }

  @Test func `takes the largest value, not the number of a memory`() {
    let rows = [row("17", 10, 5, 30), row("5.4", 60, 60, 90), row("6", 150, 5, 30)]
    #expect(read(.glucose, rows).values.map(\.text) == ["5.4"])
  }

  @Test func `tells units of glucose apart by the point`() {
    #expect(read(.glucoseInMillimoles, [row("104", 0, 0, 50)]).doubt == .otherLayout)
    #expect(read(.glucoseInMilligrams, [row("5.4", 0, 0, 50)]).doubt == .otherLayout)
    #expect(read(.glucoseInMilligrams, [row("HI", 0, 0, 50)]).values.map(\.text) == ["HI"])
  }

  @Test func `has two values side by side or one above the other`() {
    let beside = [row("72", 200, 10, 50), row("98", 20, 15, 50)]
    #expect(read(.oximeter, beside).values.map(\.text) == ["98", "72"])
    let stacked = [row("75", 20, 120, 50), row("96", 25, 15, 50)]
    #expect(read(.oximeter, stacked).values.map(\.text) == ["96", "75"])
    #expect(read(.bloodPressure, beside + [row("61", 300, 12, 50)]).doubt == .otherLayout)
  }

  @Test func `is found by its name`() {
    for layout in DisplayLayout.all { #expect(DisplayLayout(named: layout.name) == layout) }
    #expect(DisplayLayout(named: "watch") == nil)
  }
}

@Suite struct `A unit on a display` {
  private func read(
    _ layout: DisplayLayout, _ text: String, showing unit: DisplayUnit?
  ) -> DisplayReading {
    let row = RowReading(
      text: text, confidence: 0.95, characters: text.map { _ in 0.95 },
      quad: Quad(x: 0, y: 0, width: 100, height: 50))
    return LayoutMatching(layout: layout, threshold: 0.75).reading([row]) { _, family in
      unit.flatMap { family.contains($0) ? $0 : nil }
    }
  }

  @Test func `has to be the one that is set`() {
    let other = read(.glucoseInMilligrams, "104", showing: .millimolesPerLitre)
    #expect(other.doubt == .otherUnit)
    let same = read(.glucoseInMilligrams, "104", showing: .milligramsPerDecilitre)
    #expect(same.doubt == nil && same.values[0].unit == .milligramsPerDecilitre)
    #expect(read(.scaleInKilograms, "71.4", showing: .pounds).doubt == .otherUnit)
    #expect(read(.thermometerInFahrenheit, "98.6", showing: .celsius).doubt == .otherUnit)
  }

  @Test func `has to fit the form of the value`() {
    #expect(read(.glucose, "5.8", showing: .milligramsPerDecilitre).doubt == .otherUnit)
    #expect(read(.thermometer, "98.6", showing: .celsius).doubt == .otherUnit)
  }

  @Test func `follows from the value where it is not shown`() {
    #expect(read(.glucose, "5.8", showing: nil).values[0].unit == .millimolesPerLitre)
    #expect(read(.glucose, "104", showing: nil).values[0].unit == .milligramsPerDecilitre)
    #expect(read(.thermometer, "36.8", showing: nil).values[0].unit == .celsius)
    #expect(read(.thermometer, "98.6", showing: nil).values[0].unit == .fahrenheit)
    #expect(read(.scale, "71.4", showing: nil).values[0].unit == nil)
    #expect(read(.scale, "71.4", showing: .pounds).values[0].unit == .pounds)
  }

  @Test func `has a range of its own`() {
    #expect(read(.glucose, "118.5", showing: nil).doubt == .outOfRange)
    #expect(read(.thermometer, "72.5", showing: nil).doubt == .outOfRange)
    #expect(read(.scale, "700", showing: .kilograms).doubt == .outOfRange)
    #expect(read(.scale, "700", showing: .pounds).doubt == nil)
    #expect(read(.scale, "88.8", showing: .kilograms).doubt == nil)
    #expect(read(.thermometer, "88.8", showing: nil).doubt == .noValue)
  }

  @Test func `of a glucose meter beyond its bounds is the one that is set`() {
    #expect(read(.glucoseInMillimoles, "HI", showing: nil).values[0].unit == .millimolesPerLitre)
    #expect(read(.glucose, "Lo", showing: nil).values[0].text == "LO")
  }
}

@Suite struct `Rows near each other` {
  private func row(_ text: String, _ x: Double, _ y: Double, _ height: Double) -> RowReading {
    RowReading(
      text: text, confidence: 0.95, characters: text.map { _ in 0.95 },
      quad: Quad(x: x, y: y, width: Double(text.count) * height * 0.6, height: height))
  }

  private func read(_ layout: DisplayLayout, _ rows: [RowReading]) -> DisplayReading {
    LayoutMatching(layout: layout, threshold: 0.75).reading(rows)
  }

  @Test func `may be parts of one value, of which none is taken`() {
    #expect(read(.glucose, [row("4", 0, 0, 50), row("14", 60, 2, 50)]).doubt == .cut)
    #expect(read(.glucose, [row("H", 0, 0, 50), row("11", 60, 2, 50)]).doubt == .cut)
    // It may have been found twice.
    #expect(read(.glucose, [row("14", 61, 1, 49), row("14", 60, 2, 50)]).doubt == nil)
    #expect(read(.glucose, [row("4", 0, 0, 50), row("14", 200, 2, 50)]).doubt == nil)
  }

  @Test func `may be a value and a time`() {
    let rows = [row("118", 0, 0, 50), row("78", 0, 70, 50), row("70", 0, 140, 40)]
    #expect(read(.bloodPressure, rows + [row("0:04", 60, 142, 38)]).doubt == nil)
  }

  @Test func `are ordered on a display that lies crooked, too`() {
    // Turned by forty degrees to the right: the lower value is left of the upper one.
    func turned(_ text: String, _ y: Double) -> RowReading {
      let (cosine, sine) = (0.766, 0.643)
      func place(_ x: Double, _ y: Double) -> Point {
        Point(300 + x * cosine - y * sine, 300 + x * sine + y * cosine)
      }
      return RowReading(
        text: text, confidence: 0.95, characters: [],
        quad: Quad(place(0, y), place(90, y), place(90, y + 50), place(0, y + 50)))
    }
    let rows = [turned("70", 140), turned("118", 0), turned("78", 70)]
    #expect(read(.bloodPressure, rows).values.map(\.text) == ["118", "78", "70"])
  }
}
