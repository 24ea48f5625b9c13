// SPDX-License-Identifier: Apache-2.0

package import Foundation
import SantorioConcurrency

/// A TCP server that reads one request a connection and answers byte by byte as a test says.
package final class FaultServer: Sendable {
  /// An accepted connection, after its request was read.
  package struct Connection: Sendable {
    package let descriptor: Int32
    /// The request as it came.
    package let request: String

    package func write(_ text: String) {
      let bytes = Array(text.utf8)
      _ = unsafe bytes.withUnsafeBytes {
        unsafe send(descriptor, $0.baseAddress, $0.count, 0x4000)
      }
    }

    /// Blocks until the client gives up.
    package func waitForEnd() {
      var byte: UInt8 = 0
      while unsafe recv(descriptor, &byte, 1, 0) > 0 {}
    }

    /// Ends the connection with a reset instead of an orderly end.
    package func reset() {
      var option = linger(l_onoff: 1, l_linger: 0)
      unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
  }

  package let port: UInt16
  private let listener: Int32
  private let requests = Locked<[String]>([])

  /// The requests read so far.
  package var received: [String] { requests.withLock { $0 } }

  /// An address on the server, of path `/x`.
  package var url: URL { Self.url(port: port).appendingPathComponent("x") }

  /// Answers each connection by `answer`, on a thread of its own, then closes it.
  package init(_ answer: @escaping @Sendable (Connection) -> Void) throws {
    (listener, port) = try Self.listeningSocket()
    let (listener, requests) = (listener, requests)
    Thread {
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { break }
        Thread {
          let request = Self.readRequest(descriptor)
          requests.withLock { $0.append(request) }
          answer(Connection(descriptor: descriptor, request: request))
          close(descriptor)
        }.start()
      }
      // By who accepts: a number that is free again may become another server's.
      close(listener)
    }.start()
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// The address of a port of this machine.
  static func url(port: UInt16) -> URL {
    URL(string: "http://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/")
  }

  /// Opens a socket that listens, on a port of its own.
  package static func listeningSocket() throws -> (listener: Int32, port: UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound, listen(listener, 512) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  private static func readRequest(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let length = text.lowercased().range(of: "content-length: ").flatMap { start in
          Int(text[start.upperBound...].prefix { $0.isNumber })
        }
        if text[end.upperBound...].utf8.count >= length ?? 0 { return text }
      }
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return text }
      bytes += buffer[..<count]
      if bytes[0] == 0x16 { return String(decoding: bytes, as: UTF8.self) }  // TLS says hello
    }
  }
}

/// A TCP server that never reads: connections come about, and what is sent stays on its way.
package final class SilentServer: Sendable {
  package let port: UInt16
  private let listener: Int32

  package var url: URL { FaultServer.url(port: port) }

  package init() throws { (listener, port) = try FaultServer.listeningSocket() }

  deinit { close(listener) }
}
