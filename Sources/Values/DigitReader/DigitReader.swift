// SPDX-License-Identifier: Apache-2.0

/// Finds rows of large digits in images, and reads them.
///
/// It keeps memory for images of some sizes, so use one for all frames of a camera. It is not to be used
/// by two threads at once.
public final class DigitReader {
  let finder: RowFinder
  /// Two that were trained differently: what both read the same is surer than what one reads twice.
  private let lines: [LineNetwork]
  let units: UnitNetwork

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
    guard let file = WeightsFile(bytes) else { throw .damagedWeights }
    var rest = file.layers[...]
    func next(_ count: Int) -> [WeightsFile.Layer] {
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    guard let finder = FinderNetwork.layers(next(FinderNetwork.count)),
      let first = LineNetwork.layers(next(LineNetwork.count)),
      let second = LineNetwork.layers(next(LineNetwork.count)),
      let units = UnitNetwork.layers(next(UnitNetwork.count)), rest.isEmpty
    else { throw .damagedWeights }
    self.finder = RowFinder(finder)
    lines = [LineNetwork(first), LineNetwork(second)]
    self.units = UnitNetwork(units)
  }

  /// From which confidence on a value is used, unless another is asked for.
  public static let usualThreshold = 0.6

  /// Reads a display in a single image: looks for it in several sizes, and at each row in several ways.
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
    let matching = LayoutMatching(layout: layout, threshold: threshold)
    let part = region?.part(of: image) ?? image
    var reading = read(part, matching)
    if reading.doubt != nil, let nearer = readNearer(part, reading, matching), nearer.doubt == nil {
      reading = nearer
    }
    return reading.moved(by: region?.corner(in: image) ?? Point(0, 0))
  }

  func read(_ image: GrayImage, _ matching: LayoutMatching) -> DisplayReading {
    let enlarged = image.enlarged(toSide: Self.leastSide)
    let padded = enlarged.padded(by: max(enlarged.width, enlarged.height) / Self.marginShare)
    let margin = Double(padded.width - enlarged.width) / 2
    let pyramid = ImagePyramid(padded)
    let readings = finder.rows(pyramid).flatMap {
      read($0, of: pyramid, expected: matching.expectation)
    }
    let scale = Double(image.width) / Double(enlarged.width)
    return matching.reading(readings) { unit(beside: $0, of: pyramid, among: $1) }
      .moved(by: Point(-1, -1) * (margin * scale), scaledBy: scale)
  }

  /// Reads the part of an image around the digits that were found, turned so that they are upright.
  private func readNearer(
    _ image: GrayImage, _ reading: DisplayReading, _ matching: LayoutMatching
  ) -> DisplayReading? {
    guard let display = display(around: reading), let straight = image.rectified(display),
      let mapping = Homography(
        width: Double(straight.width), height: Double(straight.height), to: display)
    else { return nil }
    let nearer = read(straight, matching).placed { mapping($0) }
    let isOther = nearer.values.contains { value in
      reading.rows.contains { row in
        // A part of the value is no other one.
        row.confidence > Self.leastContradiction && !value.text.contains(row.text)
          && matching.canUse(row.text) && row.quad.overlaps(value.quad)
      }
    }
    return isOther ? nil : nearer
  }

  /// From which confidence on the first look speaks against what the second one says.
  private static let leastContradiction = 0.5

  /// Where the display seems to be of which not all was read; nil if no digits were found.
  private func display(around reading: DisplayReading) -> Quad? {
    let digits = reading.rows.filter {
      $0.confidence > 0.4 && $0.text.filter(\.isNumber).count > 1
    }
    func weight(_ row: DisplayReading.Row) -> Double { row.quad.height * row.confidence }
    guard let surest = digits.max(by: { weight($0) < weight($1) }) else { return nil }
    let height = surest.quad.height
    let near = digits.map(\.quad).filter {
      $0.height > 0.4 * height && $0.center.distance(to: surest.quad.center) < 5 * height
    }
    let direction = Direction(of: near)
    return Quad(around: near.flatMap { direction.upright($0).corners }).map {
      direction.back($0.extended(by: Self.nearerMargin * height))
    }
  }

  /// How much is looked at around rows of a display that was not read, in heights of the largest.
  private static let nearerMargin = 2.5

  /// Smaller images are enlarged: near their edges the networks see little.
  static let leastSide = 320
  /// How much of the longer side is added on each side, so that rows at the edge are seen whole.
  private static let marginShare = 12

  /// What stands in a picture of a row.
  func read(_ picture: LinePicture, _ framing: LinePicture.Framing) -> LineReading {
    let network = lines[framing.network]
    network.run(picture.values)
    return LineReading(network.result, unit: picture.unit)
  }
}

/// Why nothing can be read.
public enum DigitReaderError: Error, Hashable, Sendable {
  /// The weights of the networks are cut, or of another version.
  case damagedWeights
}
