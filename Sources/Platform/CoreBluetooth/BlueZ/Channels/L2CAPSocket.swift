// SPDX-License-Identifier: Apache-2.0

import Glibc

/// L2CAP's connection-oriented channels over Low Energy, as the kernel offers them
/// (Linux, net/bluetooth/l2cap_sock.c).
///
/// A SEQPACKET socket that is bound to a Low Energy address uses credits automatically.
extension Socket {
  // include/net/bluetooth/bluetooth.h
  private static let bluetooth: Int32 = 274
  private static let security: Int32 = 4
  private static let sendLimit: Int32 = 12
  private static let receiveLimit: Int32 = 13

  /// The longest data unit accepted; the kernel's default is 672 bytes.
  private static let receivedUnit: UInt16 = 2048
  /// The kernel's buffer for each direction, limited so that a reader that stalls is noticed.
  private static let buffer: Int32 = 1 << 16

  /// A socket bound to an adapter; the number 0 takes a free one of the dynamic range.
  static func l2cap(_ local: L2CAPAddress) throws(SocketError) -> Socket {
    let descriptor = socket(
      Int32(L2CAPAddress.family), Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0)
    try check(descriptor)
    let socket = Socket(owning: descriptor)
    try check(local.withSocketAddress { bind(descriptor, $0, $1) })
    try socket.setOption(bluetooth, receiveLimit, to: receivedUnit)
    try socket.limitBuffers()
    return socket
  }

  private func limitBuffers() throws(SocketError) {
    try setOption(SOL_SOCKET, SO_SNDBUF, to: Self.buffer)
    try setOption(SOL_SOCKET, SO_RCVBUF, to: Self.buffer)
  }

  /// Begins to connect; true when already connected.
  func connect(to remote: L2CAPAddress) throws(SocketError) -> Bool {
    if remote.withSocketAddress({ Glibc.connect(descriptor, $0, $1) }) == 0 { return true }
    guard errno == EINPROGRESS || errno == EAGAIN else { throw SocketError.last }
    return false
  }

  /// Waits for channels; encrypted ones make the central pair first.
  func listen(encrypted: Bool) throws(SocketError) {
    // struct bt_security: the level (2 is encryption without authentication), the size of the key.
    if encrypted { try setOption(Self.bluetooth, Self.security, to: UInt16(2).littleEndian) }
    try Self.check(Glibc.listen(descriptor, 8))
  }

  /// Accepts the next channel that a central has opened; nil when there is none.
  func accept() -> (socket: Socket, from: L2CAPAddress)? {
    while true {
      var bytes = [UInt8](repeating: 0, count: L2CAPAddress.length)
      var length = socklen_t(bytes.count)
      let descriptor = bytes.withUnsafeMutableBytes {
        Glibc.accept(
          self.descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
      }
      guard descriptor >= 0 else { return nil }
      let socket = Socket(owning: descriptor)
      // A channel may be closed again before it is accepted.
      guard let remote = L2CAPAddress(bytes: bytes), (try? socket.limitBuffers()) != nil
      else { continue }
      return (socket, remote)
    }
  }

  /// The address to which the socket is bound.
  func localAddress() throws(SocketError) -> L2CAPAddress {
    var bytes = [UInt8](repeating: 0, count: L2CAPAddress.length)
    var length = socklen_t(bytes.count)
    let result = bytes.withUnsafeMutableBytes {
      getsockname(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
    }
    try Self.check(result)
    guard let address = L2CAPAddress(bytes: bytes) else { throw SocketError(EADDRNOTAVAIL) }
    return address
  }

  /// The longest data units of a connected channel.
  func unitLimits() throws(SocketError) -> SocketStream.Limits {
    SocketStream.Limits(
      send: Int(try option(Self.bluetooth, Self.sendLimit, as: UInt16.self)),
      receive: Int(try option(Self.bluetooth, Self.receiveLimit, as: UInt16.self)))
  }
}

extension L2CAPAddress {
  fileprivate func withSocketAddress(
    _ body: (UnsafePointer<sockaddr>?, socklen_t) -> Int32
  ) -> Int32 {
    bytes.withUnsafeBytes {
      body($0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
    }
  }
}

extension RadioError {
  /// Why a channel cannot be opened or published.
  init(_ error: SocketError) {
    switch error.code {
    case EAFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT, EOPNOTSUPP, EPERM, EACCES:
      self = .system(.operationNotSupported)
    case ETIMEDOUT: self = .system(.connectionTimeout)
    case ECONNRESET, ECONNABORTED, EPIPE: self = .system(.peripheralDisconnected)
    case ENOTCONN, EHOSTDOWN, EHOSTUNREACH, ENETDOWN, ENODEV: self = .system(.notConnected)
    // bind reports EINVAL also when no number is free (l2cap_add_psm).
    case EINVAL, EADDRINUSE, ENOMEM, ENOBUFS, EMFILE, ENFILE: self = .system(.outOfSpace)
    default: self = .system(.connectionFailed)
    }
  }
}
