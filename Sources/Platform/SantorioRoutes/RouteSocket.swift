// SPDX-License-Identifier: Apache-2.0

import Glibc
import SantorioConcurrency

/// A socket on which the kernel reports links and addresses.
final class RouteSocket: Sendable {
  let descriptor: Int32
  private let table = Locked(RouteTable())

  /// AF_NETLINK of the kernel's linux/socket.h; the toolchain's Glibc module leaves netlink out.
  private static let family: UInt16 = 16

  init?() {
    descriptor = socket(
      Int32(Self.family),
      Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
      0)
    guard descriptor >= 0 else { return nil }
    guard bind(), askNext() else {
      close()
      return nil
    }
  }

  func close() { Glibc.close(descriptor) }

  /// Reads the kernel's messages; true when there is a new connection.
  func isConnectionNew() -> Bool {
    var isNew = false
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      // The kernel sent more than the socket holds: something has changed.
      if count < 0, errno == ENOBUFS {
        isNew = true
        continue
      }
      guard count > 0 else { return isNew }
      let news = table.withLock { $0.received(buffer[..<count]) }
      isNew = isNew || news.isConnectionNew
      if news.isAnswerComplete { askNext() }
    }
  }

  // struct sockaddr_nl { u16 family, u16 padding, u32 port, u32 groups }; the kernel chooses the
  // port.
  private func bind() -> Bool {
    var address = [UInt8]()
    address.append(native: Self.family)
    address.append(native: UInt16(0))
    address.append(native: UInt32(0))
    address.append(native: RouteTable.groups)
    return unsafe address.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      let pointer = unsafe start.assumingMemoryBound(to: sockaddr.self)
      return unsafe Glibc.bind(descriptor, pointer, socklen_t(bytes.count)) == 0
    }
  }

  @discardableResult
  private func askNext() -> Bool {
    guard let question = table.withLock({ $0.takeQuestion() }) else { return true }
    return unsafe question.withUnsafeBytes {
      unsafe send(descriptor, $0.baseAddress, $0.count, 0) == question.count
    }
  }
}
