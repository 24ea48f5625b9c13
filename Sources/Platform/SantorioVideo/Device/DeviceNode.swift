// SPDX-License-Identifier: Apache-2.0

import CVideo4Linux
import Glibc

/// An opened device of V4L2.
final class DeviceNode {
  let descriptor: Int32
  let path: String

  /// Opens a device that gives pictures through mapped buffers.
  init(path: String) throws(VideoError) {
    self.path = path
    descriptor = try Self.open(path)
    var capabilities: UInt32 = 0
    let error = unsafe cvideo_capabilities(descriptor, &capabilities)
    guard error == 0 else { throw .notVideoDevice(path: path) }
    try Self.check(capabilities, path)
  }

  deinit { close(descriptor) }

  private static func open(_ path: String) throws(VideoError) -> Int32 {
    guard !path.utf8.contains(0) else { throw .cannotOpen(path: path, code: ENOENT) }
    // Opening other kinds of files may wait, or do something.
    var facts = stat()
    guard unsafe stat(path, &facts) == 0 else { throw .cannotOpen(path: path, code: errno) }
    guard facts.st_mode & S_IFMT == S_IFCHR else { throw .notVideoDevice(path: path) }
    var result: Int32
    repeat {
      result = unsafe Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    } while result < 0 && errno == EINTR
    guard result >= 0 else {
      throw errno == EBUSY ? .busy(path: path) : .cannotOpen(path: path, code: errno)
    }
    return result
  }

  /// Whether a device can do what is needed.
  static func check(_ capabilities: UInt32, _ path: String) throws(VideoError) {
    // V4L2_CAP_VIDEO_CAPTURE, _VIDEO_CAPTURE_MPLANE and _STREAMING.
    let (capture, planes, streaming): (UInt32, UInt32, UInt32) = (0x1, 0x1000, 0x0400_0000)
    guard capabilities & (capture | planes) != 0 else { throw .notVideoDevice(path: path) }
    guard capabilities & capture != 0, capabilities & streaming != 0 else {
      throw .otherDevice(path: path)
    }
  }

  /// The error of a request that has failed.
  func failure(_ what: String, _ code: Int32) -> VideoError {
    switch code {
    case ENODEV: .disconnected(path: path)
    case EBUSY: .busy(path: path)
    default: .deviceFailed(path: path, what, code: code)
    }
  }
}
