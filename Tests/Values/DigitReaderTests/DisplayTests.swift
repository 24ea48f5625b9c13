// SPDX-License-Identifier: Apache-2.0

import SyntheticDisplays
import Testing

@testable import DigitReader

@Suite struct `A display in a photo` {
  /// A scene of one value that is easy to see, and the row of the value.
  private func scene() throws -> (Scene, Scene.Row) {
    var generator = SceneGenerator(seed: 9)
    let scene = try generator.next(
      width: 160, height: 120, difficulty: .easy, layout: .thermometer)
    return (scene, try #require(scene.rows.first { $0.kind == .value }))
  }

  private func expect(_ reading: DisplayReading, shows row: Scene.Row) throws {
    #expect(reading.values.map(\.text) == [row.text])
    #expect(reading.doubt == nil)
    let value = try #require(reading.values.first)
    #expect(value.confidence > 0.9 && value.characters.count == row.text.count)
    #expect(value.quad.center.distance(to: row.quad.center) < row.quad.height / 3)
    #expect(abs(value.quad.height - row.quad.height) < row.quad.height / 3)
  }

  @Test func `is found and read`() throws {
    let (scene, row) = try scene()
    try expect(try DigitReader().read(scene.image, as: .thermometer), shows: row)
  }

  @Test func `is found in a region, in pixels of the photo`() throws {
    let (scene, row) = try scene()
    let bounds = scene.display.bounds
    let (left, top) = (max(0, Int(bounds.left) - 8), max(0, Int(bounds.top) - 8))
    let region = try #require(
      PixelRegion(
        x: left, y: top, width: min(160 - left, Int(bounds.right - bounds.left) + 16),
        height: min(120 - top, Int(bounds.bottom - bounds.top) + 16), in: scene.image))
    try expect(try DigitReader().read(scene.image, as: .thermometer, in: region), shows: row)
  }

  @Test(arguments: [(1, 1), (1, 300), (300, 1), (17, 13), (64, 64)])
  func `is not found where there is none`(_ width: Int, _ height: Int) throws {
    let reader = try DigitReader()
    for value: UInt8 in [0, 255] {
      let image = try GrayImage(width: width, height: height, filledWith: value)
      let reading = reader.read(image, as: .glucose)
      #expect(reading.doubt == .nothingFound)
      #expect(reading.values.isEmpty && reading.confidence == 0)
    }
  }

  @Test func `has regions that lie within it`() throws {
    let image = try GrayImage(width: 20, height: 10)
    #expect(PixelRegion(x: 0, y: 0, width: 20, height: 10, in: image) != nil)
    for (x, y, width, height) in [
      (-1, 0, 5, 5), (0, -1, 5, 5), (0, 0, 21, 5), (0, 0, 5, 11), (20, 0, 1, 1), (0, 0, 0, 5),
      (5, 5, Int.max, 1),
    ] {
      #expect(PixelRegion(x: x, y: y, width: width, height: height, in: image) == nil)
    }
  }

  @Test func `may be looked for in a region of another image`() throws {
    let large = try GrayImage(width: 300, height: 200, filledWith: 120)
    let region = try #require(PixelRegion(x: 200, y: 100, width: 100, height: 100, in: large))
    let reader = try DigitReader()
    for (width, height) in [(250, 150), (2, 2), (300, 1)] {
      let other = try GrayImage(width: width, height: height, filledWith: 120)
      #expect(reader.read(other, as: .glucose, in: region).doubt == .nothingFound)
      #expect(other.cropped(to: region).pixels.allSatisfy { $0 == 120 })
    }
  }
}
