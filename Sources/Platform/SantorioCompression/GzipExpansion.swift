// SPDX-License-Identifier: Apache-2.0

import CZlib

/// Expands gzip that arrives in parts, into parts of a bounded size.
@safe package final class GzipExpansion {
  /// The result of a step.
  package enum Step: Hashable, Sendable {
    /// Some bytes; more may follow from the same input.
    case bytes([UInt8])
    /// All input is used up.
    case needsInput
    /// The gzip is complete.
    case end
  }

  // zlib stores the address of its stream, so the stream must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var input: ArraySlice<UInt8> = []
  private var hasEnded = false
  private var buffer: [UInt8]

  /// Prepares an expansion that produces at most `stepSize` bytes in a step.
  ///
  /// - Throws: ``GzipError/outOfMemory``.
  package init(stepSize: Int = 256 << 10) throws(GzipError) {
    buffer = [UInt8](repeating: 0, count: max(1, stepSize))
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe czlib_inflate_init(stream) == Z_OK else { throw .outOfMemory }
  }

  // zlib ignores a stream that was not prepared.
  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Whether the gzip is complete.
  package var isComplete: Bool { hasEnded }

  /// Takes the next part of the input; the one before must be used up.
  package func take(_ part: [UInt8]) { input = part[...] }

  /// Expands some more.
  ///
  /// - Throws: ``GzipError`` when the input is not gzip, or other bytes follow the member.
  package func step() throws(GzipError) -> Step {
    while !hasEnded, !input.isEmpty {
      let before = input.count
      let code = unsafe Gzip.run(&stream.pointee, input, into: &buffer) { stream in
        unsafe inflate(&stream, Z_NO_FLUSH)
      }
      let written = unsafe buffer.count - Int(stream.pointee.avail_out)
      input = unsafe input.suffix(Int(stream.pointee.avail_in))
      switch code {
      case Z_STREAM_END: hasEnded = true
      case Z_OK where written > 0 || input.count < before: break
      case Z_MEM_ERROR: throw .outOfMemory
      default: throw .malformed
      }
      if written > 0 { return .bytes(Array(buffer.prefix(written))) }
    }
    guard hasEnded else { return .needsInput }
    guard input.isEmpty else { throw .malformed }
    return .end
  }
}
