// SPDX-License-Identifier: Apache-2.0

import SyntheticDisplays
import Testing

@testable import DigitReader

@Suite struct `A display that is turned` {
  /// A scene as a camera sees it that is turned by an angle with this sine and cosine.
  private func turned(_ scene: Scene, _ sine: Double, _ cosine: Double) throws -> GrayImage {
    let (width, height) = (Double(scene.image.width), Double(scene.image.height))
    func corner(_ x: Double, _ y: Double) -> Point {
      let (x, y) = (1.3 * x * width / 2, 1.3 * y * height / 2)
      return Point(width / 2 + x * cosine - y * sine, height / 2 + x * sine + y * cosine)
    }
    let quad = Quad(corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1))
    return try #require(scene.image.rectified(quad))
  }

  @Test func `is looked at again, upright, and found in pixels of the photo`() throws {
    var generator = SceneGenerator(seed: 8)
    let scene = try generator.next(
      width: 480, height: 360, difficulty: .easy, layout: .bloodPressure)
    let image = try turned(scene, 0.42, 0.9075)
    let reader = try DigitReader()
    let reading = reader.read(image, as: .bloodPressure)

    #expect(reader.read(image, LayoutMatching(layout: .bloodPressure, threshold: 0.6)).isUnsure)
    #expect(reading.values.map(\.text) == ["196", "45", "164"])
    #expect(!reading.isUnsure)
    let quads = reading.values.map(\.quad)
    #expect(quads.allSatisfy { $0.topRight.y < $0.topLeft.y - 0.2 * $0.width })
    #expect(zip(quads, quads.dropFirst()).allSatisfy { $0.center.y < $1.center.y })
    let bounds = Quad(x: 0, y: 0, width: 624, height: 468)
    #expect(quads.allSatisfy { $0.overlaps(bounds) })
  }
}
