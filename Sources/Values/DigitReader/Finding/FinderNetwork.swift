// SPDX-License-Identifier: Apache-2.0

/// The network that says for each cell of four by four pixels whether it lies in the core of a row of
/// large digits, and where that row's middle and how high it is.
final class FinderNetwork {
  /// How many pixels a cell is wide and high.
  static let cell = 4
  /// The sides of an image are multiples of it.
  static let multiple = 16

  private let layers: [Convolution]
  private let image: FeatureMap
  private let maps: [FeatureMap]
  /// Of each cell: the core of a value, the core of another text, the logarithm of the height in units
  /// of 16 pixels, and how many heights the middle is below the cell's; then nothing.
  let result: FeatureMap

  let width: Int
  let height: Int

  /// Makes the network for images of one size.
  init(_ layers: [Convolution], width: Int, height: Int) {
    precondition(width % Self.multiple == 0 && height % Self.multiple == 0)
    (self.layers, self.width, self.height) = (layers, width, height)
    image = FeatureMap(width: width, height: height, channels: 1)
    func map(_ layer: Int, _ part: Int) -> FeatureMap {
      FeatureMap(width: width / part, height: height / part, channels: layers[layer].outputs)
    }
    maps = [
      map(0, 2), map(1, 4), map(2, 4), map(3, 8), map(4, 8), map(5, 16), map(6, 16), map(7, 16),
      map(8, 16), map(9, 8), map(10, 8), map(11, 4),
    ]
    result = map(12, 4)
  }

  /// The layers of the file, in the order in which they follow on each other.
  static func layers(_ layers: [WeightsFile.Layer]) -> [Convolution]? {
    guard layers.count == 13 else { return nil }
    let strides = [2, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 1, 1]
    var (made, sources): ([Convolution], Int) = ([], 1)
    for (index, layer) in layers.enumerated() {
      // What is added to another map is rectified after that; the last layer is not.
      let isRectified = ![8, 10, 12].contains(index)
      let convolution = Convolution(
        layer, sources: sources, stride: strides[index], isRectified: isRectified)
      made.append(convolution)
      sources = convolution.outputs
    }
    return made
  }

  /// Looks at an image of the network's size.
  func run(_ pixels: GrayImage) {
    precondition(pixels.width == width && pixels.height == height)
    for y in 0..<height {
      let row = unsafe image.place(0, y)
      for x in 0..<width { unsafe row[x] = (Float(pixels[x, y]) - 128) / 64 }
    }
    var source = image
    for index in 0..<8 {
      layers[index].run(source, into: maps[index])
      source = maps[index]
    }
    // What was seen from afar is added to what was seen from near, twice.
    layers[8].run(maps[7], into: maps[8])
    maps[4].addDoubled(maps[8])
    layers[9].run(maps[4], into: maps[9])
    layers[10].run(maps[9], into: maps[10])
    maps[2].addDoubled(maps[10])
    layers[11].run(maps[2], into: maps[11])
    layers[12].run(maps[11], into: result)
  }
}
