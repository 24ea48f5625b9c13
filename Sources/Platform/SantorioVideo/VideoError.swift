// SPDX-License-Identifier: Apache-2.0

import SantorioImages

/// Why a video gives no frame, or none any more.
package enum VideoError: Error, Hashable, Sendable {
  // Files, pipes and devices.

  /// A file or a device cannot be opened; with the system's number of the error.
  case cannotOpen(path: String, code: Int32)
  /// A file or a pipe cannot be read; with the system's number of the error.
  case cannotRead(path: String, code: Int32)
  /// The stream ends within a frame; with the number of the frame, the first being 0.
  case cut(frame: Int)
  /// One picture has more than ``DecodedImage/mostPixels``, or no pixels.
  case wrongSize(width: Int, height: Int)

  // YUV4MPEG2.

  /// It is not YUV4MPEG2, or its first line is wrong; with what is wrong.
  case wrongHeader(String)
  /// The line before a frame is wrong; with the number of the frame and what is wrong.
  case wrongFrameHeader(frame: Int, String)
  /// The pixels are of a kind that is not read; with its name.
  case otherPixels(String)
  /// Its pictures are made of two fields each.
  case interlaced

  // Motion JPEG.

  /// It does not begin with a JPEG.
  case notMotionJPEG
  /// One JPEG is larger than ``MJPEGStream/mostBytes``.
  case frameTooLarge(frame: Int)
  /// One frame is damaged, and is skipped; with its number and what is wrong.
  case damagedFrame(frame: Int, String)
  /// There is something else between two frames, and it is skipped; with its size and place.
  case strayBytes(count: Int, offset: Int)

  // Devices.

  /// It is no device that gives pictures.
  case notVideoDevice(path: String)
  /// It gives pictures, but not through mapped buffers of one part.
  case otherDevice(path: String)
  /// It has none of the pixel formats that are read; with the names of those that it has.
  case noFormat(path: String, offered: [String])
  /// A program uses it already.
  case busy(path: String)
  /// It does not do what it must; with what that is and the system's number of the error.
  case deviceFailed(path: String, String, code: Int32)
  /// It gave no frame within the time-out.
  case timedOut(path: String, Duration)
  /// It is no longer there.
  case disconnected(path: String)

  /// Whether only one frame is lost: the next call gives what follows it.
  package var concernsOneFrame: Bool {
    switch self {
    case .damagedFrame, .strayBytes: true
    default: false
    }
  }
}

extension VideoError {
  /// The error of a frame whose JPEG cannot be decoded.
  init(_ error: ImageFileError, frame: Int) { self = .damagedFrame(frame: frame, "\(error)") }
}
