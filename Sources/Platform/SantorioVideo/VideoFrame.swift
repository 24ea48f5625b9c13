// SPDX-License-Identifier: Apache-2.0

/// The brightness of one picture of a video.
package struct VideoFrame: Hashable, Sendable {
  /// Columns and rows.
  package let width: Int
  package let height: Int
  /// 0 is black and 255 white, row by row from the top.
  package let pixels: [UInt8]
  /// The time since the first frame of the source.
  package let time: Duration
}

/// Gives the frames of a video one after the other.
package protocol VideoSource {
  /// Waits for the next frame; nil at the end.
  ///
  /// After an error that ``VideoError/concernsOneFrame``, the next call gives the frame behind it;
  /// streams throw every other error again at each further call.
  mutating func next() throws(VideoError) -> VideoFrame?
}
