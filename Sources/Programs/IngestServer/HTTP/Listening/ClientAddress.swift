// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where a client is, as the log names it and as limits count it.
struct ClientAddress: Hashable, Sendable {
  /// An IPv4 or IPv6 address in its usual form, or `local` for a client on this machine's own
  /// socket.
  let text: String
  /// What limits count as one client: the address, and of IPv6 the network of 64 bits, since
  /// whoever has one address of it has them all.
  let network: String

  static let local = ClientAddress(text: "local", network: "local")

  private init(text: String, network: String) {
    self.text = text
    self.network = network
  }

  /// Takes the address that a connection came from; one that is no internet address is local.
  init(_ storage: sockaddr_storage) {
    let found: ClientAddress? = unsafe withUnsafePointer(to: storage) { storage in
      // Every form of address begins with its family.
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

  /// Takes an address as it is written; nil when it is none.
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

  /// Takes the last entry of an `X-Forwarded-For` header, which the proxy before the server has
  /// written; whatever stands before it is the client's own claim.
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
    // An IPv4 client of a socket that takes both (RFC 4291 §2.5.5.2).
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
  /// The text without blanks at either end.
  fileprivate var trimmingBlanks: String {
    let start = drop { $0 == " " || $0 == "\t" }
    let end = start.reversed().drop { $0 == " " || $0 == "\t" }
    return String(end.reversed())
  }
}
