// SPDX-License-Identifier: Apache-2.0

/// The network that says what stands in a row: for each four columns of the row's picture which
/// character, and whether there is a point.
final class LineNetwork {
  /// The size of a row's picture.
  static let width = 160
  static let height = 32
  /// How many columns there are for each answer.
  static let step = 4
  /// How many layers the file has for it.
  static let count = 7

  private let layers: [Convolution]
  private let image = FeatureMap(width: width, height: height, channels: 1)
  private let maps: [FeatureMap]
  /// Of each step: how likely each character is, then the point.
  let result: FeatureMap

  init(_ layers: [Convolution]) {
    self.layers = layers
    let (width, height) = (Self.width, Self.height)
    func map(_ layer: Int, _ columns: Int, _ rows: Int) -> FeatureMap {
      FeatureMap(width: width / columns, height: height / rows, channels: layers[layer].outputs)
    }
    // Each convolution, and the largest of its fields.
    maps = [
      map(0, 1, 1), map(0, 2, 2), map(1, 2, 2), map(1, 4, 4), map(2, 4, 4), map(2, 4, 8),
      map(3, 4, 8), map(3, 4, 16), map(4, 4, 32), map(5, 4, 32),
    ]
    result = map(6, 4, 32)
  }

  /// The layers of the file, in the order in which they follow on each other.
  static func layers(_ layers: [WeightsFile.Layer]) -> [Convolution]? {
    guard layers.count == count else { return nil }
    var (made, sources): ([Convolution], Int) = ([], 1)
    for (index, layer) in layers.enumerated() {
      let convolution = Convolution(layer, sources: sources, isRectified: index != count - 1)
      made.append(convolution)
      sources = convolution.outputs
    }
    return made
  }

  /// Reads a row's picture.
  func run(_ picture: [Float]) {
    precondition(picture.count == Self.width * Self.height)
    image.fill(normalizing: picture)
    layers[0].run(image, into: maps[0])
    maps[0].pooled(2, 2, into: maps[1])
    layers[1].run(maps[1], into: maps[2])
    maps[2].pooled(2, 2, into: maps[3])
    layers[2].run(maps[3], into: maps[4])
    maps[4].pooled(1, 2, into: maps[5])
    layers[3].run(maps[5], into: maps[6])
    maps[6].pooled(1, 2, into: maps[7])
    layers[4].run(maps[7], into: maps[8])
    layers[5].run(maps[8], into: maps[9])
    layers[6].run(maps[9], into: result)
  }
}
