// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCompression

/// An HTTP/1.1 request or answer as it came over a connection.
package struct HTTPMessage: Sendable {
  package let head: String
  package let body: [UInt8]

  var bytes: [UInt8] { Array(head.utf8) + body }

  var isRequestForBatch: Bool { head.hasPrefix("POST") && head.contains("records:batch") }

  /// The identifiers of the records in a batch.
  package var logIDs: [String] {
    guard isRequestForBatch else { return [] }
    let plain = field("content-encoding") == "gzip" ? try? Gzip.expand(body, limit: 1 << 24) : body
    return (plain ?? []).split(separator: UInt8(ascii: "\n"))
      .compactMap { try? HealthRecord(informJSON: Array($0)).logID }
  }

  private func field(_ name: String) -> String? { Self.field(name, in: head) }

  private static func field(_ name: String, in head: String) -> String? {
    for line in head.split(separator: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == name {
        return parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    return nil
  }

  /// Reads a message; nil when the connection ends before it is whole.
  init?(from descriptor: Int32) {
    let end = Array("\r\n\r\n".utf8)
    var bytes: [UInt8] = []
    var head: String?
    var length = 0
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while head == nil || bytes.count < length {
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
      guard head == nil, let range = bytes.firstRange(of: end) else { continue }
      let text = String(decoding: bytes[..<range.upperBound], as: UTF8.self)
      length = range.upperBound + (Self.field("content-length", in: text).flatMap { Int($0) } ?? 0)
      head = text
    }
    guard let head else { return nil }
    self.head = head
    body = Array(bytes[head.utf8.count...])
  }
}

/// TCP on this machine.
package enum LoopbackSocket {
  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
    return address
  }

  private static func with(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Bool
  ) -> Bool {
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, &length)
      }
    }
  }

  /// A socket that listens on a free port.
  static func listen() -> (descriptor: Int32, port: UInt16)? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var address = address(0)
    let isBound = unsafe with(&address) {
      unsafe bind(descriptor, $0, $1) == 0 && getsockname(descriptor, $0, &$1) == 0
    }
    guard isBound, Glibc.listen(descriptor, 512) == 0 else { return nil }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  package static func connect(to port: UInt16) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var address = address(port)
    if unsafe with(&address, { unsafe Glibc.connect(descriptor, $0, $1) == 0 }) {
      return descriptor
    }
    close(descriptor)
    return nil
  }

  package static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) {
    let bytes = Array(bytes)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe send(
          descriptor, $0.baseAddress.map { unsafe $0 + written }, $0.count - written, 0x4000)
      }
      guard count > 0 else { return }
      written += count
    }
  }
}
