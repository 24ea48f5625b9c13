// SPDX-License-Identifier: Apache-2.0

import CVideo4Linux
import Glibc

/// The memory that a device fills with frames.
@safe final class MappedBuffers {
  /// What the device has put into a buffer.
  struct Filled {
    let bytes: [UInt8]
    let isDamaged: Bool
    /// Nil where the driver uses another clock.
    let time: Duration?
  }

  private let node: DeviceNode
  private var memory: [UnsafeRawBufferPointer] = unsafe []
  private static let wanted: UInt32 = 4

  /// Maps buffers and lets the device fill them.
  init(_ node: DeviceNode) throws(VideoError) {
    self.node = node
    var count = Self.wanted
    let error = unsafe cvideo_request_buffers(node.descriptor, &count)
    guard error == 0 else { throw node.failure("give buffers", error) }
    guard count > 0 else { throw node.failure("give buffers", ENOMEM) }
    for index in 0..<count {
      try map(index)
      try queue(index)
    }
    let started = cvideo_start(node.descriptor)
    guard started == 0 else { throw node.failure("start", started) }
  }

  /// Ends the filling before the memory goes; the device is closed after.
  deinit {
    _ = cvideo_stop(node.descriptor)
    for index in unsafe memory.indices {
      let buffer = unsafe memory[index]
      unsafe munmap(UnsafeMutableRawPointer(mutating: buffer.baseAddress), buffer.count)
    }
  }

  private func map(_ index: UInt32) throws(VideoError) {
    var (offset, length): (UInt32, UInt32) = (0, 0)
    let error = unsafe cvideo_query_buffer(node.descriptor, index, &offset, &length)
    guard error == 0 else { throw node.failure("describe its buffers", error) }
    let start = unsafe mmap(
      nil, Int(length), PROT_READ | PROT_WRITE, MAP_SHARED, node.descriptor, off_t(offset))
    guard let start = unsafe start, unsafe start != MAP_FAILED else {
      throw node.failure("share its buffers", errno)
    }
    unsafe memory.append(UnsafeRawBufferPointer(start: start, count: Int(length)))
  }

  private func queue(_ index: UInt32) throws(VideoError) {
    let error = cvideo_queue(node.descriptor, index)
    guard error == 0 else { throw node.failure("take a buffer back", error) }
  }

  /// The newest filled buffer, which the device gets back, as it does older ones; nil of none.
  func takeNewest() throws(VideoError) -> Filled? {
    var newest: cvideo_filled?
    for _ in unsafe memory.indices {
      guard let filled = try dequeue() else { break }
      if let newest { try queue(newest.index) }
      newest = filled
    }
    guard let newest else { return nil }
    let filled = copy(newest)
    try queue(newest.index)
    return filled
  }

  private func dequeue() throws(VideoError) -> cvideo_filled? {
    var filled = cvideo_filled()
    switch unsafe cvideo_dequeue(node.descriptor, &filled) {
    case 0: break
    case EAGAIN: return nil
    case let error: throw node.failure("give a frame", error)
    }
    guard unsafe Int(filled.index) < memory.count else {
      throw node.failure("give a frame", EPROTO)
    }
    return filled
  }

  private func copy(_ filled: cvideo_filled) -> Filled {
    let buffer = unsafe memory[Int(filled.index)]
    let bytes = unsafe [UInt8](buffer.prefix(Int(filled.bytes)))
    let time: Duration = .seconds(filled.seconds) + .microseconds(filled.microseconds)
    return Filled(
      bytes: bytes, isDamaged: filled.is_damaged != 0, time: filled.is_monotonic != 0 ? time : nil)
  }
}
