// SPDX-License-Identifier: Apache-2.0

/// The network that says which unit is shown beside a value.
final class UnitNetwork {
  /// The size of the picture of what is around a value.
  static let (width, height) = (224, 144)
  /// Where in it the value's right end and top are, and how high it is.
  static let (right, top, valueHeight) = (150.0, 40.0, 40.0)
  /// How many layers the file has for it.
  static let count = strides.count

  private static let strides = [2, 2, 1, 2, 1, 1]
  private let layers: [Convolution]
  private let image = FeatureMap(width: width, height: height, channels: 1)
  private let maps: [FeatureMap]

  init(_ layers: [Convolution]) {
    self.layers = layers
    var (maps, size): ([FeatureMap], Int) = ([], 1)
    for (layer, stride) in zip(layers, Self.strides) {
      size *= stride
      maps.append(
        FeatureMap(
          width: Self.width / size, height: Self.height / size, channels: layer.outputs))
    }
    self.maps = maps
  }

  /// The layers of the file, in the order in which they follow on each other.
  static func layers(_ layers: [WeightsFile.Layer]) -> [Convolution]? {
    guard layers.count == count else { return nil }
    var (made, sources): ([Convolution], Int) = ([], 1)
    for (index, layer) in layers.enumerated() {
      let convolution = Convolution(
        layer, sources: sources, stride: strides[index], isRectified: index != count - 1)
      made.append(convolution)
      sources = convolution.outputs
    }
    return made
  }

  /// How likely each unit is shown, from 0 to 1.
  func run(_ picture: [Float]) -> [DisplayUnit: Double] {
    precondition(picture.count == Self.width * Self.height)
    image.fill(normalizing: picture)
    var source = image
    for (layer, map) in zip(layers, maps) {
      layer.run(source, into: map)
      source = map
    }
    var likelihoods: [DisplayUnit: Double] = [:]
    for (channel, unit) in DisplayUnit.allCases.enumerated() {
      var sum = 0.0
      for y in 0..<source.height {
        for x in 0..<source.width { sum += exponential(Double(min(source[x, y, channel], 40))) }
      }
      // The odds are the sum of those of all places.
      likelihoods[unit] = sum / (1 + sum)
    }
    return likelihoods
  }
}

/// A unit as displays show it.
public enum DisplayUnit: String, Hashable, Sendable, CaseIterable {
  /// Milligrams per decilitre.
  case milligramsPerDecilitre = "mg/dL"
  /// Millimoles per litre.
  case millimolesPerLitre = "mmol/L"
  /// Degrees Celsius.
  case celsius = "°C"
  /// Degrees Fahrenheit.
  case fahrenheit = "°F"
  /// Kilograms.
  case kilograms = "kg"
  /// Pounds.
  case pounds = "lb"
}

extension DigitReader {
  /// From which likelihood on a unit is taken for shown.
  static let leastUnit = 0.8

  /// The unit that is shown beside a value; nil if none is, or more than one could be.
  ///
  /// - Parameters:
  ///   - value: The value in pixels of the image.
  ///   - pyramid: The image.
  ///   - units: The units that the layout knows; others are nothing it could show.
  /// - Returns: The unit.
  func unit(
    beside value: Quad, of pyramid: ImagePyramid, among units: [DisplayUnit]
  ) -> DisplayUnit? {
    guard !units.isEmpty else { return nil }
    let factor = min(1, UnitNetwork.valueHeight / max(value.height, 1))
    let (image, scale) = pyramid.level(atLeast: factor)
    let row = value.scaled(by: scale)
    let length = UnitNetwork.valueHeight * row.width / max(row.height, 1)
    let frame = PictureFrame(
      x: UnitNetwork.right - length, y: UnitNetwork.top, width: length,
      height: UnitNetwork.valueHeight)
    guard
      let picture = Picture(
        row, of: image, at: frame, width: UnitNetwork.width, height: UnitNetwork.height)
    else { return nil }
    let likelihoods = self.units.run(picture.values)
    let likely = units.filter { likelihoods[$0] ?? 0 >= Self.leastUnit }
    return likely.count == 1 ? likely[0] : nil
  }
}
