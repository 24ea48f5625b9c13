// SPDX-License-Identifier: Apache-2.0

import Glibc
import HealthRecords
import SantorioSockets

@testable import IngestServer

/// An HTTP client of a few lines over a plain socket, so that tests decide each byte.
final class SocketClient {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  struct Reply {
    var status = 0
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }
    func json() throws -> JSONReader { try JSONReader(parsing: body) }
    /// The code of an error answer.
    func code() throws -> String { try json().member("error").member("code").string() }
  }

  private let descriptor: Int32
  private var received: [UInt8] = []

  // A server that only its clients use must live as long as they do.
  private let server: AnyObject?

  /// Connects to this machine's IPv4 address.
  convenience init(_ port: UInt16, keeping server: AnyObject? = nil) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    try self.init(AF_INET, keeping: server) { descriptor in
      unsafe Self.connect(descriptor, &address)
    }
  }

  /// Connects to this machine's IPv6 address.
  convenience init(IPv6 port: UInt16, keeping server: AnyObject? = nil) throws {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    try self.init(AF_INET6, keeping: server) { descriptor in
      unsafe Self.connect(descriptor, &address)
    }
  }

  /// Connects to a socket file.
  convenience init(socket path: String, keeping server: AnyObject? = nil) throws {
    try self.init(AF_UNIX, keeping: server) { descriptor in
      try SocketFile.connect(descriptor, to: path) ? 0 : -1
    }
  }

  private init(
    _ family: Int32, keeping server: AnyObject?, connect: (Int32) throws -> Int32
  ) throws {
    self.server = server
    descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var timeout = timeval(tv_sec: 240, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    guard try connect(descriptor) == 0 else { throw Failure(description: "connect: \(errno)") }
  }

  @unsafe private static func connect<Address>(
    _ descriptor: Int32, _ address: inout Address
  ) -> Int32 {
    unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  deinit { close(descriptor) }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.send(
          descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { throw Failure(description: "send: \(errno)") }
      rest = rest.dropFirst(sent)
    }
  }

  /// Sends a request without waiting for its answer.
  func start(
    _ method: String, _ path: String, token: String? = nil, type: String? = nil,
    headers: [String] = [], body: String? = nil
  ) throws {
    try start(
      method, path, token: token, type: type, headers: headers, bytes: body.map { Array($0.utf8) })
  }

  /// Sends a request of any bytes without waiting for its answer.
  func start(
    _ method: String, _ path: String, token: String? = nil, type: String? = nil,
    headers: [String] = [], bytes: [UInt8]?
  ) throws {
    var head = ["\(method) \(path) HTTP/1.1", "Host: test"] + headers
    if let token { head.append("Authorization: Bearer \(token)") }
    if let type { head.append("Content-Type: \(type)") }
    if let bytes { head.append("Content-Length: \(bytes.count)") }
    try send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (bytes ?? []))
  }

  /// Sends a request and waits for its answer.
  func request(
    _ method: String, _ path: String, token: String? = nil, type: String? = nil,
    headers: [String] = [], body: String? = nil
  ) throws -> Reply {
    try request(
      method, path, token: token, type: type, headers: headers, bytes: body.map { Array($0.utf8) })
  }

  /// Sends a request of any bytes and waits for its answer.
  func request(
    _ method: String, _ path: String, token: String? = nil, type: String? = nil,
    headers: [String] = [], bytes: [UInt8]?
  ) throws -> Reply {
    try start(method, path, token: token, type: type, headers: headers, bytes: bytes)
    return try reply(hasBody: method != "HEAD")
  }

  /// Reads one answer.
  func reply(hasBody: Bool = true) throws -> Reply {
    var reply = try head()
    guard hasBody else { return reply }
    if reply.headers["transfer-encoding"] == "chunked" {
      while let chunk = try chunk() { reply.body += chunk }
    } else {
      reply.body = try take(Int(reply.headers["content-length"] ?? "0") ?? 0)
    }
    return reply
  }

  /// Reads an answer's head.
  func head() throws -> Reply {
    let lines = try line(until: "\r\n\r\n").split(separator: "\r\n")
    var reply = Reply()
    reply.status = Int(lines[0].split(separator: " ")[1]) ?? 0
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      reply.headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
    }
    return reply
  }

  /// Reads one chunk of a chunked body; nil for the last.
  func chunk() throws -> [UInt8]? {
    guard let count = Int(try line(until: "\r\n"), radix: 16) else {
      throw Failure(description: "a chunk without length")
    }
    let bytes = try take(count)
    _ = try take(2)
    return count == 0 ? nil : bytes
  }

  /// Reads a chunked body until it contains a text; returns all of it.
  func stream(until text: String) throws -> String {
    var all = ""
    while !all.contains(text) {
      guard let chunk = try chunk() else { throw Failure(description: "the stream ended: \(all)") }
      all += String(decoding: chunk, as: UTF8.self)
    }
    return all
  }

  /// Reads a chunked body to its end.
  func streamToEnd() throws -> String {
    var all = ""
    while let chunk = try chunk() { all += String(decoding: chunk, as: UTF8.self) }
    return all
  }

  /// Whether the server has closed the connection; what it sent before is dropped.
  func isClosedByServer() throws -> Bool {
    do {
      while true { try receive() }
    } catch let failure as Failure {
      return failure.description == "closed"
    }
  }

  /// Whether the server closes the connection before so many milliseconds are over; what it sends
  /// is dropped.
  func isClosed(within milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&waiting, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    return unsafe recv(descriptor, &buffer, buffer.count, 0) <= 0
  }

  /// How many bytes come before the connection ends.
  func countToEnd() throws -> Int {
    var count = received.count
    received = []
    do {
      while true {
        try receive()
        count += received.count
        received = []
      }
    } catch let failure as Failure where failure.description == "closed" {
      return count
    }
  }

  /// Lets the kernel take little of what the server sends.
  func takeLittle() {
    var size: Int32 = 4_096
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Undoes `takeLittle`: what the server's kernel holds would come in small pieces for many seconds.
  func takeMuch() {
    var size: Int32 = 1 << 20
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  private func line(until end: String) throws -> String {
    let mark = Array(end.utf8)
    while true {
      if let range = received.firstRange(of: mark) {
        let line = String(decoding: received[..<range.lowerBound], as: UTF8.self)
        received.removeSubrange(..<range.upperBound)
        return line
      }
      try receive()
    }
  }

  private func take(_ count: Int) throws -> [UInt8] {
    while received.count < count { try receive() }
    defer { received.removeFirst(count) }
    return Array(received.prefix(count))
  }

  private func receive() throws {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else {
      let isClosed = count == 0 || errno == ECONNRESET
      throw Failure(description: isClosed ? "closed" : "recv: \(errno)")
    }
    received += buffer.prefix(count)
  }
}
