// SPDX-License-Identifier: Apache-2.0

/// Finds rows of large digits in images, and reads them.
///
/// It keeps memory for images of one size, so use one for all frames of a camera. It is not to be used
/// by two threads at once.
public final class DigitReader {
  private let finderLayers: [Convolution]
  private let lines: LineNetwork
  private var finder: FinderNetwork?

  /// Reads with the weights that come with the module.
  ///
  /// - Throws: ``DigitReaderError/damagedWeights`` if the module was built without them.
  public convenience init() throws(DigitReaderError) {
    try self.init(weights: BuiltInWeights.bytes)
  }

  /// Reads with weights of one's own.
  ///
  /// - Throws: ``DigitReaderError/damagedWeights``.
  public init(weights bytes: [UInt8]) throws(DigitReaderError) {
    guard let file = WeightsFile(bytes), file.layers.count == 20,
      let finder = FinderNetwork.layers(Array(file.layers.prefix(13))),
      let lines = LineNetwork.layers(Array(file.layers.suffix(7)))
    else { throw .damagedWeights }
    finderLayers = finder
    self.lines = LineNetwork(lines)
  }

  /// From which confidence on a value is used, unless another is asked for.
  public static let usualThreshold = 0.75

  /// Reads a display in a single image: looks for it in three sizes, and at each row in several ways.
  ///
  /// - Parameters:
  ///   - image: The image, upright.
  ///   - layout: What the display shows.
  ///   - region: Where the display is; nil to look for it everywhere.
  ///   - threshold: From which confidence on a value is used.
  /// - Returns: The values, or why they are not sure.
  public func read(
    _ image: GrayImage, as layout: DisplayLayout, in region: PixelRegion? = nil,
    threshold: Double = usualThreshold
  ) -> DisplayReading {
    let (part, corner) = region.map { ($0.part(of: image), $0.corner) } ?? (image, Point(0, 0))
    let rows = find(part).map {
      FoundRow(quad: $0.quad.moved(by: corner), confidence: $0.confidence)
    }
    let readings = rows.compactMap { read($0, of: image, framings: Self.framings) }
    return LayoutMatching(layout: layout, threshold: threshold).reading(readings)
  }

  /// The rows of large digits in an image, of each place the surest.
  func find(_ image: GrayImage) -> [FoundRow] {
    let longest = max(image.width, image.height)
    var found: [FoundRow] = []
    for size in [160, 320, 640] where size == 160 || size < 2 * longest {
      found += rows(image, longestSide: size)
    }
    var kept: [FoundRow] = []
    for row in found.sorted(by: { $0.confidence > $1.confidence })
    where !kept.contains(where: { $0.overlaps(row) }) { kept.append(row) }
    return kept
  }

  /// The rows of large digits in an image.
  func rows(_ image: GrayImage, longestSide: Int = 320) -> [FoundRow] {
    let longest = max(image.width, image.height)
    let scale = min(1, Double(longestSide) / Double(longest))
    let (width, height) = (
      max(1, Int(Double(image.width) * scale)), max(1, Int(Double(image.height) * scale))
    )
    let small = image.reduced(to: width, height)
    let multiple = FinderNetwork.multiple
    let (columns, rows) = (
      (width + multiple - 1) / multiple * multiple, (height + multiple - 1) / multiple * multiple
    )
    let network = network(columns, rows)
    network.run(small.extended(to: columns, rows))
    return RowGrouping.rows(network.result).map {
      FoundRow(
        quad: $0.quad.scaled(by: Double(image.width) / Double(width)), confidence: $0.confidence)
    }
  }

  private func network(_ width: Int, _ height: Int) -> FinderNetwork {
    if let finder, finder.width == width, finder.height == height { return finder }
    let made = FinderNetwork(finderLayers, width: width, height: height)
    finder = made
    return made
  }

  /// What stands in a picture of a row.
  func read(_ picture: LinePicture) -> LineReading {
    lines.run(picture.values)
    return LineReading(lines.result)
  }
}

/// Why nothing can be read.
public enum DigitReaderError: Error, Hashable, Sendable {
  /// The weights of the networks are cut, or of another version.
  case damagedWeights
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
