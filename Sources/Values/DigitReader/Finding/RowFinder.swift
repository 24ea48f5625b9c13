// SPDX-License-Identifier: Apache-2.0

/// Finds rows of large digits in images of any size.
///
/// It keeps the memory of its networks, one for each size of image that it has seen.
final class RowFinder {
  private let layers: [Convolution]
  private var networks: [FinderNetwork] = []
  /// Cameras have one size of frames, photos some.
  private static let mostNetworks = 6

  init(_ layers: [Convolution]) { self.layers = layers }

  /// The longer sides in which a photo is looked at: digits may be large or small in it.
  static let sides = [96, 160, 320, 640]

  /// The rows of a photo, of each place the surest.
  func rows(_ pyramid: ImagePyramid, sides: [Int] = sides) -> [FoundRow] {
    let longest = max(pyramid.image.width, pyramid.image.height)
    // An image is not looked at larger than it is, but once.
    let useful = sides.filter { $0 == sides.first || 4 * $0 < 5 * longest }
    return Self.distinct(useful.flatMap { rows(pyramid, longestSide: $0) })
  }

  /// Of rows at the same place the surest.
  static func distinct(_ rows: [FoundRow]) -> [FoundRow] {
    var kept: [FoundRow] = []
    for row in rows.sorted(by: { $0.confidence > $1.confidence })
    where !kept.contains(where: { $0.overlaps(row) }) { kept.append(row) }
    return kept
  }

  /// The rows of an image that is made as small as this.
  func rows(_ pyramid: ImagePyramid, longestSide: Int) -> [FoundRow] {
    let image = pyramid.image
    let factor = min(1, Double(longestSide) / Double(max(image.width, image.height)))
    let (width, height) = (
      max(1, Int(Double(image.width) * factor)), max(1, Int(Double(image.height) * factor))
    )
    let small = pyramid.level(atLeast: factor).image.reduced(to: width, height)
    let multiple = FinderNetwork.multiple
    let (columns, rows) = (
      (width + multiple - 1) / multiple * multiple, (height + multiple - 1) / multiple * multiple
    )
    let network = network(columns, rows)
    network.run(small.extended(to: columns, rows))
    let scale = Point(
      Double(image.width) / Double(width), Double(image.height) / Double(height))
    return RowGrouping.rows(network.result).map {
      FoundRow(quad: $0.quad.scaled(by: scale), confidence: $0.confidence)
    }
  }

  private func network(_ width: Int, _ height: Int) -> FinderNetwork {
    if let known = networks.first(where: { $0.width == width && $0.height == height }) {
      return known
    }
    if networks.count == Self.mostNetworks { networks.removeFirst() }
    let made = FinderNetwork(layers, width: width, height: height)
    networks.append(made)
    return made
  }
}

extension GrayImage {
  /// The image with its last column and row repeated up to a size.
  fileprivate func extended(to width: Int, _ height: Int) -> GrayImage {
    guard width > self.width || height > self.height else { return self }
    var result = [UInt8]()
    result.reserveCapacity(width * height)
    for y in 0..<height {
      let row = min(y, self.height - 1) * self.width
      result += pixels[row..<row + self.width]
      result += repeatElement(pixels[row + self.width - 1], count: width - self.width)
    }
    return GrayImage(unchecked: width, height, result)
  }
}
