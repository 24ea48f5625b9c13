// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// A device that was paired or read before.
struct KnownPeripheral: Hashable, Sendable, Codable {
  /// The system's identifier.
  let identifier: UUID
  /// The number of the entry in the catalogue.
  let peripheral: Int
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

  /// Notes that a device was used.
  func note(_ device: KnownPeripheral) {
    change { $0 = [device] + $0.filter { $0.identifier != device.identifier } }
  }

  /// Forgets a device.
  func forget(_ identifier: UUID) {
    change { $0.removeAll { $0.identifier == identifier } }
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
