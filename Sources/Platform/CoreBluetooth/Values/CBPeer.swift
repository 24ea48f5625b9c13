// SPDX-License-Identifier: Apache-2.0

/// A device at the other end, in either role.
open class CBPeer: NSObject, NSCopying {
  private let peer: PeerIdentifier

  /// Peers come from the managers.
  @available(*, unavailable)
  public override init() {
    peer = UUID()
  }

  init(identifier: PeerIdentifier) {
    peer = identifier
  }

  /// The identifier by which this host knows the peer; not its address.
  open var identifier: UUID { peer }

  /// Returns itself.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
