// SPDX-License-Identifier: Apache-2.0

/// The state that a radio keeps for a central manager when the process ends.
///
/// A radio has one of these for each session with a restore identifier and records the manager's
/// requests and the events sent to it. A value can outlive the process in a file.
package struct CentralRestoration: Codable, Hashable, Sendable {
  /// A peer that the manager is connected to or wants to be connected to.
  package struct Peer: Codable, Hashable, Sendable {
    /// The peer as the host knows it.
    package var peer: RadioPeer
    /// The options of the request to connect.
    package var options: ConnectRequest
    /// The longest value of a write without response; nil while there is no connection.
    package var maximumWrite: Int?
    /// The attributes that the manager has found on the connection.
    package var attributes = KnownAttributes()

    /// A peer to which the manager wants to be connected.
    package init(peer: RadioPeer, options: ConnectRequest) {
      self.peer = peer
      self.options = options
    }
  }

  /// The peers in the order of the requests.
  package private(set) var peers: [Peer] = []
  /// The scan; nil when there is none.
  package var scan: ScanRequest?

  /// An empty state.
  package init() {}

  /// Whether there is nothing to restore.
  package var isEmpty: Bool { peers.isEmpty && scan == nil }

  /// The entry of a peer.
  package subscript(_ identifier: PeerIdentifier) -> Peer? {
    peers.first { $0.peer.identifier == identifier }
  }

  // MARK: - Requests of the manager

  /// The manager wants a connection.
  package mutating func connect(_ peer: RadioPeer, options: ConnectRequest) {
    if let index = index(of: peer.identifier) {
      peers[index].options = options
    } else {
      peers.append(Peer(peer: peer, options: options))
    }
  }

  /// The manager no longer wants a connection.
  package mutating func disconnect(_ identifier: PeerIdentifier) {
    peers.removeAll { $0.peer.identifier == identifier }
  }

  // MARK: - Events sent to the manager

  /// A request has been answered.
  package mutating func record(
    _ answer: PeerAnswer, to request: PeerRequest, of identifier: PeerIdentifier
  ) {
    change(identifier) { $0.attributes.record(answer, to: request) }
  }

  /// Records an event that is sent to the manager.
  package mutating func record(_ event: CentralEvent) {
    switch event {
    case .stateChanged(let state):
      if state != .poweredOn { self = Self() }
    case .connected(let peer, let maximumWrite):
      change(peer.identifier) {
        $0.peer = peer
        $0.maximumWrite = maximumWrite
      }
    case .connectFailed(let identifier, _), .disconnected(let identifier, _):
      disconnect(identifier)
    case .servicesChanged(let identifier, let handles):
      change(identifier) { $0.attributes.remove(handles) }
    case .nameChanged(let identifier, let name):
      change(identifier) { $0.peer.name = name }
    case .maximumWriteChanged(let identifier, let maximum):
      change(identifier) { $0.maximumWrite = maximum }
    default:
      break
    }
  }

  /// The host has lost its links, as by a restart: connected peers become pending again.
  package mutating func loseConnections() {
    for peer in peers { loseConnection(to: peer.peer.identifier) }
  }

  /// A peer is no longer connected: it becomes pending again.
  package mutating func loseConnection(to identifier: PeerIdentifier) {
    change(identifier) { $0 = Peer(peer: $0.peer, options: $0.options) }
  }

  private func index(of identifier: PeerIdentifier) -> Int? {
    peers.firstIndex { $0.peer.identifier == identifier }
  }

  private mutating func change(_ identifier: PeerIdentifier, _ body: (inout Peer) -> Void) {
    if let index = index(of: identifier) { body(&peers[index]) }
  }
}
