// SPDX-License-Identifier: Apache-2.0

/// The network that says for each cell of four by four pixels whether it lies in the core of a row of
/// large digits, and where that row's middle and how high it is.
final class FinderNetwork {
  /// How many pixels a cell is wide and high.
  static let cell = 4
  /// The sides of an image are multiples of it.
  static let multiple = 32
  /// How many layers the file has for it.
  static let count = Layer.allCases.count

  /// The layers in the order of the file: a way down, in which places become coarser, and a way up, on
  /// which what was seen from afar is added to what was seen from near.
  private enum Layer: Int, CaseIterable {
    case half, quarter, quarterAgain
    case eighth, eighthAgain
    case sixteenth, sixteenthAgain, sixteenthLast
    case farthest, farthestAgain, farthestLast
    case upToSixteenth, sixteenthMerged
    case upToEighth, eighthMerged
    case upToQuarter, quarterMerged
    case answer

    /// How many places of its source there are for one of its own.
    var stride: Int {
      switch self {
      case .half, .quarter, .eighth, .sixteenth, .farthest: 2
      default: 1
      }
    }

    /// How many pixels a place of its map is wide and high.
    var size: Int {
      switch self {
      case .half: 2
      case .quarter, .quarterAgain, .quarterMerged, .answer: 4
      case .eighth, .eighthAgain, .eighthMerged, .upToQuarter: 8
      case .sixteenth, .sixteenthAgain, .sixteenthLast, .sixteenthMerged, .upToEighth: 16
      case .farthest, .farthestAgain, .farthestLast, .upToSixteenth: 32
      }
    }

    /// What is added to another map is rectified after that; the answer is not.
    var isRectified: Bool {
      ![.upToSixteenth, .upToEighth, .upToQuarter, .answer].contains(self)
    }
  }

  private let layers: [Convolution]
  private let image: FeatureMap
  private let maps: [FeatureMap]
  /// Of each cell: the core of a value, the core of another text, the logarithm of the height in units
  /// of 16 pixels, and how many heights the middle is below the cell's; then nothing.
  var result: FeatureMap { maps[Layer.answer.rawValue] }

  let width: Int
  let height: Int

  /// Makes the network for images of one size.
  init(_ layers: [Convolution], width: Int, height: Int) {
    precondition(width % Self.multiple == 0 && height % Self.multiple == 0)
    (self.layers, self.width, self.height) = (layers, width, height)
    image = FeatureMap(width: width, height: height, channels: 1)
    maps = Layer.allCases.map {
      FeatureMap(
        width: width / $0.size, height: height / $0.size, channels: layers[$0.rawValue].outputs)
    }
  }

  /// The layers of the file, in the order in which they follow on each other.
  static func layers(_ layers: [WeightsFile.Layer]) -> [Convolution]? {
    guard layers.count == count else { return nil }
    var (made, sources): ([Convolution], Int) = ([], 1)
    for (layer, content) in zip(Layer.allCases, layers) {
      let convolution = Convolution(
        content, sources: sources, stride: layer.stride, isRectified: layer.isRectified)
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
    for layer in Layer.allCases.prefix(while: { $0 != .upToSixteenth }) {
      source = run(layer, source)
    }
    source = run(.sixteenthMerged, merged(.upToSixteenth, source, .sixteenthLast))
    source = run(.eighthMerged, merged(.upToEighth, source, .eighthAgain))
    source = run(.quarterMerged, merged(.upToQuarter, source, .quarterAgain))
    _ = run(.answer, source)
  }

  private func run(_ layer: Layer, _ source: FeatureMap) -> FeatureMap {
    layers[layer.rawValue].run(source, into: maps[layer.rawValue])
    return maps[layer.rawValue]
  }

  /// Adds what a layer makes of a coarse map to a finer one.
  private func merged(_ layer: Layer, _ coarse: FeatureMap, _ fine: Layer) -> FeatureMap {
    let target = maps[fine.rawValue]
    target.addDoubled(run(layer, coarse))
    return target
  }
}
