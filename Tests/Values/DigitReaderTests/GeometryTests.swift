// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DigitReader

@Suite struct `A display seen at an angle` {
  private static let quad = Quad(Point(10, 20), Point(110, 35), Point(100, 90), Point(15, 70))

  @Test func `has its corners where they are seen`() throws {
    let seen = try #require(Homography(width: 200, height: 80, to: Self.quad))
    let corners = seen(Quad(x: 0, y: 0, width: 200, height: 80)).corners
    for (corner, expected) in zip(corners, Self.quad.corners) {
      #expect(corner.distance(to: expected) < 1e-9)
    }
  }

  @Test func `is mapped back`() throws {
    let seen = try #require(Homography(width: 200, height: 80, to: Self.quad))
    let back = try #require(seen.inverse)
    for point in [Point(0, 0), Point(30, 70), Point(199, 1), Point(100, 40)] {
      #expect(back(seen(point)).distance(to: point) < 1e-9)
    }
  }

  @Test func `is none with corners on a line`() {
    let line = Quad(Point(0, 0), Point(1, 1), Point(2, 2), Point(3, 3))
    #expect(Homography(width: 10, height: 10, to: line) == nil)
    #expect(Homography(width: 0, height: 10, to: Self.quad) == nil)
  }
}

@Suite struct `An image` {
  @Test func `has as many pixels as its size says`() throws {
    #expect(throws: ImageError.wrongCount(width: 3, height: 2, pixels: 5)) {
      try GrayImage(width: 3, height: 2, pixels: [1, 2, 3, 4, 5])
    }
    #expect(throws: ImageError.wrongSize(width: 0, height: 2)) {
      try GrayImage(width: 0, height: 2)
    }
    #expect(throws: ImageError.wrongSize(width: Int.max, height: 2)) {
      try GrayImage(width: Int.max, height: 2)
    }
    #expect("\(ImageError.wrongCount(width: 3, height: 2, pixels: 5))".contains("6 of them, not 5"))
  }

  @Test func `is reduced to means`() throws {
    let image = try GrayImage(width: 4, height: 2, pixels: [0, 10, 20, 30, 100, 110, 120, 130])
    #expect(image.reduced(to: 2, 1).pixels == [55, 75])
    #expect(image.reduced(to: 4, 2) == image)
    #expect(image.reduced(to: 1, 1).pixels == [65])
  }

  @Test func `is reduced by parts of pixels`() throws {
    let image = try GrayImage(width: 3, height: 1, pixels: [0, 90, 180])
    // Each is one and a half pixels wide.
    #expect(image.reduced(to: 2, 1).pixels == [30, 150])
  }

  @Test(arguments: [1, 7, 64, 129, 300])
  func `of one brightness keeps it`(_ size: Int) throws {
    for value: UInt8 in [0, 1, 128, 255] {
      let image = try GrayImage(width: 301, height: 307, filledWith: value)
      let small = image.reduced(to: size, max(1, size / 2))
      #expect(small.pixels.allSatisfy { $0 == value })
    }
  }
}

@Suite struct `What lies within four corners` {
  @Test func `is seen straight on`() throws {
    var image = try GrayImage(width: 40, height: 30, filledWith: 10)
    for y in 10..<20 { for x in 5..<25 { image[x, y] = UInt8(100 + x) } }
    let part = try #require(image.rectified(Quad(x: 5, y: 10, width: 20, height: 10)))
    #expect((part.width, part.height) == (20, 10))
    #expect(part[0, 5] == 105 && part[19, 5] == 124)
    // Turned by a right angle: what was on the right is above.
    let turned = try #require(
      image.rectified(Quad(Point(25, 10), Point(25, 20), Point(5, 20), Point(5, 10))))
    #expect((turned.width, turned.height) == (10, 20))
    #expect(turned[5, 0] == 124 && turned[5, 19] == 105)
  }

  @Test(arguments: [
    // Corners on a line, crossed, far away, no numbers.
    Quad(Point(0, 0), Point(10, 0), Point(20, 0), Point(30, 0)),
    Quad(Point(0, 0), Point(10, 10), Point(10, 0), Point(0, 10)),
    Quad(Point(0, 0), Point(1e9, 0), Point(1e9, 1e9), Point(0, 1e9)),
    Quad(Point(-1e8, 0), Point(-1e8 + 40, 0), Point(-1e8 + 40, 30), Point(-1e8, 30)),
    Quad(Point(.nan, 0), Point(10, 0), Point(10, 10), Point(0, 10)),
    Quad(Point(0, 0), Point(.infinity, 0), Point(10, 10), Point(0, 10)),
    Quad(Point(0, 0), Point(20, 0), Point(6, 6), Point(0, 20)),
    Quad(Point(0, 0), Point(20, 0), Point(3, 3), Point(0, 20)),
  ])
  func `of corners that no display has is nothing, or something`(_ quad: Quad) throws {
    let image = try GrayImage(width: 40, height: 30, filledWith: 10)
    if let part = image.rectified(quad) {
      #expect(part.pixels.allSatisfy { $0 == 10 })
    }
  }
}
