// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// How an Omron device opens its memory to a host, over a characteristic of its own.
///
/// Source: userx14/omblepy; eigger/hass-omron.
package enum OmronUnlock {
  /// The key that is written where none was kept; all public hosts use this one, too.
  package static let usualKey: [UInt8] = [
    0xDE, 0xAD, 0xBE, 0xAF, 0x12, 0x34, 0x12, 0x34, 0xDE, 0xAD, 0xBE, 0xAF, 0x12, 0x34, 0x12, 0x34,
  ]
  package static let keyCount = 16

  /// A request to the device.
  package enum Request: Hashable, Sendable {
    /// 02: make ready to take a key; only in pairing mode.
    case takeKey
    /// 00: the key from now on.
    case key([UInt8])
    /// 01: the key that was written once.
    case open([UInt8])
    /// 11: open to a bonded host; the device repeats the four bytes.
    case token([UInt8])

    /// The bytes to write.
    package var payload: [UInt8] {
      switch self {
      case .takeKey: [0x02] + [UInt8](repeating: 0, count: keyCount)
      case .key(let key): [0x00] + key
      case .open(let key): [0x01] + key
      case .token(let bytes): [0x11] + bytes + [UInt8](repeating: 0, count: 15)
      }
    }

    /// What the device's answer begins with when it agrees.
    package var agreement: [UInt8] {
      switch self {
      case .takeKey: [0x82, 0x00]
      case .key: [0x80, 0x00]
      case .open: [0x81, 0x00]
      case .token(let bytes): [0x91, 0x00] + bytes
      }
    }
  }
}
