// SPDX-License-Identifier: Apache-2.0

/// The identifier by which a host knows a peer; stable on that host, different on another.
package typealias PeerIdentifier = UUID

/// A peer as the host knows it.
package struct RadioPeer: Codable, Hashable, Sendable {
  /// The host's identifier of the peer.
  package var identifier: PeerIdentifier
  /// Its Generic Access name, or else the name it advertised.
  package var name: String?

  /// A peer.
  package init(identifier: PeerIdentifier, name: String?) {
    self.identifier = identifier
    self.name = name
  }
}
