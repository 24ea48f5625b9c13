// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Where a family of Omron monitors keeps its measurements.
///
/// Source: userx14/omblepy, deviceSpecific; eigger/hass-omron, device catalogue.
package struct OmronMemoryMap: Hashable, Sendable {
  /// The model number as the device sends it (2A24), without what follows a hyphen.
  package let model: String
  /// How a measurement is kept.
  package let layout: OmronRecordLayout
  /// The address of each user's first slot; users are numbered from 1.
  package let users: [UInt16]
  /// The slots of each user.
  package let slotCount: Int

  /// All families that are known.
  package static let all = [
    OmronMemoryMap(model: "HEM-6232T", layout: .hem6232T, users: [0x02E8, 0x0860], slotCount: 100),
    OmronMemoryMap(model: "HEM-7142T2", layout: .hem7142T2, users: [0x02E8], slotCount: 14),
    OmronMemoryMap(model: "HEM-7143T1", layout: .hem7142T2, users: [0x02E8], slotCount: 30),
    OmronMemoryMap(model: "HEM-7150T", layout: .hem7361T, users: [0x0098], slotCount: 60),
    OmronMemoryMap(model: "HEM-7155T", layout: .hem7361T, users: [0x0098, 0x0458], slotCount: 60),
    OmronMemoryMap(model: "HEM-7322T", layout: .hem7322T, users: [0x02AC, 0x0824], slotCount: 100),
    OmronMemoryMap(model: "HEM-7342T", layout: .hem7361T, users: [0x0098, 0x06D8], slotCount: 100),
    OmronMemoryMap(model: "HEM-7361T", layout: .hem7361T, users: [0x0098, 0x06D8], slotCount: 100),
    OmronMemoryMap(model: "HEM-7530T", layout: .hem7530T, users: [0x02E8], slotCount: 90),
    OmronMemoryMap(model: "HEM-7600T", layout: .hem7322T, users: [0x02AC], slotCount: 100),
  ]

  /// The map of a model number, for instance `HEM-7322T-E`.
  package static func map(of model: String) -> OmronMemoryMap? {
    let text = model.uppercased()
    return all.first { known in
      text == known.model || text.hasPrefix(known.model + "-") || text.hasPrefix(known.model + "_")
    }
  }

  /// A part of the memory that is read at once: whole slots of one user.
  package struct Block: Hashable, Sendable {
    package let user: Int
    package let address: UInt16
    package let count: UInt8
  }

  /// What fits in a frame over four channels of 16 bytes, with a margin that all models keep to.
  private static let largestBlock = 44

  /// The blocks that make up all slots of all users.
  package var blocks: [Block] {
    let perBlock = max(Self.largestBlock / layout.byteCount, 1)
    return users.enumerated().flatMap { index, address in
      stride(from: 0, to: slotCount, by: perBlock).map { slot in
        Block(
          user: index + 1, address: address &+ UInt16(slot * layout.byteCount),
          count: UInt8(min(perBlock, slotCount - slot) * layout.byteCount))
      }
    }
  }
}
