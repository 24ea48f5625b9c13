// SPDX-License-Identifier: Apache-2.0

/// How a host scans while all scanning applications are in the background.
///
/// Apple says only that it is slower; the numbers were observed by developers.
enum BackgroundScan {
  /// The scan interval, in nanoseconds.
  static let interval: Int64 = 300_000_000
  /// The scan window, in nanoseconds.
  static let window: Int64 = 30_000_000
  /// The time from a discovery to the report of all discoveries made meanwhile.
  static let batchTime: Int64 = 1_000_000_000
}

/// Discoveries to be reported together, the last one of each peer.
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
