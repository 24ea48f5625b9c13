// SPDX-License-Identifier: Apache-2.0

import DigitReader
import SyntheticDisplays
import Testing

@Suite struct `A rendered scene` {
  @Test func `is the same for the same seed`() throws {
    var (first, second) = (SceneGenerator(seed: 5), SceneGenerator(seed: 5))
    for _ in 0..<2 {
      let (one, other) = (
        try first.next(width: 160, height: 120), try second.next(width: 160, height: 120)
      )
      #expect(one.image == other.image)
      #expect(one.json == other.json)
    }
    var third = SceneGenerator(seed: 6)
    #expect(try third.next(width: 160, height: 120).image != SceneGenerator(seed: 5).first().image)
  }

  @Test(arguments: Scene.Layout.allCases)
  func `shows the values of its layout`(_ layout: Scene.Layout) throws {
    let counts: [Scene.Layout: ClosedRange<Int>] = [
      .bloodPressure: 3...3, .oximeter: 2...2, .other: 1...2,
    ]
    var generator = SceneGenerator(seed: 11)
    for _ in 0..<4 {
      let scene = try generator.next(width: 200, height: 150, layout: layout)
      let values = scene.rows.filter { $0.kind == .value }
      #expect((counts[layout] ?? 1...1).contains(values.count))
      #expect(scene.layout == layout)
      for row in scene.rows { #expect(!row.glyphs.isEmpty && row.quad.height > 0) }
    }
  }

  @Test func `has ink where its legible values are said to be`() throws {
    var generator = SceneGenerator(seed: 3)
    var (checked, legible) = (0, 0)
    for _ in 0..<16 {
      let scene = try generator.next(width: 240, height: 180, difficulty: .easy)
      for row in scene.rows where row.kind == .value {
        checked += 1
        guard row.isLegible else { continue }
        legible += 1
        let pixels = scene.pixels(in: row.quad)
        let spread = Int(pixels.max() ?? 0) - Int(pixels.min() ?? 0)
        #expect(spread > 15, "\(row.text)")
      }
    }
    #expect(checked >= 16)
    #expect(legible * 10 > checked * 7)
  }

  @Test func `is refused in a size that no image has`() {
    var generator = SceneGenerator(seed: 1)
    #expect(throws: ImageError.self) { try generator.next(width: 0) }
  }
}

extension SceneGenerator {
  fileprivate func first() throws -> Scene {
    var generator = self
    return try generator.next(width: 160, height: 120)
  }
}

extension Scene {
  /// The brightness along some lines within a box.
  fileprivate func pixels(in quad: Quad) -> [UInt8] {
    (0..<20).flatMap { row in
      (0..<60).compactMap { column in
        let (x, y) = ((Double(column) + 0.5) / 60, (Double(row) + 0.5) / 20)
        let point = quad.topLeft.mixed(with: quad.topRight, x).mixed(
          with: quad.bottomLeft.mixed(with: quad.bottomRight, x), y)
        guard point.x >= 0, point.y >= 0, Int(point.x) < image.width, Int(point.y) < image.height
        else { return nil }
        return image[Int(point.x), Int(point.y)]
      }
    }
  }
}
