// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioSockets
import Testing

/// A datagram socket such as systemd's own.
final class DatagramReceiver {
  private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

  init(_ path: String) throws {
    var timeout = timeval(tv_sec: 20, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let descriptor = descriptor
    let isBound = unsafe SocketFile.withAddress(path) { unsafe bind(descriptor, $0, $1) == 0 }
    try #require(isBound)
  }

  deinit { close(descriptor) }

  func receive() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    return Array(buffer.prefix(max(0, count)))
  }

  func text() -> String { String(decoding: receive(), as: UTF8.self) }
}
