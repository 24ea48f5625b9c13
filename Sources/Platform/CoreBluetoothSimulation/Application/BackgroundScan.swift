// SPDX-License-Identifier: Apache-2.0

@_spi(Radio) import CoreBluetooth

/// How a host scans while all who scan are in the background.
///
/// Apple says no more than that it is slower; the numbers are those that developers have observed.
enum BackgroundScan {
  /// From one look to the next, in nanoseconds.
  static let interval: Int64 = 300_000_000
  /// How long one look is.
  static let window: Int64 = 30_000_000
  /// From a discovery to the report of all that were made meanwhile.
  static let batchTime: Int64 = 1_000_000_000
}

/// Discoveries to be reported together, of each peer the last.
struct DiscoveryBatch {
  private var entries: [(peer: PeerIdentifier, event: CentralEvent)] = []

  var isEmpty: Bool { entries.isEmpty }

  var events: [CentralEvent] { entries.map(\.event) }

  var peers: Set<PeerIdentifier> { Set(entries.map(\.peer)) }

  mutating func add(_ event: CentralEvent, of peer: PeerIdentifier) {
    if let index = entries.firstIndex(where: { $0.peer == peer }) {
      entries[index].event = event
    } else {
      entries.append((peer, event))
    }
  }
}
