// SPDX-License-Identifier: Apache-2.0

import CZlib

/// The gzip form of bytes (RFC 1952), by zlib.
package enum Gzip {
  /// Compresses bytes.
  ///
  /// - Parameter bytes: What to compress.
  /// - Returns: The gzip form; nil when zlib has no memory.
  package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = unsafe z_stream()
    guard unsafe czlib_deflate_init(&stream, Z_DEFAULT_COMPRESSION) == Z_OK else { return nil }
    defer { unsafe deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: unsafe Int(deflateBound(&stream, UInt(bytes.count))))
    let code = unsafe run(&stream, bytes[...], into: &output) { stream in
      unsafe deflate(&stream, Z_FINISH)
    }
    guard code == Z_STREAM_END else { return nil }
    return Array(output.prefix(unsafe Int(stream.total_out)))
  }

  /// The expanded size that a gzip member claims in its last four bytes (RFC 1952 §2.3.1).
  ///
  /// - Parameter bytes: One gzip member.
  /// - Returns: The claimed size, which need not be true; nil when the bytes are too short.
  package static func claimedSize(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 18 else { return nil }
    return bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Expands bytes to no more than a limit, so that a small body cannot become a huge one.
  ///
  /// Memory is used up to the claimed size, and no more than the limit.
  ///
  /// - Parameters:
  ///   - bytes: One gzip member, and nothing after it.
  ///   - limit: The most bytes that the result may have.
  /// - Returns: The expanded bytes.
  /// - Throws: ``GzipError``.
  package static func expand(_ bytes: [UInt8], limit: Int) throws(GzipError) -> [UInt8] {
    guard let claim = claimedSize(bytes) else { throw try check(bytes, limit: limit) }
    // One byte more than claimed, so that a member that claims too little is not taken as complete.
    guard claim <= limit else { throw try check(bytes, limit: limit) }
    var stream = unsafe z_stream()
    guard unsafe czlib_inflate_init(&stream) == Z_OK else { throw .outOfMemory }
    defer { unsafe inflateEnd(&stream) }
    var result = [UInt8](repeating: 0, count: claim + 1)
    let code = unsafe run(&stream, bytes[...], into: &result) { stream in
      unsafe inflate(&stream, Z_FINISH)
    }
    guard code == Z_STREAM_END, unsafe stream.avail_in == 0 else {
      throw try check(bytes, limit: limit)
    }
    let size = unsafe Int(stream.total_out)
    result.removeLast(result.count - size)
    return result
  }

  /// Finds out why bytes cannot be expanded, without keeping what they expand to.
  private static func check(_ bytes: [UInt8], limit: Int) throws(GzipError) -> GzipError {
    let expansion = try GzipExpansion(stepSize: 64 << 10)
    expansion.take(bytes)
    var size = 0
    while true {
      switch try expansion.step() {
      case .bytes(let part):
        size += part.count
        guard size <= limit else { throw .tooLarge }
      case .needsInput: throw .truncated
      // Not reached: zlib compares the length at the end.
      case .end: throw .malformed
      }
    }
  }

  /// Lets zlib read from `input` and write to `output` once.
  static func run(
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

/// Why bytes cannot be expanded.
package enum GzipError: Error, Hashable, Sendable {
  /// They are not gzip, or other bytes follow the member.
  case malformed
  /// They end before the end of the gzip member.
  case truncated
  /// The result would be larger than allowed.
  case tooLarge
  /// zlib has no memory.
  case outOfMemory
}
