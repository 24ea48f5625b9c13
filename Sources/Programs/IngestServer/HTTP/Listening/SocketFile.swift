// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The address of a socket file, even if its path exceeds the 107 bytes of a socket address.
///
/// A long path is reached through `/proc/self/fd`, where its folder has a short name while `body`
/// runs.
package enum SocketFile {
  private static let room = 107

  /// Calls `body` with a path of the socket that fits into an address.
  ///
  /// - Parameters:
  ///   - path: The path of the socket file, whose folder must exist.
  ///   - body: Gets the path, which is valid while it runs.
  /// - Returns: What `body` returns.
  /// - Throws: ``IngestError`` when the folder cannot be opened, or the name itself is too long.
  package static func withShortPath<Result>(
    _ path: String, _ body: (String) -> Result
  ) throws(IngestError) -> Result {
    guard path.utf8.count > room else { return body(path) }
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let folder = String(path[..<end])
    let name = path[end...].drop { $0 == "/" }
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw IngestError(
        .cannotListen, "cannot open the folder \(folder) of a socket; it must exist",
        cause: unsafe String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    let short = "/proc/self/fd/\(descriptor)/\(name)"
    guard short.utf8.count <= room else {
      throw IngestError(
        .cannotListen, "the name of the socket \(path) is too long; choose a shorter one")
    }
    return body(short)
  }

  /// Calls `body` with the socket address of a path that is short enough.
  static func withAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      unsafe room.copyBytes(from: path.utf8.prefix(Self.room))
    }
    return unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
