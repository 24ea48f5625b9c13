// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The centrals connected to an adapter, read from the kernel without any privilege.
///
/// bluetoothd does not report them (Linux, `HCIGETCONNLIST` in net/bluetooth/hci_conn.c).
enum IncomingLinks {
  private static let request: UInt = 0x8004_48D4
  private static let maximum = 32

  // struct hci_conn_list_req: 0 1 adapter | 2 3 number of entries | entries of 16 bytes
  // struct hci_conn_info: 0 1 handle | 2…7 address LE | 8 type | 9 out | 10 11 state | 12…15 mode
  private static let header = 4
  private static let entry = 16
  private static let lowEnergy: UInt8 = 0x80

  /// The addresses of the centrals; empty when the kernel call fails.
  static func addresses(at adapter: String) -> Set<String> {
    guard let name = adapter.split(separator: "/").last, name.hasPrefix("hci"),
      let number = UInt16(name.dropFirst(3))
    else { return [] }
    let socket = Glibc.socket(31, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), 1)
    guard socket >= 0 else { return [] }
    defer { Glibc.close(socket) }
    var list = [UInt8](repeating: 0, count: header + maximum * entry)
    list.withUnsafeMutableBytes {
      $0.storeBytes(of: number, toByteOffset: 0, as: UInt16.self)
      $0.storeBytes(of: UInt16(maximum), toByteOffset: 2, as: UInt16.self)
    }
    let result = list.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { ioctl(socket, request, $0) } ?? -1
    }
    return result < 0 ? [] : addresses(in: list)
  }

  /// The addresses in a list as the kernel writes it.
  static func addresses(in list: [UInt8]) -> Set<String> {
    guard list.count >= header else { return [] }
    let count = list.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) }
    let starts = stride(from: header, to: list.count - entry + 1, by: entry).prefix(count)
    let incoming = starts.filter { list[$0 + 8] == lowEnergy && list[$0 + 9] == 0 }
    return Set(incoming.map { BlueZAddress.text(of: list[$0 + 2..<$0 + 8].reversed()) })
  }
}

extension BlueZAddress {
  /// The text of six bytes, the most significant first.
  static func text(of bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      .joined(separator: ":")
  }
}

// Everything here runs on the host's queue.
extension BlueZPeripheralSession {
  /// Disconnects the centrals when the last session that served in this process closes, except
  /// those that are also peripherals of this process.
  func endIncomingLinks() {
    guard host.servers == 0, let adapter = host.adapter else { return }
    let incoming = IncomingLinks.addresses(at: adapter)
    for device in host.devices where device.isConnected {
      guard let address = device.address?.text, incoming.contains(address),
        let peer = host.identifier(ofDevice: device.path), !host.links[peer].isUsed
      else { continue }
      host.connection?.send(BlueZ.call(device.path, BlueZ.device, "Disconnect"))
    }
  }
}
