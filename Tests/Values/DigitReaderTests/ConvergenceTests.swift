// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DigitReader

@Suite struct `Frames of a display` {
  /// What a frame says that shows one value.
  private func reading(
    _ text: String, _ confidence: Double = 0.9, _ layout: DisplayLayout = .glucose
  ) -> DisplayReading {
    let row = RowReading(
      text: text, confidence: confidence, characters: text.map { _ in confidence },
      quad: Quad(x: 0, y: 0, width: 100, height: 50))
    return LayoutMatching(layout: layout, threshold: 0.75).reading([row])
  }

  /// The reading that frames agree on, one every so many milliseconds, and after how many.
  private func final(
    _ frames: [DisplayReading], every step: Int = 100, _ rules: ConvergenceRules = .init(),
    _ layout: DisplayLayout = .glucose
  ) -> (text: String, count: Int)? {
    var convergence = Convergence(layout, rules)
    for (index, frame) in frames.enumerated() {
      convergence.add(frame, at: .milliseconds(index * step))
      if let final = convergence.final { return (final.values[0].text, index + 1) }
    }
    return nil
  }

  private func repeated(_ text: String, _ count: Int, _ confidence: Double = 0.9)
    -> [DisplayReading]
  {
    (0..<count).map { _ in reading(text, confidence) }
  }

  @Test func `agree after four of them and a third of a second`() {
    #expect(final(repeated("104", 3), every: 300) == nil)
    #expect(final(repeated("104", 20), every: 100)?.count == 5)
    #expect(final(repeated("104", 20), every: 30)?.count == 13)
    #expect(final(repeated("104", 4), every: 300)?.text == "104")
  }

  @Test func `do not agree while a display changes`() {
    let two = (0..<40).map { reading($0 % 2 == 0 ? "104" : "164") }
    #expect(final(two) == nil)
    // Afterwards the old value is not in the way for long.
    let changed = repeated("104", 3) + repeated("112", 30)
    #expect(final(changed)?.text == "112")
  }

  @Test func `are not disturbed by a slip that is not sure`() {
    let frames = repeated("104", 2) + [reading("164", 0.4)] + repeated("104", 4)
    #expect(final(frames)?.text == "104")
  }

  @Test func `of a display that blinks agree`() {
    let blinking = (0..<20).map { $0 % 4 < 2 ? reading("104") : reading("") }
    #expect(final(blinking)?.text == "104")
    // A digit that blinks by itself leaves another value, which is none.
    let digit = (0..<30).map { $0 % 4 < 2 ? reading("104") : reading("10") }
    #expect(final(digit) == nil)
  }

  @Test func `have to be sure`() {
    #expect(final(repeated("104", 60, 0.6)) == nil)
    #expect(final(repeated("104", 60, 0.2)) == nil)
  }

  @Test func `say nothing with a value that cannot be`() {
    #expect(final(repeated("900", 60)) == nil)
    #expect(final((0..<60).map { _ in reading("E-3") }) == nil)
  }

  @Test func `of a scale agree when the value has stayed for most of a second`() {
    let rules = ConvergenceRules.usual(for: .scale)
    let settling = ["70.1", "71.9", "71.2", "71.2", "71.3"].map { reading($0, 0.9, .scale) }
    let still = (0..<20).map { _ in reading("71.4", 0.9, .scale) }
    let final = final(settling + still, rules, .scaleInKilograms)
    #expect(final?.text == "71.4")
    // The votes before are a fifth of all only after some time more.
    #expect((final?.count ?? 0) >= settling.count + 9)
  }

  /// What frames of a scale agree on, beside whose value these units are read.
  private func final(units: [DisplayUnit?]) -> FinalReading? {
    var convergence = Convergence(.scale, .init())
    for (index, unit) in units.enumerated() {
      let row = RowReading(
        text: "71.4", confidence: 0.9, characters: [],
        quad: Quad(x: 0, y: 0, width: 100, height: 50))
      let frame = LayoutMatching(layout: .scale, threshold: 0.75).reading([row]) { _, _ in unit }
      convergence.add(frame, at: .milliseconds(index * 100))
    }
    return convergence.final
  }

  @Test func `do not agree on a value of which the unit changes`() {
    #expect(final(units: (0..<20).map { $0 % 2 == 0 ? .kilograms : .pounds }) == nil)
  }

  @Test func `need not show the unit in each of them`() {
    #expect(final(units: [nil, .kilograms, nil, .kilograms, nil])?.values[0].unit == .kilograms)
    #expect(final(units: [nil, nil, nil, .pounds, .pounds])?.values[0].unit == .pounds)
    // One alone may be mistaken.
    #expect(final(units: [.kilograms, nil, nil, nil, nil, nil]) == nil)
    #expect(final(units: [.kilograms, .pounds] + Array(repeating: nil, count: 20)) == nil)
  }

  @Test func `are given most of a second to show the unit`() {
    #expect(final(units: Array(repeating: nil, count: 8)) == nil)
    let final = final(units: Array(repeating: nil, count: 9))
    #expect(final?.values[0].text == "71.4")
    #expect(final?.values[0].unit == nil)
  }

  @Test func `are forgotten after some time`() {
    #expect(final(repeated("104", 30), every: 1500) == nil)
  }

  @Test func `may come with times that go back`() {
    var convergence = Convergence(.glucose, .init())
    for time in [5000, 5100, 5200, 0, 100, 200] {
      convergence.add(reading("104"), at: .milliseconds(time))
    }
    #expect(convergence.final == nil)
  }

  @Test func `show in the meantime which characters are sure`() {
    var convergence = Convergence(.glucose, .init())
    #expect(convergence.partial() == [""])
    for (index, text) in ["104", "184", "104", "184"].enumerated() {
      convergence.add(reading(text), at: .milliseconds(index * 100))
    }
    #expect(convergence.partial() == ["1·4"])
  }
}

@Suite struct `Conditions of a photo` {
  private func advice(_ image: GrayImage, _ reading: DisplayReading) -> [CaptureAdvice] {
    var conditions = CaptureConditions()
    for _ in 0..<5 {
      conditions.add(image, reading, image.glare(around: reading))
    }
    return conditions.advice
  }

  private func reading(_ text: String, _ quad: Quad) -> DisplayReading {
    LayoutMatching(layout: .glucose, threshold: 0.75).reading([
      RowReading(text: text, confidence: 0.5, characters: text.map { _ in 0.5 }, quad: quad)
    ])
  }

  private let nothing = LayoutMatching(layout: .glucose, threshold: 0.75).reading([])

  @Test func `are too dark, or show no display`() throws {
    let dark = try GrayImage(width: 200, height: 100, filledWith: 10)
    #expect(advice(dark, nothing) == [.moreLight, .holdStill, .pointAtDisplay])
    let gray = try GrayImage(width: 200, height: 100, filledWith: 128)
    #expect(advice(gray, nothing).contains(.pointAtDisplay))
    #expect(!advice(gray, nothing).contains(.moreLight))
  }

  @Test func `have small digits, or some that are cut off`() throws {
    let image = try GrayImage(width: 1280, height: 720, filledWith: 128)
    let small = reading("104", Quad(x: 600, y: 300, width: 30, height: 15))
    #expect(advice(image, small).contains(.closer))
    let cut = reading("104", Quad(x: -20, y: 300, width: 300, height: 150))
    #expect(advice(image, cut).contains(.farther))
    let fine = reading("104", Quad(x: 500, y: 300, width: 200, height: 100))
    #expect(Set(advice(image, fine)).isDisjoint(with: [.closer, .farther, .pointAtDisplay]))
  }

  @Test func `have glare on the display, and not beside it`() throws {
    var image = try GrayImage(width: 400, height: 300, filledWith: 120)
    let shown = reading("104", Quad(x: 100, y: 100, width: 200, height: 100))
    for y in 20..<60 { for x in 10..<60 { image[x, y] = 255 } }
    #expect(image.glare(around: shown).isEmpty)
    for y in 120..<160 { for x in 150..<200 { image[x, y] = 255 } }
    let areas = image.glare(around: shown)
    try #require(areas.count == 1)
    #expect(areas[0].center.distance(to: Point(175, 140)) < 12)
    #expect(advice(image, shown).first == .lessGlare)
    // Without a display it may be anywhere.
    #expect(image.glare(around: nothing).count == 2)
  }

  @Test func `of a bright display have no glare`() throws {
    let white = try GrayImage(width: 400, height: 300, filledWith: 255)
    let shown = reading("104", Quad(x: 100, y: 100, width: 200, height: 100))
    #expect(white.glare(around: shown).isEmpty)
  }

  @Test func `ask to wait for a value, or to check the device`() throws {
    let image = try GrayImage(width: 400, height: 300, filledWith: 120)
    let quad = Quad(x: 100, y: 100, width: 200, height: 100)
    #expect(advice(image, reading("Err", quad)).contains(.waitForValue))
    #expect(advice(image, reading("12345", quad)).contains(.checkDevice))
  }
}

@Suite struct `A pyramid of an image` {
  @Test func `halves it down to a size, and gives the level that is needed`() throws {
    let pyramid = ImagePyramid(try GrayImage(width: 1280, height: 720, filledWith: 77))
    #expect(pyramid.levels.map(\.width) == [1280, 640, 320, 160])
    #expect(pyramid.levels.allSatisfy { $0.pixels.allSatisfy { $0 == 77 } })
    #expect(pyramid.level(atLeast: 0.5).image.width == 640)
    #expect(pyramid.level(atLeast: 0.51).image.width == 1280)
    #expect(pyramid.level(atLeast: 0.001).image.width == 160)
  }

  @Test func `has means of four pixels`() throws {
    let image = try GrayImage(
      width: 5, height: 3,
      pixels: [
        0, 10, 20, 30, 99, 10, 20, 40, 50, 99, 99, 99, 99, 99, 99,
      ])
    let half = image.halved()
    #expect((half.width, half.height) == (2, 1))
    #expect(half.pixels == [10, 35])
  }

  @Test(arguments: [(1, 1), (1, 400), (400, 1), (193, 2)])
  func `of any size has a level`(_ width: Int, _ height: Int) throws {
    let pyramid = ImagePyramid(try GrayImage(width: width, height: height))
    #expect(pyramid.levels[0].width == width)
    _ = pyramid.level(atLeast: 0.1)
  }
}
