// SPDX-License-Identifier: Apache-2.0

/// Reads a display in the frames of a camera, one after the other, until the frames agree.
///
/// The display is looked for until its values were found; from then on it is followed, which takes a
/// third of the time. It is not to be used by two threads at once.
public final class FrameReader {
  /// What the display shows.
  public let layout: DisplayLayout
  private let reader: DigitReader
  private let matching: LayoutMatching
  private var convergence: Convergence
  private var conditions = CaptureConditions()
  private var followed: Followed?
  private var frames = 0
  /// Which units were read beside the value, the last ones; nil where none was.
  private var units: [DisplayUnit?] = []
  /// The value beside which they were read.
  private var shown: String?

  /// Reads displays of one layout.
  ///
  /// - Parameters:
  ///   - layout: What the display shows.
  ///   - rules: When frames agree.
  /// - Throws: ``DigitReaderError/damagedWeights`` if the module was built without its weights.
  public convenience init(
    _ layout: DisplayLayout, rules: ConvergenceRules? = nil
  ) throws(DigitReaderError) {
    self.init(layout, rules: rules, reader: try DigitReader())
  }

  init(_ layout: DisplayLayout, rules: ConvergenceRules? = nil, reader: DigitReader) {
    let rules = rules ?? .usual(for: layout)
    (self.layout, self.reader) = (layout, reader)
    matching = LayoutMatching(layout: layout, threshold: rules.leastConfidence)
    convergence = Convergence(layout, rules)
  }

  /// A display that is followed.
  private struct Followed {
    /// Where its values were when they were read last.
    let values: [Quad]
    /// Around all of them.
    let display: Quad
    /// For how many frames rows were not looked for, but taken to be where they were.
    var age = 0
    /// In how many frames the values were not found since.
    var misses = 0

    var height: Double { values.map(\.height).max() ?? 0 }
  }

  /// The longer side in which the part around a display is looked at that is followed.
  private static let trackedSide = 160
  /// A hand moves so little that rows are looked for in each third frame.
  private static let mostAge = 2
  /// After so many frames without the values they are looked for everywhere again.
  private static let mostMisses = 4
  /// From which confidence on a value counts that lies in glare.
  private static let sureInGlare = 0.85
  /// In a frame no more rows are read than these; the surest and largest first.
  private static let mostRows = 6

  /// Looks at the next frame.
  ///
  /// - Parameters:
  ///   - frame: The image, upright.
  ///   - time: When it was taken, since the first one.
  ///   - region: Where the display is, as by an overlay; nil to look for it everywhere.
  /// - Returns: What was seen, and what all frames so far agree on.
  public func read(
    _ frame: GrayImage, at time: Duration, in region: PixelRegion? = nil
  ) -> FrameResult {
    defer { frames += 1 }
    let area = followed.flatMap { frame.region(around: $0.display, margin: 0.9 * $0.height) }
    let isFollowing = area != nil
    let part = area ?? region
    let seen = part?.part(of: frame) ?? frame
    let image = seen.enlarged(toSide: isFollowing ? Self.trackedSide : DigitReader.leastSide)
    let (corner, scale) = (
      part?.corner(in: frame) ?? Point(0, 0), Double(seen.width) / Double(image.width)
    )
    let pyramid = ImagePyramid(image)
    let known = isFollowing ? knownRows(corner, scale) : nil
    let rows = known ?? (isFollowing ? track(pyramid, corner, scale) : search(pyramid))
    let framing = DigitReader.framings[frames % DigitReader.framings.count]
    // What was read whole before, and now seems to go on, is looked for anew.
    let extensions = known != nil ? 0 : 1
    let readings = rows.flatMap {
      reader.read(
        $0, of: pyramid, [framing], expected: matching.expectation, extensions: extensions)
    }
    let reading = matching.reading(readings) { unit(beside: $0, of: pyramid, among: $1) }
      .moved(by: corner, scaledBy: scale)
    let glare = Glare.areas(in: frame, around: reading.display ?? followed?.display)
    forgetUnit(of: reading)
    follow(reading, isFresh: known == nil)
    conditions.add(frame, reading, glare)
    // White displays are as bright as glare; what is read on them is sure, and what glare covers is not.
    let isCovered = reading.values.contains { value in
      value.confidence < Self.sureInGlare
        && glare.contains { $0.bounds.common(with: value.quad.bounds) > 0 }
    }
    if !isCovered { convergence.add(reading, at: time) }
    return FrameResult(
      reading: reading, partial: convergence.partial(), isFollowing: isFollowing,
      glare: glare, final: convergence.final, advice: conditions.advice)
  }

  /// Forgets all frames, for another reading.
  public func restart() {
    convergence = Convergence(layout, convergence.rules)
    conditions = CaptureConditions()
    followed = nil
    (units, shown) = ([], nil)
  }

  private var finder: RowFinder { reader.finder }

  /// Looks for rows everywhere: for large ones in each frame, for small ones in parts of it by turns.
  private func search(_ pyramid: ImagePyramid) -> [FoundRow] {
    var rows = finder.rows(pyramid, sides: frames % 2 == 0 ? [96, 160, 320] : [160])
    if frames % 2 == 1 { rows = RowFinder.distinct(rows + smallRows(pyramid)) }
    return Array(rows.sorted { $0.rank > $1.rank }.prefix(Self.mostRows))
  }

  /// The rows of the middle of the image, at twice the size in which all of it is looked at.
  private func smallRows(_ pyramid: ImagePyramid) -> [FoundRow] {
    let image = pyramid.image
    guard max(image.width, image.height) >= 640 else { return [] }
    let (width, height) = (image.width / 2, image.height / 2)
    let (x, y) = ((image.width - width) / 2, (image.height - height) / 2)
    guard let middle = PixelRegion(x: x, y: y, width: width, height: height, in: image) else {
      return []
    }
    return finder.rows(ImagePyramid(middle.part(of: image)), longestSide: 320).map {
      FoundRow(quad: $0.quad.moved(by: middle.corner(in: image)), confidence: $0.confidence)
    }
  }

  /// The unit that is shown: of the last looks the one that most of them say.
  ///
  /// It is looked at until it is known, and now and then.
  private func unit(
    beside value: Quad, of pyramid: ImagePyramid, among family: [DisplayUnit]
  ) -> DisplayUnit? {
    if units.count < Self.looksAtUnit || frames % 5 == 0 {
      units.append(reader.unit(beside: value, of: pyramid, among: family))
      if units.count > Self.looksAtUnit { units.removeFirst() }
    }
    return family.first { unit in
      let count = units.filter { $0 == unit }.count
      return count > 1 && count * 2 > units.count
    }
  }

  private static let looksAtUnit = 5

  /// Another value may be in another unit: somebody may have switched it.
  private func forgetUnit(of reading: DisplayReading) {
    guard let value = reading.values.first, value.confidence >= convergence.rules.leastConfidence
    else { return }
    if let shown, shown != value.text { units = [] }
    shown = value.text
  }

  /// The rows where they were in the last frame; nil if they have to be looked for.
  private func knownRows(_ corner: Point, _ scale: Double) -> [FoundRow]? {
    guard let followed, followed.misses == 0, followed.age < Self.mostAge else { return nil }
    return rows(of: followed, corner, scale)
  }

  /// The rows of a display that is followed: where the values were, and what else is there if one is not.
  private func track(_ pyramid: ImagePyramid, _ corner: Point, _ scale: Double) -> [FoundRow] {
    let found = finder.rows(pyramid, longestSide: Self.trackedSide)
    if let followed, followed.misses == 0 {
      let again = rows(of: followed, corner, scale).compactMap { known in
        found.first { $0.overlaps(known) && $0.quad.width > 0.85 * known.quad.width }
      }
      if again.count == layout.fields.count { return again }
    }
    return Array(found.sorted { $0.rank > $1.rank }.prefix(layout.fields.count + 2))
  }

  private func rows(of followed: Followed, _ corner: Point, _ scale: Double) -> [FoundRow] {
    let (shift, size) = (Point(-corner.x, -corner.y), Point(1 / scale, 1 / scale))
    return followed.values.map {
      FoundRow(quad: $0.moved(by: shift).scaled(by: size), confidence: 1)
    }
  }

  private func follow(_ reading: DisplayReading, isFresh: Bool) {
    let isWhole = reading.values.count == layout.fields.count
    if let display = reading.display, isWhole, isFresh || followed?.misses != 0 {
      followed = Followed(values: reading.values.map(\.quad), display: display)
    } else if isWhole {
      followed?.age += 1
    } else if let last = followed {
      followed?.misses += 1
      if last.misses >= Self.mostMisses { (followed, units) = (nil, []) }
    }
  }
}

extension FoundRow {
  /// Sure and large rows are more likely values.
  fileprivate var rank: Double { confidence * quad.height }
}

/// What was seen in a frame, and what all frames up to it agree on.
public struct FrameResult: Hashable, Sendable {
  /// What this frame alone says.
  public let reading: DisplayReading
  /// The values as far as the frames agree, each character that is not sure as `·`.
  public let partial: [String]
  /// Whether the display was followed, and not looked for.
  public let isFollowing: Bool
  /// Where light is reflected.
  public let glare: [Quad]
  /// The values on which enough frames agree; nil as long as they do not.
  public let final: FinalReading?
  /// What makes reading hard, the worst first; empty if nothing does.
  public let advice: [CaptureAdvice]
}

extension DisplayReading {
  /// Around all values; nil without any.
  var display: Quad? { Quad(around: values.flatMap(\.quad.corners)) }
}

extension GrayImage {
  /// The part of the image around a quadrilateral; nil if that lies outside, or is too small.
  func region(around quad: Quad, margin: Double) -> PixelRegion? {
    let bounds = quad.bounds
    guard [bounds.left, bounds.top, bounds.right, bounds.bottom].allSatisfy(\.isFinite) else {
      return nil
    }
    func clamped(_ value: Double, _ most: Int) -> Int { Int(min(max(value, 0), Double(most))) }
    let (left, top) = (clamped(bounds.left - margin, width), clamped(bounds.top - margin, height))
    let (right, bottom) = (
      clamped(bounds.right + margin, width), clamped(bounds.bottom + margin, height)
    )
    guard right - left >= 16, bottom - top >= 16 else { return nil }
    return PixelRegion(x: left, y: top, width: right - left, height: bottom - top, in: self)
  }
}
