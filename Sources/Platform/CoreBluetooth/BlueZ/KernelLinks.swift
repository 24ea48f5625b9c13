// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A Low Energy link of an adapter, or an attempt to make one, as the kernel knows it.
struct KernelLink: Hashable {
  /// The peer's address, as ``BlueZAddress`` writes it.
  let address: String
  /// Whether this machine has asked for it, or the peer has.
  let isOutgoing: Bool
  /// Whether it is only an attempt.
  let isConnecting: Bool
}

/// The links of an adapter, read from the kernel without any privilege.
///
/// bluetoothd does not tell them apart (Linux, `HCIGETCONNLIST` in net/bluetooth/hci_conn.c).
enum KernelLinks {
  private static let request: UInt = 0x8004_48D4
  /// As many as the kernel answers.
  private static let maximum = 512

  // struct hci_conn_list_req: 0 1 adapter | 2 3 number of entries | entries of 16 bytes
  // struct hci_conn_info: 0 1 handle | 2…7 address LE | 8 type | 9 out | 10 11 state | 12…15 mode
  private static let header = 4
  private static let entry = 16
  private static let lowEnergy: UInt8 = 0x80
  /// `BT_CONNECT`, below 256 as all states.
  private static let connecting: UInt8 = 5

  /// The links of the adapter with this object path; empty when the kernel call fails.
  static func read(at adapter: String) -> [KernelLink] {
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
    return result < 0 ? [] : links(in: list)
  }

  /// The links in a list as the kernel writes it.
  static func links(in list: [UInt8]) -> [KernelLink] {
    guard list.count >= header else { return [] }
    let count = list.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) }
    let starts = stride(from: header, to: list.count - entry + 1, by: entry).prefix(count)
    return starts.filter { list[$0 + 8] == lowEnergy }.map {
      KernelLink(
        address: BlueZAddress.text(of: list[$0 + 2..<$0 + 8].reversed()),
        isOutgoing: list[$0 + 9] != 0, isConnecting: list[$0 + 10] == connecting)
    }
  }
}
