// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// Socket files: Unix stream and datagram sockets that have a path.
///
/// A path that exceeds the 107 bytes of a socket address is reached through `/proc/self/fd`, where
/// its folder has a short name while a call runs.
package enum SocketFile {
  /// Why a path cannot be used.
  package enum Failure: Error, Hashable {
    /// The folder cannot be opened, with the number of the system's error.
    case folder(String, errno: Int32)
    /// The name of the file alone is too long.
    case nameTooLong(String)
  }

  private static let room = 107

  /// Calls `body` with a path of the socket that fits into an address.
  ///
  /// - Parameters:
  ///   - path: The path of the socket file, whose folder must exist.
  ///   - body: Gets the path, which is valid while it runs.
  /// - Returns: What `body` returns.
  /// - Throws: ``Failure`` when the folder cannot be opened, or the name itself is too long.
  package static func withShortPath<Result>(
    _ path: String, _ body: (String) -> Result
  ) throws(Failure) -> Result {
    guard path.utf8.count > room else { return body(path) }
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let folder = String(path[..<end])
    let name = path[end...].drop { $0 == "/" }
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .folder(folder, errno: errno) }
    defer { close(descriptor) }
    let short = "/proc/self/fd/\(descriptor)/\(name)"
    guard short.utf8.count <= room else { throw .nameTooLong(path) }
    return body(short)
  }

  /// Calls `body` with the socket address of a path that is short enough.
  ///
  /// - Parameters:
  ///   - path: The path; one that begins with `@` is a name outside of the file system.
  ///   - body: Gets the address, which is valid while it runs, and its size.
  /// - Returns: What `body` returns.
  package static func withAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let isAbstract = path.hasPrefix("@")
    var bytes = Array(path.utf8.prefix(Self.room))
    // unix(7): the name begins with a zero, and ends with the address.
    if isAbstract { bytes[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      unsafe room.copyBytes(from: bytes)
    }
    let whole = MemoryLayout<sockaddr_un>.size
    let size = isAbstract ? whole - 108 + bytes.count : whole
    return unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(size))
      }
    }
  }

  /// Binds a socket to a path; the file has its final permissions from the start.
  ///
  /// A socket file without a listener, which a killed program left behind, is replaced; any other
  /// file is left alone.
  ///
  /// - Parameters:
  ///   - descriptor: The socket.
  ///   - path: The path of the file.
  ///   - mode: The permissions of the file.
  /// - Returns: Whether it is bound; if not, `errno` has the reason, `EADDRINUSE` when the path is
  ///   in use.
  /// - Throws: ``Failure``.
  package static func bind(
    _ descriptor: Int32, to path: String, mode: mode_t
  ) throws(Failure) -> Bool {
    try withShortPath(path) { short in
      unsafe withAddress(short) { address, size in
        // The file gets the mode of the socket, reduced by the umask.
        fchmod(descriptor, mode)
        var isBound = unsafe Glibc.bind(descriptor, address, size) == 0
        if !isBound, errno == EADDRINUSE, unsafe isAbandoned(short, address, size) {
          unsafe unlink(short)
          isBound = unsafe Glibc.bind(descriptor, address, size) == 0
        }
        if isBound { unsafe chmod(short, mode) }
        return isBound
      }
    }
  }

  /// Connects a socket to a path.
  ///
  /// - Parameters:
  ///   - descriptor: The socket.
  ///   - path: The path of the file.
  /// - Returns: Whether it is connected; if not, `errno` has the reason.
  /// - Throws: ``Failure``.
  package static func connect(
    _ descriptor: Int32, to path: String
  ) throws(Failure) -> Bool {
    try withShortPath(path) { short in
      unsafe withAddress(short) { unsafe Glibc.connect(descriptor, $0, $1) == 0 }
    }
  }

  /// Whether a file is a socket without a listener; `errno` is preserved.
  @unsafe private static func isAbandoned(
    _ path: String, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
  ) -> Bool {
    let reason = errno
    defer { errno = reason }
    var facts = stat()
    // Connecting to a file that is not a socket is refused, too.
    guard unsafe lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFSOCK else { return false }
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard probe >= 0 else { return false }
    defer { Glibc.close(probe) }
    return unsafe Glibc.connect(probe, address, size) != 0 && errno == ECONNREFUSED
  }

  /// What tells whether a path still is the same file.
  package struct Identity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// The identity of the file at a path, which is not followed; nil when there is none.
    ///
    /// - Parameter path: The path.
    package init?(_ path: String) {
      var facts = stat()
      guard unsafe lstat(path, &facts) == 0 else { return nil }
      (device, inode) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
    }
  }

  /// Removes the file at a path if it is still the given one.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - identity: What it was when it was bound.
  package static func remove(_ path: String, if identity: Identity?) {
    guard let identity, Identity(path) == identity else { return }
    unsafe unlink(path)
  }
}
