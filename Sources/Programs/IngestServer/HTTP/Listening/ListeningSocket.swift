// SPDX-License-Identifier: Apache-2.0

import CMicrohttpd
import Glibc
import SantorioConcurrency
import SantorioSockets

/// A socket that clients connect to.
final class ListeningSocket: Sendable {
  let address: ListenAddress
  let descriptor: Int32
  /// The port that the socket listens on; 0 for a socket file.
  let port: UInt16
  /// The identity of the created socket file, to check on closing that it is still the same.
  private let file: SocketFile.Identity?
  private let isOpen = Locked(true)

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - port: The port, if the address has none of its own; 0 for any free port.
  ///   - mode: The permissions of a socket file.
  /// - Throws: ``IngestError`` of code `cannot_listen`.
  init(
    _ address: ListenAddress, port: UInt16, mode: mode_t = 0o600
  ) throws(IngestError) {
    self.address = address
    descriptor = try Self.open(address)
    do throws(IngestError) {
      try Self.bind(descriptor, address, address.port ?? port, mode)
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    self.port = address.isInternet ? Self.boundPort(descriptor) : 0
    file = address.path.flatMap(SocketFile.Identity.init)
  }

  deinit { close() }

  /// Stops listening, and removes the socket file if it is still the created one.
  func close() {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    guard wasOpen else { return }
    Glibc.close(descriptor)
    if let path = address.path { SocketFile.remove(path, if: file) }
  }

  /// Accepts a waiting connection; nil if there is none, with the reason in `errno`.
  func accept() -> (descriptor: Int32, address: sockaddr_storage, size: socklen_t)? {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let connection = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe cmicrohttpd_accept(descriptor, $0, &size)
      }
    }
    guard connection >= 0 else { return nil }
    if self.address.isInternet { Self.boundUnsent(connection) }
    return (connection, address, size)
  }

  // MARK: - System calls

  private static func open(_ address: ListenAddress) throws(IngestError) -> Int32 {
    let family =
      switch address.kind {
      case .internet(_, let isIPv6, _): isIPv6 ? AF_INET6 : AF_INET
      case .unix: AF_UNIX
      }
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(family, type, 0)
    guard descriptor >= 0 else { throw failure(address.description) }
    return descriptor
  }

  private static func bind(
    _ descriptor: Int32, _ address: ListenAddress, _ port: UInt16, _ mode: mode_t
  ) throws(IngestError) {
    let isBound =
      switch address.kind {
      case .internet(let host, let isIPv6, _): bind(descriptor, host, isIPv6, port)
      case .unix(let path): try bind(descriptor, path, mode)
      }
    guard isBound, listen(descriptor, SOMAXCONN) == 0 else {
      throw failure(address.description(port: port))
    }
  }

  private static func bind(
    _ descriptor: Int32, _ host: String, _ isIPv6: Bool, _ port: UInt16
  ) -> Bool {
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if isIPv6 {
      // `::` accepts IPv4 as well; other IPv6 addresses do not.
      set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, ClientAddress(host)?.text == "::" ? 0 : 1)
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      unsafe inet_pton(AF_INET6, host, &address.sin6_addr)
      return unsafe bind(descriptor, &address)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    unsafe inet_pton(AF_INET, host, &address.sin_addr)
    return unsafe bind(descriptor, &address)
  }

  @unsafe private static func bind<Address>(
    _ descriptor: Int32, _ address: inout Address
  ) -> Bool {
    unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
      }
    }
  }

  private static func bind(
    _ descriptor: Int32, _ path: String, _ mode: mode_t
  ) throws(IngestError) -> Bool {
    do throws(SocketFile.Failure) {
      return try SocketFile.bind(descriptor, to: path, mode: mode)
    } catch {
      throw failure(error)
    }
  }

  /// Limits the unsent data in the kernel.
  ///
  /// The deadline of a response depends on how much was handed over.
  private static func boundUnsent(_ descriptor: Int32) {
    set(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 128 << 10)
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
    var value = value
    unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func boundPort(_ descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let port = unsafe withUnsafeMutablePointer(to: &storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe _ = getsockname(descriptor, $0, &size)
      }
      // The port is at the same offset in both address structures.
      return unsafe storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        unsafe $0.pointee.sin_port
      }
    }
    return UInt16(bigEndian: port)
  }

  private static func failure(_ failure: SocketFile.Failure) -> IngestError {
    switch failure {
    case .folder(let folder, let number):
      IngestError(
        .cannotListen, "cannot open the folder \(folder) of a socket; it must exist",
        cause: unsafe String(cString: strerror(number)))
    case .nameTooLong(let path):
      IngestError(
        .cannotListen, "the name of the socket \(path) is too long; choose a shorter one")
    }
  }

  private static func failure(_ place: String) -> IngestError {
    let reason = errno
    let remedy =
      switch reason {
      case EADDRINUSE: "choose another, or stop the program that uses it"
      case EADDRNOTAVAIL: "the machine has no such address"
      case EACCES, EPERM: "permission denied; ports below 1024 need a privilege"
      default: "choose another"
      }
    return IngestError(
      .cannotListen, "cannot listen on \(place); \(remedy)",
      cause: unsafe String(cString: strerror(reason)))
  }
}
