// SPDX-License-Identifier: Apache-2.0

/// The frames of a stream, which says by its first byte what it is: Motion JPEG or YUV4MPEG2.
package struct VideoStream: VideoSource {
  private var source: any VideoSource

  /// Opens a file, a FIFO, or standard input for `-`, and waits for what it begins with.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - rate: How often frames of Motion JPEG are shown.
  /// - Throws: ``VideoError``.
  package init(path: String, rate: FrameRate = .unstated) throws(VideoError) {
    try self.init(ByteReader(path: path), rate: rate)
  }

  init(_ reader: ByteReader, rate: FrameRate) throws(VideoError) {
    source =
      try reader.peek() == 0xFF ? MJPEGStream(reader, rate: rate) : try Y4MStream(reader)
  }

  /// Waits for the next frame; nil at the end.
  ///
  /// - Throws: ``VideoError``, as the stream that it is.
  package mutating func next() throws(VideoError) -> VideoFrame? { try source.next() }
}
