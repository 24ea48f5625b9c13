// SPDX-License-Identifier: Apache-2.0

import Glibc
import SantorioSockets

/// Sends datagrams to a Unix socket of systemd.
enum DatagramSocket {
  /// Sends one datagram, without waiting for room.
  ///
  /// - Parameters:
  ///   - bytes: The datagram.
  ///   - path: The socket's path, or its name behind `@`.
  /// - Returns: Whether it was sent.
  static func send(_ bytes: [UInt8], to path: String) -> Bool {
    let flags = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(AF_UNIX, Int32(flags), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let count = try? SocketFile.withShortPath(path) { short in
      unsafe SocketFile.withAddress(short) { address, size in
        unsafe bytes.withUnsafeBytes { bytes in
          unsafe sendto(
            descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT),
            address, size)
        }
      }
    }
    return count == bytes.count
  }
}
