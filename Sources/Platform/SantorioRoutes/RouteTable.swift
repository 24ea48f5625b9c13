// SPDX-License-Identifier: Apache-2.0

/// The links and addresses of the machine, from the Linux kernel's messages (rtnetlink(7)).
///
/// It distinguishes a new connection from one that the kernel merely reports again: the kernel
/// repeats an IPv6 address whenever a router confirms it.
struct RouteTable {
  // RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV6_IFADDR of linux/rtnetlink.h
  static let groups: UInt32 = 0x1 | 0x10 | 0x100

  // NLMSG_DONE of linux/netlink.h, RTM_… of linux/rtnetlink.h
  private enum Kind {
    static let done: UInt16 = 3
    static let newLink: UInt16 = 16
    static let deletedLink: UInt16 = 17
    static let linksWanted: UInt16 = 18
    static let newAddress: UInt16 = 20
    static let deletedAddress: UInt16 = 21
    static let addressesWanted: UInt16 = 22
  }

  /// Marks the answers to our own questions, which report the current state and nothing new.
  private static let ownSequence: UInt32 = 0x5353_0001

  private struct Address: Hashable {
    let link: UInt32
    let bytes: [UInt8]
  }

  private var addresses: Set<Address> = []
  private var runningLinks: Set<UInt32> = []
  // The kernel answers one question at a time.
  private var questions = [question(Kind.linksWanted), question(Kind.addressesWanted)]

  /// The next question about the current state, once the previous answer is complete.
  mutating func takeQuestion() -> [UInt8]? { questions.isEmpty ? nil : questions.removeFirst() }

  // 14000000 1200 0103 01005353 00000000 00000000
  // LENGTH   TYPE FLAG SEQUENCE PORT     FAMILY and padding
  private static func question(_ kind: UInt16) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(native: UInt32(20))
    bytes.append(native: kind)
    bytes.append(native: UInt16(0x301))  // NLM_F_REQUEST | NLM_F_DUMP
    bytes.append(native: ownSequence)
    bytes.append(native: UInt32(0))
    bytes.append(native: UInt32(0))
    return bytes
  }

  /// The changes reported by some messages.
  struct Changes: Hashable {
    /// A link is running, or has an address, that it had not before.
    var isConnectionNew = false
    /// The answer to a question is complete.
    var isAnswerComplete = false
  }

  /// Processes the result of one socket read; truncated or malformed messages are skipped.
  mutating func received(_ bytes: ArraySlice<UInt8>) -> Changes {
    var news = Changes()
    var rest = bytes
    while let length = rest.native(UInt32.self, at: 0).map(Int.init), length >= 16,
      length <= rest.count
    {
      let message = rest.prefix(length)
      let isOwn = message.native(UInt32.self, at: 8) == Self.ownSequence
      switch message.native(UInt16.self, at: 4) {
      case Kind.done: news.isAnswerComplete = news.isAnswerComplete || isOwn
      case let kind?:
        let isNew = note(kind, message.dropFirst(16))
        news.isConnectionNew = news.isConnectionNew || (isNew && !isOwn)
      case nil: break
      }
      rest = rest.dropFirst((length + 3) & ~3)
    }
    return news
  }

  private mutating func note(_ kind: UInt16, _ body: ArraySlice<UInt8>) -> Bool {
    switch kind {
    case Kind.newLink, Kind.deletedLink: note(link: body, isThere: kind == Kind.newLink)
    case Kind.newAddress, Kind.deletedAddress:
      note(address: body, isThere: kind == Kind.newAddress)
    default: false
    }
  }

  // struct ifinfomsg { u8 family, u8, u16 type, s32 index, u32 flags, u32 change }
  private mutating func note(link body: ArraySlice<UInt8>, isThere: Bool) -> Bool {
    guard body.first == 0, let index = body.native(UInt32.self, at: 4),
      let flags = body.native(UInt32.self, at: 8)
    else { return false }
    guard isThere, flags & 0x40 != 0 else {  // IFF_RUNNING
      runningLinks.remove(index)
      return false
    }
    return runningLinks.insert(index).inserted
  }

  // struct ifaddrmsg { u8 family, u8 prefixlen, u8 flags, u8 scope, u32 index }, then attributes
  private mutating func note(address body: ArraySlice<UInt8>, isThere: Bool) -> Bool {
    guard body.count >= 8, let index = body.native(UInt32.self, at: 4) else { return false }
    let (flags, scope) = (body[body.startIndex + 2], body[body.startIndex + 3])
    // IFA_LOCAL is the local end of a point-to-point link; IFA_ADDRESS is then the remote end.
    guard let bytes = attribute(2, of: body) ?? attribute(1, of: body) else { return false }
    let address = Address(link: index, bytes: bytes)
    // IFA_F_TENTATIVE, IFA_F_DADFAILED: not usable; RT_SCOPE_LINK and beyond: not routable.
    guard isThere, flags & 0x48 == 0, scope < 253 else {
      addresses.remove(address)
      return false
    }
    return addresses.insert(address).inserted
  }

  // struct rtattr { u16 length, u16 type }, then the value; each starts at a multiple of four.
  private func attribute(_ type: UInt16, of body: ArraySlice<UInt8>) -> [UInt8]? {
    var rest = body.dropFirst(8)
    while let length = rest.native(UInt16.self, at: 0).map(Int.init), length >= 4,
      length <= rest.count
    {
      if rest.native(UInt16.self, at: 2) == type {
        return Array(rest.prefix(length).dropFirst(4))
      }
      rest = rest.dropFirst((length + 3) & ~3)
    }
    return nil
  }
}

extension ArraySlice<UInt8> {
  /// A number in native byte order; nil where the bytes end.
  fileprivate func native<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type, at offset: Int
  ) -> Number? {
    let size = MemoryLayout<Number>.size
    guard offset + size <= count else { return nil }
    return unsafe dropFirst(offset).prefix(size).withUnsafeBytes {
      unsafe $0.loadUnaligned(as: Number.self)
    }
  }
}

extension [UInt8] {
  /// Appends a number in native byte order.
  mutating func append(native number: some FixedWidthInteger & BitwiseCopyable) {
    unsafe Swift.withUnsafeBytes(of: number) { unsafe append(contentsOf: $0) }
  }
}
