// SPDX-License-Identifier: Apache-2.0

/// The frames of YUV4MPEG2 with 8 bits, as ffmpeg writes it for `.y4m`.
///
/// Values of limited range are stretched to 0 to 255 unless the file says XCOLORRANGE=FULL.
/// Interlaced video is an error. Copies of a stream read the same file in turns.
package struct Y4MStream: VideoSource {
  private let reader: ByteReader
  private let header: Y4MHeader
  private var frames = 0
  private var failure: VideoError?
  private static let frameMagic = Array("FRAME".utf8)

  /// Columns and rows of each frame.
  package var width: Int { header.width }
  package var height: Int { header.height }
  /// What the file says, or else ``FrameRate/unstated``.
  package var rate: FrameRate { header.rate ?? .unstated }

  /// Opens a file, a FIFO, or standard input for `-`, and waits for its first line.
  package init(path: String) throws(VideoError) { try self.init(ByteReader(path: path)) }

  init(_ reader: ByteReader) throws(VideoError) {
    self.reader = reader
    var line: [UInt8] = []
    guard try reader.read(through: 0x0A, most: Y4MHeader.mostBytes, into: &line) else {
      guard !line.isEmpty else { throw .wrongHeader("it is empty") }
      // Whether it is cut or another kind of file.
      guard line.starts(with: Y4MHeader.magic) || Y4MHeader.magic.starts(with: line) else {
        throw .wrongHeader("it does not begin with YUV4MPEG2")
      }
      guard line.count < Y4MHeader.mostBytes else {
        throw .wrongHeader("its first line has more than \(Y4MHeader.mostBytes) bytes")
      }
      throw .wrongHeader("it ends in its first line")
    }
    header = try Y4MHeader(line: line.dropLast())
  }

  /// Waits for the next frame; nil at the end.
  ///
  /// - Throws: ``VideoError``, again at each further call.
  package mutating func next() throws(VideoError) -> VideoFrame? {
    if let failure { throw failure }
    do throws(VideoError) {
      return try readFrame()
    } catch {
      failure = error
      throw error
    }
  }

  private mutating func readFrame() throws(VideoError) -> VideoFrame? {
    guard try readFrameHeader() else { return nil }
    let count = width * height
    var pixels: [UInt8] = []
    pixels.reserveCapacity(count)
    try reader.read(count, into: &pixels)
    guard pixels.count == count, try reader.skip(header.colorCount) else {
      throw .cut(frame: frames)
    }
    if !header.isFullRange { Brightness.stretch(&pixels) }
    defer { frames += 1 }
    return VideoFrame(
      width: width, height: height, pixels: pixels, time: rate.time(ofFrame: frames))
  }

  /// Reads `FRAME`, parameters that say nothing about brightness, and the line's end.
  private func readFrameHeader() throws(VideoError) -> Bool {
    var line: [UInt8] = []
    try reader.read(Self.frameMagic.count, into: &line)
    if line.isEmpty { return false }
    guard Self.frameMagic.starts(with: line) else {
      throw .wrongFrameHeader(frame: frames, "the word FRAME is missing")
    }
    let isWhole = try reader.read(through: 0x0A, most: Y4MHeader.mostBytes, into: &line)
    guard line.count <= Self.frameMagic.count || [0x0A, 0x20].contains(line[Self.frameMagic.count])
    else { throw .wrongFrameHeader(frame: frames, "the word FRAME is missing") }
    if isWhole { return true }
    guard line.count < Self.frameMagic.count + Y4MHeader.mostBytes else {
      throw .wrongFrameHeader(
        frame: frames, "its line has more than \(Y4MHeader.mostBytes) bytes")
    }
    throw .cut(frame: frames)
  }
}
