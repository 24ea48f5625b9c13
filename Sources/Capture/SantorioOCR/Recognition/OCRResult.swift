// SPDX-License-Identifier: Apache-2.0

public import DigitReader

/// What was seen in a frame while a display is being read.
public struct OCRResult: Hashable, Sendable {
  /// The values as far as frames agree, one a line; characters that are not sure are `·`.
  public let string: String
  /// Where light is reflected.
  public let glare: [GlareArea]
  /// The display in the frame, or where it is looked for; nil if that is the whole frame.
  public let region: PixelRegion?
  /// What makes reading hard, the worst first.
  public internal(set) var advice: [CaptureAdvice]
  /// What this frame alone says.
  public let reading: DisplayReading

  init(_ frame: FrameResult, region: PixelRegion?) {
    string = frame.partial.joined(separator: "\n")
    glare = frame.glare.map(GlareArea.init)
    (self.region, advice, reading) = (region, frame.advice, frame.reading)
  }
}

/// An area of a frame in which light is reflected, in pixels from the upper left.
public struct GlareArea: Hashable, Sendable {
  /// Its left edge.
  public let x: Double
  /// Its upper edge.
  public let y: Double
  /// How wide it is.
  public let width: Double
  /// How high it is.
  public let height: Double

  init(_ quad: Quad) {
    (x, y, width, height) = (quad.topLeft.x, quad.topLeft.y, quad.width, quad.height)
  }
}

extension CaptureAdvice {
  /// What to do, in English, for a person at a camera.
  public var text: String {
    switch self {
    case .moreLight: "There is too little light: turn on a lamp, or the torch."
    case .lessGlare: "Light is reflected by the display: tilt it, or turn a lamp away."
    case .closer: "The digits are small: go closer."
    case .farther: "A part of the display is not in the picture: go back a little."
    case .holdStill: "The picture is blurred: hold the camera still."
    case .pointAtDisplay: "No display was found: point the camera at it, upright."
    case .waitForValue: "The display shows no value: wait until it does, or look up the error."
    case .checkDevice: "The display shows other values than this device has: check the device."
    case .chooseUnit: "The display does not show its unit: choose it."
    case .checkUnit: "The display shows another unit than the chosen one: choose that."
    }
  }
}
