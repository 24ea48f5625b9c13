// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The error that the kernel returned for a call on a socket.
struct SocketError: Error, Hashable {
  /// The number in `errno`.
  let code: Int32

  init(_ code: Int32) {
    self.code = code
  }

  /// The error of the call that has just failed on this thread.
  static var last: Self { Self(errno) }
}

/// A non-blocking socket, closed when the last reference is released.
final class Socket: Sendable {
  let descriptor: Int32

  /// Takes over a descriptor.
  init(owning descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit {
    Glibc.close(descriptor)
  }

  static func check(_ result: Int32) throws(SocketError) {
    if result < 0 { throw SocketError.last }
  }

  // MARK: - Bytes

  /// Sends one message, completely or not at all.
  func send(_ bytes: ArraySlice<UInt8>) throws(SocketError) -> Int {
    let count = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard count >= 0 else { throw SocketError.last }
    return count
  }

  /// Receives one message; bytes beyond the maximum are lost.
  func receive(_ maximum: Int) throws(SocketError) -> [UInt8] {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: maximum) { buffer, initialized in
      count = recv(descriptor, buffer.baseAddress, maximum, 0)
      initialized = max(0, count)
    }
    guard count >= 0 else { throw SocketError.last }
    return bytes
  }

  // MARK: - State

  private var events: Int32 {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN) | Self.closed, revents: 0)
    return poll(&entry, 1, 0) > 0 ? Int32(entry.revents) : 0
  }

  /// `POLLRDHUP`, which the C library declares for GNU sources only.
  private static let closed: Int16 = 0x2000

  /// Whether no more data will arrive.
  var isClosedByPeer: Bool { events & (POLLHUP | Int32(Self.closed)) != 0 }

  /// Whether the peer has shut down the connection; false when the link was lost.
  var isShutDown: Bool { events & Int32(Self.closed) != 0 }

  /// Whether the kernel's send buffer is empty (socket(7), `SO_MEMINFO`).
  var isDrained: Bool {
    var memory = [UInt32](repeating: 0, count: 9)
    var length = socklen_t(memory.count * MemoryLayout<UInt32>.size)
    let result = getsockopt(descriptor, SOL_SOCKET, 55, &memory, &length)
    return result < 0 || memory[2] == 0
  }

  /// Returns the error that ended a connection attempt or the link, and clears it.
  func takeError() -> SocketError? {
    let code = (try? option(SOL_SOCKET, SO_ERROR, as: Int32.self)) ?? 0
    return code == 0 ? nil : SocketError(code)
  }

  // MARK: - Options

  func option<Value: FixedWidthInteger>(
    _ level: Int32, _ name: Int32, as type: Value.Type
  ) throws(SocketError) -> Value {
    var value: Value = 0
    var length = socklen_t(MemoryLayout<Value>.size)
    try Self.check(getsockopt(descriptor, level, name, &value, &length))
    return value
  }

  func setOption(
    _ level: Int32, _ name: Int32, to value: some FixedWidthInteger
  ) throws(SocketError) {
    let result = withUnsafeBytes(of: value) {
      setsockopt(descriptor, level, name, $0.baseAddress, socklen_t($0.count))
    }
    try Self.check(result)
  }
}
