// SPDX-License-Identifier: Apache-2.0

/// What the person at the camera can do so that a display can be read.
public enum CaptureAdvice: String, Hashable, Sendable, CaseIterable {
  /// There is too little light.
  case moreLight = "more-light"
  /// Light is reflected by the display: tilt it, or take a lamp away.
  case lessGlare = "less-glare"
  /// The digits are too small in the image.
  case closer
  /// The display is not in the image whole.
  case farther
  /// The image is blurred.
  case holdStill = "hold-still"
  /// No display was found in the image.
  case pointAtDisplay = "point-at-display"
  /// The display shows an error, or nothing yet.
  case waitForValue = "wait-for-value"
  /// There are rows of digits, but not those of the device that was chosen.
  case checkDevice = "check-device"
  /// The display does not show its unit, and it was not chosen.
  case chooseUnit = "choose-unit"
  /// The display shows another unit than the chosen one.
  case checkUnit = "check-unit"
}

/// What was seen in the last frames, to say why nothing can be read.
struct CaptureConditions {
  private var recent: [Set<CaptureAdvice>] = []
  private static let window = 15

  /// Looks at a frame.
  mutating func add(_ frame: GrayImage, _ reading: DisplayReading, _ glare: [Quad]) {
    recent.append(Self.advice(frame, reading, glare))
    if recent.count > Self.window { recent.removeFirst() }
  }

  /// What holds for at least half of the last frames, the worst first.
  var advice: [CaptureAdvice] {
    guard recent.count >= 3 else { return [] }
    return CaptureAdvice.allCases.filter { advice in
      recent.filter { $0.contains(advice) }.count * 2 >= recent.count
    }
  }

  private static func advice(
    _ frame: GrayImage, _ reading: DisplayReading, _ glare: [Quad]
  ) -> Set<CaptureAdvice> {
    var advice: Set<CaptureAdvice> = []
    let statistics = frame.statistics()
    if statistics.mean < 28, statistics.brightest < 110 { advice.insert(.moreLight) }
    if !glare.isEmpty { advice.insert(.lessGlare) }
    let heights = reading.values.map(\.quad.height)
    if let smallest = heights.min(), smallest < 0.018 * Double(max(frame.width, frame.height)) {
      advice.insert(.closer)
    }
    if reading.values.contains(where: { !frame.contains($0.quad) }) { advice.insert(.farther) }
    switch reading.doubt {
    case .nothingFound: advice.insert(.pointAtDisplay)
    case .noValue: advice.insert(.waitForValue)
    case .otherLayout: advice.insert(.checkDevice)
    case .unclear, .cut, .outOfRange, .contradiction, nil: break
    case .otherUnit: advice.insert(.checkUnit)
    }
    if reading.isUnsure, statistics.sharpness < 3 { advice.insert(.holdStill) }
    return advice
  }
}

extension GrayImage {
  /// Numbers about an image, of a few thousand of its pixels.
  fileprivate func statistics() -> (mean: Double, brightest: Int, sharpness: Double) {
    let step = max(1, Int((Double(width * height) / 6000).squareRoot()))
    var (sum, count, brightest, differences) = (0, 0, 0, 0)
    for y in stride(from: 0, to: height, by: step) {
      for x in stride(from: 0, to: width - 1, by: step) {
        let (value, next) = (Int(self[x, y]), Int(self[x + 1, y]))
        sum += value
        count += 1
        brightest = max(brightest, value)
        // Mean squares are led by the few places that are edges.
        differences += (value - next) * (value - next)
      }
    }
    guard count > 0 else { return (Double(self[0, 0]), Int(self[0, 0]), 0) }
    return (
      Double(sum) / Double(count), brightest, Double(differences) / Double(count)
    )
  }

  fileprivate func contains(_ quad: Quad) -> Bool {
    quad.corners.allSatisfy {
      $0.x > 1 && $0.y > 1 && $0.x < Double(width - 1) && $0.y < Double(height - 1)
    }
  }
}
