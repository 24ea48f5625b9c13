// SPDX-License-Identifier: Apache-2.0

import SantorioImages

/// The frames of Motion JPEG: one JPEG after the other, as ffmpeg writes it with `-f mjpeg`.
///
/// A damaged frame is thrown as ``VideoError/damagedFrame(frame:_:)``, and bytes between frames as
/// ``VideoError/strayBytes(count:offset:)``; the next call gives the frame behind. Damaged frames
/// count in the numbers and times of the others. Copies of a stream read the same file in turns.
package struct MJPEGStream: VideoSource {
  /// The most bytes of one JPEG.
  package static let mostBytes = 1 << 26

  /// How often frames are shown; the format does not say it.
  package let rate: FrameRate
  private var finder: JPEGFinder
  private var frames = 0
  private var failure: VideoError?

  /// Opens a file, a FIFO, or standard input for `-`.
  package init(path: String, rate: FrameRate = .unstated) throws(VideoError) {
    self.init(try ByteReader(path: path), rate: rate)
  }

  init(_ reader: ByteReader, rate: FrameRate, mostBytes: Int = mostBytes) {
    self.rate = rate
    finder = JPEGFinder(reader, mostBytes: mostBytes)
  }

  /// Waits for the next frame; nil at the end.
  ///
  /// - Throws: ``VideoError``: where ``VideoError/concernsOneFrame``, the next call gives what
  ///   follows; any other is thrown again at each further call.
  package mutating func next() throws(VideoError) -> VideoFrame? {
    if let failure { throw failure }
    do throws(VideoError) {
      return try readFrame()
    } catch {
      if !error.concernsOneFrame { failure = error }
      throw error
    }
  }

  private mutating func readFrame() throws(VideoError) -> VideoFrame? {
    switch try finder.next() {
    case .end: return nil
    case .notJPEG: throw .notMotionJPEG
    case .stray(let count, let offset): throw .strayBytes(count: count, offset: offset)
    case .cut: throw .cut(frame: frames)
    case .tooLarge: throw .frameTooLarge(frame: frames)
    case .damaged(let reason):
      defer { frames += 1 }
      throw .damagedFrame(frame: frames, reason)
    case .file(let bytes):
      defer { frames += 1 }
      return try VideoFrame(jpeg: bytes, number: frames, time: rate.time(ofFrame: frames))
    }
  }
}

extension VideoFrame {
  /// Decodes a frame that is a JPEG.
  init(jpeg bytes: [UInt8], number: Int, time: Duration) throws(VideoError) {
    do throws(ImageFileError) {
      let image = try DecodedImage(bytes)
      self.init(width: image.width, height: image.height, pixels: image.pixels, time: time)
    } catch {
      throw VideoError(error, frame: number)
    }
  }
}
