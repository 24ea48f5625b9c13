// SPDX-License-Identifier: Apache-2.0

/// Where an L2CAP socket is bound or connected: `struct sockaddr_l2` of the kernel
/// (include/net/bluetooth/l2cap.h).
struct L2CAPAddress: Hashable {
  var address: BlueZAddress
  var psm: CBL2CAPPSM

  // 0   1 | 2  3 | 4 5 6 7 8 9 | 10 11 | 12   | 13
  // family | PSM LE | address LE  | CID   | type | padding
  static let length = 14
  static let family: UInt16 = 31
  private static let isPublic: UInt8 = 1
  private static let isRandom: UInt8 = 2

  init(_ address: BlueZAddress, psm: CBL2CAPPSM) {
    self.address = address
    self.psm = psm
  }

  /// An address that the kernel has written; nil when it is not one of a Low Energy device.
  init?(bytes: [UInt8]) {
    let type = bytes.count >= 13 ? bytes[12] : 0
    guard type == Self.isPublic || type == Self.isRandom else { return nil }
    let text = BlueZAddress.text(of: bytes[4..<10].reversed())
    guard let address = BlueZAddress(text, isRandom: type == Self.isRandom) else { return nil }
    self.init(address, psm: CBL2CAPPSM(bytes[2]) | CBL2CAPPSM(bytes[3]) << 8)
  }

  /// The bytes as the kernel reads them; only the family is in the machine's byte order.
  var bytes: [UInt8] {
    let family = withUnsafeBytes(of: Self.family) { Array($0) }
    let number = [UInt8(psm & 0xFF), UInt8(psm >> 8)]
    let type = address.isRandom ? Self.isRandom : Self.isPublic
    return family + number + address.bytes.reversed() + [0, 0, type, 0]
  }
}
