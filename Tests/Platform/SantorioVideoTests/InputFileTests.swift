// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SantorioVideo

/// Writes bytes into a FIFO, some at a time, and closes it.
private func write(_ bytes: [UInt8], toFIFO path: String, pieces: Int) {
  Thread.detachNewThread {
    let descriptor = unsafe open(path, O_WRONLY)
    // A write into a FIFO that no one reads any more would end the process.
    let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
    defer {
      close(descriptor)
      close(reader)
    }
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      let piece = Array(bytes[start..<min(start + pieces, bytes.count)])
      guard unsafe Glibc.write(descriptor, piece, piece.count) == piece.count else { return }
    }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `An opened video` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func fifo(_ bytes: [UInt8], pieces: Int) throws -> String {
    let path = folder.path("fifo")
    try #require(unsafe mkfifo(path, 0o600) == 0)
    write(bytes, toFIFO: path, pieces: pieces)
    return path
  }

  @Test(arguments: [1, 11, 4_096])
  func `may be a FIFO of YUV4MPEG2`(_ pieces: Int) throws {
    let bytes =
      Array("YUV4MPEG2 W3 H1 F1:1 Cmono XCOLORRANGE=FULL\n".utf8) + Picture.frameLine + [1, 2, 3]
      + Picture.frameLine + [4, 5, 6]
    var stream = try Y4MStream(path: fifo(bytes, pieces: pieces))
    #expect(try stream.next()?.pixels == [1, 2, 3])
    #expect(try stream.next()?.pixels == [4, 5, 6])
    #expect(try stream.next() == nil)
  }

  @Test(arguments: [7, 4_096])
  func `may be a FIFO of Motion JPEG`(_ pieces: Int) throws {
    let bytes = try Picture.noise() + Picture.even(99)
    var stream = try MJPEGStream(path: fifo(bytes, pieces: pieces))
    #expect(try stream.next()?.width == 48)
    #expect(try stream.next()?.width == 16)
    #expect(try stream.next() == nil)
  }

  @Test func `that a writer leaves in the middle of a frame is cut`() throws {
    let bytes = try Picture.even(99)
    var stream = try MJPEGStream(path: fifo(bytes.dropLast(), pieces: 4_096))
    #expect(throws: VideoError.cut(frame: 0)) { try stream.next() }
  }

  @Test func `may be a file`() throws {
    let path = folder.path("video")
    try Data(Picture.even(99) + Picture.even(98)).write(to: URL(fileURLWithPath: path))
    var stream = try MJPEGStream(path: path)
    #expect(stream.rest().count == 2)
  }

  @Test func `has to be there`() {
    let path = folder.path("none")
    #expect(throws: VideoError.cannotOpen(path: path, code: ENOENT)) { try Y4MStream(path: path) }
    #expect(throws: VideoError.cannotOpen(path: path, code: ENOENT)) {
      try MJPEGStream(path: path)
    }
    #expect(throws: VideoError.cannotOpen(path: "/dev/null\0", code: ENOENT)) {
      try Y4MStream(path: "/dev/null\0")
    }
  }

  @Test func `is no folder`() {
    let path = folder.url.path
    #expect(throws: VideoError.cannotRead(path: path, code: EISDIR)) { try Y4MStream(path: path) }
  }
}
