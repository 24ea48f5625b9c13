// SPDX-License-Identifier: Apache-2.0

import DigitReader

/// A text on the front of a device, before it is drawn.
struct FrontText {
  var text: String
  var kind: Scene.Kind
  var label = ""
  var style: GlyphStyle
  /// The height of its characters; the display is one high.
  var height: Double
  /// Its place: the display is from 0, 0 to its width, 1.
  var x: Double
  var y: Double
  /// Whether `x` is the right end.
  var isRightAligned = false
  /// How strongly it is seen, from 0 to 1.
  var strength: Float = 1
  /// Whether it is printed on the housing, and not shown by the display.
  var isPrinted = false

  /// Its characters as they are drawn; those that the style has not are left out.
  var shapes: [(character: Character, shape: GlyphShape)] {
    text.compactMap { character in style.shape(character).map { (character, $0) } }
  }

  /// From the left of its first to the right of its last character.
  var width: Double {
    shapes.reduce(-style.spacing) { $0 + $1.shape.width + style.spacing } * height
  }

  /// Where it begins.
  var left: Double { isRightAligned ? x - width : x }
}

/// What a display shows.
struct DisplayContent {
  var layout: Scene.Layout
  /// The width of the display; it is one high.
  var width: Double
  var texts: [FrontText]
  /// Symbols as polygons.
  var icons: [[Point]] = []

  /// Makes the display wider where its texts would not fit.
  mutating func fit() {
    let shown = texts.filter { !$0.isPrinted }
    let left = max(0, 0.03 - (shown.map(\.left).min() ?? 0.03))
    let right = (shown.map { $0.left + $0.width }.max() ?? 0) + 0.03
    for index in texts.indices { texts[index].x += left }
    icons = icons.map { $0.map { Point($0.x + left, $0.y) } }
    width = max(width, right) + left
  }

  /// The height of the smallest value.
  var valueHeight: Double {
    texts.filter { $0.kind == .value }.map(\.height).min() ?? 0.3
  }
}

/// Makes up what displays show.
struct DisplayWriter {
  var random: SceneRandom
  private let digits: GlyphStyle
  /// Of dates, times and numbers of memories.
  private let small: GlyphStyle
  private let letters: GlyphStyle

  init(_ random: SceneRandom) {
    var random = random
    digits = .anyDigits(&random)
    letters = .letters(&random)
    small = random.chance(0.6) ? digits : letters
    self.random = random
  }

  mutating func content(_ layout: Scene.Layout) -> DisplayContent {
    var content =
      switch layout {
      case .glucose: glucose()
      case .bloodPressure: bloodPressure()
      case .thermometer: thermometer()
      case .oximeter: oximeter()
      case .scale: scale()
      case .other: other()
      }
    if random.chance(0.3) { content.icons.append(heart(content.width)) }
    if random.chance(0.2) { addBars(&content) }
    content.fit()
    return content
  }

  // MARK: - Layouts

  private mutating func value(
    _ text: String, _ label: String, _ height: Double, _ x: Double, _ y: Double, right: Bool = true
  ) -> FrontText {
    FrontText(
      text: text, kind: .value, label: label, style: digits, height: height, x: x, y: y,
      isRightAligned: right, strength: random.chance(0.1) ? Float(random.real(0.4...0.9)) : 1)
  }

  private func note(
    _ text: String, _ kind: Scene.Kind, _ height: Double, _ x: Double, _ y: Double,
    right: Bool = false
  ) -> FrontText {
    FrontText(
      text: text, kind: kind, style: kind == .unit || kind == .label ? letters : small,
      height: height, x: x, y: y, isRightAligned: right)
  }

  /// What a device shows in place of a value, in few cases.
  private mutating func instead(_ text: String, _ others: [String] = []) -> String {
    random.chance(0.06)
      ? random.pick(
        ["Err", "E 1", "E-3", "Er3", "---", "888", "--", "HI", "LO", "Hi", "Lo"] + others) : text
  }

  private mutating func bloodPressure() -> DisplayContent {
    let width = random.real(0.62...1.25)
    let (top, gap) = (random.real(0.05...0.2), random.real(0.02...0.07))
    let large = random.real(0.2...0.3)
    let last = random.chance(0.5) ? large : large * random.real(0.55...0.95)
    let right = width - random.real(0.05...0.22) * width
    // Some show the time beside the pulse.
    let hasClockBeside = random.chance(0.2)
    let systolic = random.whole(78...215)
    let diastolic = random.whole(40...max(45, min(130, systolic - 12)))
    let figures = [
      (instead("\(systolic)"), "sys", large), ("\(diastolic)", "dia", large),
      ("\(random.whole(38...165))", "pulse", last),
    ]
    var content = DisplayContent(layout: .bloodPressure, width: width, texts: [])
    var y = top
    let names = random.pick([
      ["SYS", "DIA", "PULSE"], ["SYS", "DIA", "PUL"], ["SYS.", "DIA.", "PULSE"], [],
      ["mmHg", "mmHg", "/min"], ["SYS mmHg", "DIA mmHg", "PULSE/min"],
    ])
    let (outside, size) = (random.chance(0.5), random.real(0.035...0.07))
    let step = random.chance(0.2) ? 0.0 : gap
    for (index, (text, label, height)) in figures.enumerated() {
      let isBesideClock = hasClockBeside && label == "pulse"
      content.texts.append(
        value(text, label, height, isBesideClock ? min(right, width * 0.5) : right, y))
      if isBesideClock {
        let size = height * random.real(0.35...0.75)
        content.texts.append(
          note(anyTime(), .time, size, width - 0.03, y + height - size, right: true))
      }
      if index < names.count {
        var name = note(names[index], .label, size, outside ? -0.03 : 0.03, y, right: outside)
        name.isPrinted = outside
        name.y += random.real(0...0.6) * height
        content.texts.append(name)
      }
      y += height + step + 0.02
    }
    if !hasClockBeside, random.chance(0.4), y + 0.1 < 1 { addClock(&content, at: y + 0.02) }
    if random.chance(0.3), top > 0.13 {
      content.texts.append(note("\(random.whole(1...99))", .memory, 0.08, 0.05, 0.03))
    }
    return content
  }

  private mutating func glucose() -> DisplayContent {
    let width = random.real(0.75...1.5)
    let height = random.real(0.28...0.6)
    let molar = random.chance(0.45)
    let text =
      molar
      ? "\(random.whole(1...27)).\(random.whole(0...9))" : "\(random.whole(32...480))"
    let right = width - random.real(0.05...0.3) * width
    let y = random.real(0.12...max(0.13, 0.95 - height))
    var content = DisplayContent(
      layout: .glucose, width: width,
      texts: [value(instead(text, ["HI", "LO"]), "glucose", height, right, y)])
    addUnit(
      molar ? "mmol/L" : "mg/dL", &content, right: right, below: y + height, beside: y)
    if random.chance(0.6) { addClock(&content, at: y > 0.2 ? 0.04 : min(0.9, y + height + 0.05)) }
    if random.chance(0.2) {
      content.texts.append(note("M\(random.whole(1...500))", .memory, 0.08, 0.04, 0.9))
    }
    return content
  }

  private mutating func thermometer() -> DisplayContent {
    let width = random.real(1.4...3.6)
    let height = random.real(0.45...0.86)
    let celsius = random.chance(0.65)
    let tenths = celsius ? random.whole(340...423) : random.whole(932...1080)
    let right = width * random.real(0.7...0.93)
    let y = (1 - height) * random.real(0.3...0.7)
    var content = DisplayContent(
      layout: .thermometer, width: width,
      texts: [
        value(
          instead("\(tenths / 10).\(tenths % 10)", ["L", "H"]), "temperature", height, right, y)
      ])
    if random.chance(0.75) {
      content.texts.append(
        note(
          celsius ? "°C" : "°F", .unit, height * random.real(0.25...0.45), right + 0.06,
          y + random.real(0...0.5) * height))
    }
    return content
  }

  private mutating func oximeter() -> DisplayContent {
    let stacked = random.chance(0.45)
    let width = stacked ? random.real(0.6...1.1) : random.real(1.6...3.2)
    // Three digits have to fit beside the others, with a gap that tells them apart.
    let height = stacked ? random.real(0.28...0.38) : min(random.real(0.35...0.6), 0.17 * width)
    let (spo2, pulse) = ("\(random.whole(82...99))", "\(random.whole(38...148))")
    var content = DisplayContent(layout: .oximeter, width: width, texts: [])
    let places =
      stacked
      ? [(width * 0.85, 0.12), (width * 0.85, 0.2 + height)]
      : [(width * 0.46, 0.3), (width * 0.94, 0.3)]
    let values = [(instead(spo2), "spo2"), (instead(pulse), "pulse")]
    for ((text, label), (x, y)) in zip(values, places) {
      content.texts.append(value(text, label, height, x, y))
    }
    if random.chance(0.8) {
      let names = random.pick([["%SpO2", "PRbpm"], ["SpO2%", "PR"], ["SpO2", "bpm"]])
      for (name, (x, y)) in zip(names, places) {
        content.texts.append(note(name, .label, 0.07, x - height * 1.1, y - 0.1))
      }
    }
    if random.chance(0.4) {
      for bar in 0..<random.whole(2...8) {
        content.icons.append(.rectangle(0.03, 0.9 - Double(bar) * 0.07, 0.05, 0.04))
      }
    }
    return content
  }

  private mutating func scale() -> DisplayContent {
    let width = random.real(1.5...3.2)
    let height = random.real(0.45...0.8)
    let pounds = random.chance(0.3)
    let grams = random.whole(20...2200)
    let text =
      switch random.whole(0...9) {
      case 0: "\(grams)"
      case 1: "\(grams / 10).\(random.whole(10...99))"
      default: "\(grams / 10).\(grams % 10)"
      }
    let right = width * random.real(0.68...0.94)
    let y = (1 - height) * random.real(0.3...0.7)
    var content = DisplayContent(
      layout: .scale, width: width,
      texts: [value(instead(text), "weight", height, right, y)])
    if random.chance(0.75) {
      content.texts.append(
        note(
          pounds ? "lb" : "kg", .unit, height * random.real(0.22...0.45), right + 0.08,
          y + random.real(0.3...0.7) * height))
    }
    return content
  }

  private mutating func other() -> DisplayContent {
    let width = random.real(0.9...3.2)
    let rows = width < 1.8 && random.chance(0.5) ? 2 : 1
    let height = rows == 2 ? random.real(0.25...0.4) : random.real(0.35...0.85)
    let right = width * random.real(0.75...0.97)
    var content = DisplayContent(layout: .other, width: width, texts: [])
    for row in 0..<rows {
      let most = max(1, min(5, Int((right / height) / 0.75)))
      var text = String((0..<random.whole(1...most)).map { _ in random.pick(Array("0123456789")) })
      if text.count > 1, random.chance(0.4) {
        let place = random.whole(1...text.count - 1)
        text.insert(
          random.chance(0.15) ? ":" : ".", at: text.index(text.startIndex, offsetBy: place))
      }
      if random.chance(0.08) { text = "-" + text }
      let y = rows == 2 ? 0.07 + Double(row) * (height + 0.1) : (1 - height) / 2
      content.texts.append(value(instead(text), "", height, right, y))
    }
    if random.chance(0.4) {
      content.texts.append(
        note(
          random.pick(["V", "A", "%", "°C", "kg", "L/min", "min", "cm"]), .unit, 0.12, right, 0.8))
    }
    return content
  }

  // MARK: - Beside the values

  private mutating func addUnit(
    _ unit: String, _ content: inout DisplayContent, right: Double, below: Double, beside: Double
  ) {
    guard random.chance(0.75) else { return }
    let size = random.real(0.06...0.13)
    if below + size + 0.03 < 1, random.chance(0.6) {
      content.texts.append(note(unit, .unit, size, right, below + 0.02, right: true))
    } else if content.width - right > 0.2 {
      content.texts.append(note(unit, .unit, min(size, 0.08), right + 0.04, beside + 0.1))
    }
  }

  private mutating func addClock(_ content: inout DisplayContent, at y: Double) {
    let size = random.real(0.06...0.1)
    let date =
      random.chance(0.5)
      ? "\(random.whole(1...12))-\(random.whole(1...31))"
      : "\(random.whole(1...12))/\(random.whole(1...31))"
    let time = anyTime()
    if random.chance(0.7) { content.texts.append(note(date, .date, size, 0.05, y)) }
    if random.chance(0.8) {
      content.texts.append(note(time, .time, size, content.width - 0.05, y, right: true))
    }
  }

  private mutating func anyTime() -> String {
    let minute = random.whole(0...59)
    return "\(random.whole(0...23)):\(minute < 10 ? "0" : "")\(minute)"
  }

  /// A column of bars beside the values, as of a level or of signals: they look like parts of digits.
  private mutating func addBars(_ content: inout DisplayContent) {
    let value = random.pick(content.texts.filter { $0.kind == .value })
    let isRight = random.chance(0.6) && value.isRightAligned
    let x = isRight ? value.x + value.height * random.real(0.1...0.35) : random.real(0.01...0.05)
    let size = value.height * random.real(0.06...0.25)
    let (count, step) = (random.whole(2...6), random.real(1.15...2))
    let thickness = size * random.real(0.3...0.9)
    let top = value.y + random.real(-0.1...0.4) * value.height
    for bar in 0..<count {
      content.icons.append(
        .rectangle(x, top + Double(bar) * thickness * step, size * random.real(0.6...1), thickness))
    }
  }

  private mutating func heart(_ width: Double) -> [Point] {
    let (x, y, size) = (random.real(0.05...0.3) * width, random.real(0.55...0.9), 0.07)
    return [
      Point(x, y), Point(x - size / 2, y - size / 2), Point(x - size / 3, y - size),
      Point(x + size / 3, y - size), Point(x + size / 2, y - size / 2),
    ]
  }
}

// MARK: - Looks of characters

extension GlyphStyle {
  /// Large digits: mostly of seven segments.
  static func anyDigits(_ random: inout SceneRandom) -> GlyphStyle {
    switch random.unit() {
    case ..<0.7:
      var style = SegmentStyle()
      style.ends = random.pick(SegmentStyle.Ends.allCases)
      style.width = random.real(0.42...0.66)
      style.thickness = random.real(0.05...0.2)
      style.gap = random.chance(0.3) ? 0 : random.real(0...0.04)
      style.slant = random.chance(0.4) ? 0 : random.real(0...0.22)
      style.spacing = random.real(0.12...0.4)
      style.sevenHasHook = random.chance(0.25)
      style.sixHasTop = random.chance(0.85)
      style.nineHasBottom = random.chance(0.85)
      style.pointHasCell = random.chance(0.5)
      style.pointIsRound = random.chance(0.5)
      style.pointSize = random.real(0.65...1.2)
      style.oneIsNarrow = random.chance(0.25)
      return .segments(style)
    case ..<0.82:
      return .dots(
        DotStyle(
          fill: random.real(0.7...1), isRound: random.chance(0.4), stretch: random.real(0.75...1.1),
          spacing: random.real(0.1...0.25)))
    default:
      return .strokes(
        StrokeStyle(
          thickness: random.real(0.07...0.2), width: random.real(0.4...0.66),
          slant: random.chance(0.8) ? 0 : random.real(0...0.2), spacing: random.real(0.1...0.25),
          roundness: random.pick([0, 0.5, 1, 1])))
    }
  }

  /// Small letters, printed or shown.
  static func letters(_ random: inout SceneRandom) -> GlyphStyle {
    random.chance(0.2)
      ? .dots(DotStyle(fill: 0.95, isRound: false, stretch: 0.9, spacing: 0.18))
      : .strokes(
        StrokeStyle(
          thickness: random.real(0.1...0.2), width: random.real(0.45...0.62),
          slant: random.chance(0.9) ? 0 : 0.15, spacing: random.real(0.14...0.25), roundness: 1))
  }
}
