// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// A device that was paired or read before.
struct KnownPeripheral: Hashable, Sendable, Codable {
  /// The system's identifier.
  let identifier: UUID
  /// The number of the entry in the catalogue.
  let peripheral: Int
  /// What is known of the bond.
  let bond: BondState

  init(identifier: UUID, peripheral: Int, bond: BondState = .none) {
    self.identifier = identifier
    self.peripheral = peripheral
    self.bond = bond
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    identifier = try container.decode(UUID.self, forKey: .identifier)
    peripheral = try container.decode(Int.self, forKey: .peripheral)
    bond = try container.decodeIfPresent(BondState.self, forKey: .bond) ?? .none
  }
}

/// The devices that were paired or read before, so that they can be connected without a scan.
///
/// They are a hint and no more: a file that is missing, damaged or cannot be written costs a scan.
/// It holds nothing of a user or of a measurement.
final class KnownPeripherals: Sendable {
  /// How many are kept; the one that was not used for longest goes first.
  static let capacity = 32
  static let fileName = "known-peripherals.json"

  private let file: URL?
  // What the file should hold: what counts when there is none, or it cannot be read.
  private let memory = Locked<[KnownPeripheral]>([])

  /// - Parameter folder: Where the file is; nil keeps them in memory.
  init(folder: URL?) {
    file = folder?.appendingPathComponent(Self.fileName)
  }

  /// All of them, the one used last first.
  var all: [KnownPeripheral] { memory.withLock { saved ?? $0 } }

  /// Notes that a device was used, and what that shows of the bond.
  func note(_ identifier: UUID, as peripheral: Int, _ evidence: BondState.Evidence) {
    change { devices in
      let bond = devices.first { $0.identifier == identifier }?.bond ?? .none
      let device = KnownPeripheral(
        identifier: identifier, peripheral: peripheral, bond: bond.after(evidence))
      devices = [device] + devices.filter { $0.identifier != identifier }
    }
  }

  /// What is known of the bond with a device.
  func bond(with identifier: UUID) -> BondState {
    all.first { $0.identifier == identifier }?.bond ?? .none
  }

  private func change(_ body: (inout [KnownPeripheral]) -> Void) {
    memory.withLock { memory in
      let old = saved
      memory = old ?? memory
      body(&memory)
      memory = Array(memory.prefix(Self.capacity))
      if let file, memory != old {
        try? JSONEncoder().encode(memory).write(to: file, options: .atomic)
      }
    }
  }

  private var saved: [KnownPeripheral]? {
    guard let file, let octets = try? Data(contentsOf: file),
      let devices = try? JSONDecoder().decode([KnownPeripheral].self, from: octets)
    else { return nil }
    var seen: Set<UUID> = []
    return Array(devices.filter { seen.insert($0.identifier).inserted }.prefix(Self.capacity))
  }
}
