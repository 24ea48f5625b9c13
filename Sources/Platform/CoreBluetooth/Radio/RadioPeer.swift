// SPDX-License-Identifier: Apache-2.0

/// The identifier by which a host knows a peer; stable on that host, different on another.
@_spi(Radio) public typealias PeerIdentifier = UUID

/// A peer as the host knows it.
@_spi(Radio)
public struct RadioPeer: Codable, Hashable, Sendable {
  /// The host's identifier of the peer.
  public var identifier: PeerIdentifier
  /// Its Generic Access name, or else the name it advertised.
  public var name: String?

  /// A peer.
  public init(identifier: PeerIdentifier, name: String?) {
    self.identifier = identifier
    self.name = name
  }
}
