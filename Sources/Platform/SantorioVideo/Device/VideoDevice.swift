// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The frames of a camera (V4L2), from when it is opened until it is released.
///
/// Each call gives the newest frame; older ones that were not taken are dropped. A damaged frame is
/// thrown as ``VideoError/damagedFrame(frame:_:)``, and the next call gives the one behind. After
/// ``VideoError/timedOut(path:_:)`` a call may succeed again; after every other error the device
/// has to be opened anew.
package final class VideoDevice: VideoSource {
  /// Columns and rows of each frame, near to what was wanted; those of JPEGs may differ.
  package var width: Int { layout.width }
  package var height: Int { layout.height }
  /// The name of the pixel format: YUYV, NV12, GREY or MJPG.
  package var format: String { layout.format.name }
  /// The rate that the device was asked for; nil where the driver does not say its rates.
  package let rate: FrameRate?

  private let node: DeviceNode
  private let layout: PixelLayout
  private let buffers: MappedBuffers
  private let timeout: Duration
  private var frames = 0
  private var first: Duration?
  private var last = Duration.zero

  /// Opens a device and starts it.
  ///
  /// - Parameters:
  ///   - path: The device, for example `/dev/video0`.
  ///   - width: The wanted columns.
  ///   - height: The wanted rows; size matters before rate, and rate before the pixel format.
  ///   - rate: The wanted rate.
  ///   - timeout: How long to wait for one frame.
  /// - Throws: ``VideoError``.
  package init(
    path: String, width: Int = 1_280, height: Int = 720, rate: FrameRate = .reading,
    timeout: Duration = .seconds(10)
  ) throws(VideoError) {
    guard width > 0, height > 0 else { throw .wrongSize(width: width, height: height) }
    node = try DeviceNode(path: path)
    (layout, self.rate) = try node.setMode(width: width, height: height, rate: rate)
    buffers = try MappedBuffers(node)
    self.timeout = timeout
  }

  /// Waits for the next frame; a device never ends.
  package func next() throws(VideoError) -> VideoFrame? {
    let deadline = Self.now() + timeout
    while true {
      if let filled = try buffers.takeNewest() { return try frame(filled) }
      let left = deadline - Self.now()
      guard left > .zero else { throw .timedOut(path: node.path, timeout) }
      try wait(left)
    }
  }

  private func frame(_ filled: MappedBuffers.Filled) throws(VideoError) -> VideoFrame {
    let time = time(filled.time ?? Self.now())
    defer { frames += 1 }
    guard !filled.isDamaged else {
      throw .damagedFrame(frame: frames, "the device says that it is.")
    }
    if layout.format == .mjpeg {
      return try VideoFrame(jpeg: filled.bytes, number: frames, time: time)
    }
    guard let pixels = layout.brightness(of: filled.bytes) else {
      throw .damagedFrame(frame: frames, "the device has given \(filled.bytes.count) bytes only.")
    }
    return VideoFrame(width: width, height: height, pixels: pixels, time: time)
  }

  /// The time since the first frame, never back.
  private func time(_ moment: Duration) -> Duration {
    let start = first ?? moment
    first = start
    last = max(last, moment - start)
    return last
  }

  private func wait(_ time: Duration) throws(VideoError) {
    var waiting = pollfd(fd: node.descriptor, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(max(1, min(time / .milliseconds(1), 60_000)).rounded(.up))
    let count = unsafe poll(&waiting, 1, milliseconds)
    if count < 0, errno != EINTR { throw node.failure("wait for a frame", errno) }
    let lost = Int16(POLLERR | POLLHUP | POLLNVAL)
    guard count > 0, waiting.revents & lost != 0, waiting.revents & Int16(POLLIN) == 0 else {
      return
    }
    throw waiting.revents & Int16(POLLHUP) != 0
      ? .disconnected(path: node.path) : node.failure("give a frame", EIO)
  }

  private static func now() -> Duration {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
