// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The address of a client, as written to the log and as counted by limits.
struct ClientAddress: Hashable, Sendable {
  /// An IPv4 or IPv6 address in its usual form, or `local` for a client on this machine's own
  /// socket.
  let text: String
  /// The network that limits count as one client.
  ///
  /// It is the IPv4 address, or the IPv6 network of 64 bits: a host with one address of such a
  /// network usually has all of them.
  let network: String

  static let local = ClientAddress(text: "local", network: "local")

  private init(text: String, network: String) {
    self.text = text
    self.network = network
  }

  /// Takes the source address of a connection; it is local if it is not an internet address.
  init(_ storage: sockaddr_storage) {
    let found: ClientAddress? = unsafe withUnsafePointer(to: storage) { storage in
      // Every address structure starts with its family.
      let family = unsafe UnsafeRawPointer(storage).load(as: sa_family_t.self)
      switch Int32(family) {
      case AF_INET:
        return unsafe storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          unsafe Self(IPv4: $0.pointee.sin_addr)
        }
      case AF_INET6:
        return unsafe storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          unsafe Self(IPv6: $0.pointee.sin6_addr)
        }
      default: return nil
      }
    }
    self = found ?? .local
  }

  /// Parses an address; nil when it is invalid.
  init?(_ text: some StringProtocol) {
    var (short, long) = (in_addr(), in6_addr())
    if unsafe inet_pton(AF_INET, String(text), &short) == 1 {
      self.init(IPv4: short)
    } else if unsafe inet_pton(AF_INET6, String(text), &long) == 1 {
      self.init(IPv6: long)
    } else {
      return nil
    }
  }

  /// Takes the last entry of an `X-Forwarded-For` header, which the server's proxy has written.
  ///
  /// Earlier entries are unverified claims of the client.
  init?(forwardedFor header: String) {
    let entries = header.split(separator: ",", omittingEmptySubsequences: false)
    guard let entry = entries.last else { return nil }
    let text = entry.trimmingBlanks
    if let address = ClientAddress(text) {
      self = address
    } else if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      self.init(text[text.index(after: text.startIndex)..<end])
    } else {
      // Some proxies add the port.
      self.init(text.prefix { $0 != ":" })
    }
  }

  private init(IPv4 address: in_addr) {
    let text = unsafe withUnsafePointer(to: address) { unsafe Self.text(AF_INET, $0) }
    self.init(text: text, network: text)
  }

  private init(IPv6 address: in6_addr) {
    let bytes = unsafe withUnsafeBytes(of: address) { unsafe Array($0) }
    // An IPv4 client of a dual-stack socket (RFC 4291 §2.5.5.2).
    if bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff] {
      let text = bytes.suffix(4).map(String.init).joined(separator: ".")
      self.init(text: text, network: text)
    } else {
      let text = unsafe withUnsafePointer(to: address) { unsafe Self.text(AF_INET6, $0) }
      let network = bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ".")
      self.init(text: text, network: network + "/64")
    }
  }

  private static func text(_ family: Int32, _ address: UnsafeRawPointer) -> String {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard unsafe inet_ntop(family, address, &buffer, socklen_t(buffer.count)) != nil else {
      return "unknown"
    }
    return String(
      decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension StringProtocol {
  /// The text without leading and trailing blanks.
  fileprivate var trimmingBlanks: String {
    let start = drop { $0 == " " || $0 == "\t" }
    let end = start.reversed().drop { $0 == " " || $0 == "\t" }
    return String(end.reversed())
  }
}
