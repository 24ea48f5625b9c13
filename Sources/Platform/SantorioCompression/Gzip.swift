// SPDX-License-Identifier: Apache-2.0

import CZlib

/// The gzip form of octets (RFC 1952), by zlib.
package enum Gzip {
  /// Compresses octets.
  ///
  /// - Parameter octets: What to compress.
  /// - Returns: The gzip form; nil when zlib has no memory.
  package static func compress(_ octets: [UInt8]) -> [UInt8]? {
    var stream = unsafe z_stream()
    guard unsafe czlib_deflate_init(&stream, Z_DEFAULT_COMPRESSION) == Z_OK else { return nil }
    defer { unsafe deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: unsafe Int(deflateBound(&stream, UInt(octets.count))))
    let code = unsafe run(&stream, octets[...], into: &output) { stream in
      unsafe deflate(&stream, Z_FINISH)
    }
    guard code == Z_STREAM_END else { return nil }
    return Array(output.prefix(unsafe Int(stream.total_out)))
  }

  /// Expands octets to no more than a limit, so that a small body cannot become a huge one.
  ///
  /// - Parameters:
  ///   - octets: One gzip member, and nothing after it.
  ///   - limit: The most octets that the result may have.
  /// - Returns: The expanded octets.
  /// - Throws: ``GzipError``.
  package static func expand(_ octets: [UInt8], limit: Int) throws(GzipError) -> [UInt8] {
    var stream = unsafe z_stream()
    guard unsafe czlib_inflate_init(&stream) == Z_OK else { throw .outOfMemory }
    defer { unsafe inflateEnd(&stream) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var rest = octets[...]
    while true {
      let code = unsafe run(&stream, rest, into: &buffer) { stream in
        unsafe inflate(&stream, Z_NO_FLUSH)
      }
      let written = unsafe buffer.count - Int(stream.avail_out)
      rest = unsafe rest.suffix(Int(stream.avail_in))
      guard result.count + written <= limit else { throw .tooLarge }
      result += buffer.prefix(written)
      switch code {
      case Z_STREAM_END:
        guard rest.isEmpty else { throw .malformed }
        return result
      case Z_OK where written > 0 || !rest.isEmpty: continue
      case Z_OK, Z_BUF_ERROR: throw .truncated
      case Z_MEM_ERROR: throw .outOfMemory
      default: throw .malformed
      }
    }
  }

  /// Lets zlib read from `input` and write to `output` once.
  private static func run(
    _ stream: inout z_stream, _ input: ArraySlice<UInt8>, into output: inout [UInt8],
    _ step: (inout z_stream) -> Int32
  ) -> Int32 {
    unsafe input.withUnsafeBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { target in
        unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        unsafe stream.avail_in = UInt32(source.count)
        unsafe stream.next_out = target.baseAddress
        unsafe stream.avail_out = UInt32(target.count)
        return unsafe step(&stream)
      }
    }
  }
}

/// Why octets cannot be expanded.
package enum GzipError: Error, Hashable, Sendable {
  /// They are no gzip, or something follows it.
  case malformed
  /// They end before the gzip does.
  case truncated
  /// The result would be larger than allowed.
  case tooLarge
  /// zlib has no memory.
  case outOfMemory
}
