// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads small files that hold a token or a key.
package enum SecretFile {
  /// Why a file was not read.
  package enum Failure: Error, Hashable {
    /// It cannot be opened, with the number of the system's error; a link is not followed.
    case unopened(errno: Int32)
    /// Its mode has one of the refused bits.
    case exposed
    /// It is empty or cannot be read.
    case empty
  }

  private static let longest = 8192

  /// Reads a file unless its mode has one of the refused bits.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - bits: The bits of its mode, for instance `0o077`: all that others than its owner may do.
  /// - Returns: The first 8,192 bytes.
  /// - Throws: ``Failure``.
  package static func read(_ path: String, refusing bits: UInt32) throws(Failure) -> [UInt8] {
    // A pipe without a writer would be waited for.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unopened(errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, UInt32(status.st_mode) & bits == 0 else {
      throw .exposed
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .empty }
    var bytes = [UInt8](repeating: 0, count: longest)
    let count = unsafe readOnce(descriptor, &bytes, bytes.count)
    guard count > 0 else { throw .empty }
    return Array(bytes.prefix(count))
  }

  /// `read` of the C library, which the method above hides.
  private static func readOnce(
    _ descriptor: Int32, _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int
  ) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.read(descriptor, bytes, count)
    #else
      unsafe Darwin.read(descriptor, bytes, count)
    #endif
  }
}
