// SPDX-License-Identifier: Apache-2.0

public import DigitReader

/// A frame of a source.
public struct OCRFrame: Hashable, Sendable {
  /// The image, upright.
  public let image: GrayImage
  /// When it was taken, since the first one.
  public let time: Duration

  /// A frame.
  ///
  /// - Parameters:
  ///   - image: The image, upright.
  ///   - time: When it was taken, since the first one.
  public init(image: GrayImage, time: Duration) { (self.image, self.time) = (image, time) }
}

/// Where frames come from: a camera, a stream, a folder of images.
public protocol FrameSource {
  /// The next frame.
  ///
  /// - Returns: The frame; nil when there are no more.
  /// - Throws: An error that says why there are no more.
  mutating func nextFrame() throws -> OCRFrame?
}

extension OCRRecognizer {
  /// Reads frames until they agree.
  ///
  /// - Parameters:
  ///   - source: Where the frames come from.
  ///   - region: Where the display is; nil to look for it everywhere.
  ///   - progress: Is told of what was seen in each frame, and the frame.
  /// - Returns: The reading and the frame in which it was complete; nil if the source ended, or the time
  ///   was over, before that.
  /// - Throws: What the source throws.
  public func read(
    from source: inout some FrameSource, in region: PixelRegion? = nil,
    progress: (OCRFrame, OCROutcome) throws -> Void = { _, _ in }
  ) throws -> (reading: OCRReading, frame: OCRFrame)? {
    while let frame = try source.nextFrame() {
      let outcome = process(frame.image, at: frame.time, in: region)
      try progress(frame, outcome)
      switch outcome {
      case .partial: continue
      case .complete(let reading, _): return (reading, frame)
      case .timedOut: return nil
      }
    }
    return nil
  }
}
