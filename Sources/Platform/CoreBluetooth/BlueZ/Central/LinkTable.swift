// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

/// The links of an adapter to its peers.
final class LinkTable {
  private unowned let host: BlueZHost
  private var links: [PeerIdentifier: BlueZLink] = [:]
  private var reasons: DBusRegistration?

  init(host: BlueZHost) {
    self.host = host
  }

  /// The link to a peer, whatever state it is in.
  subscript(_ peer: PeerIdentifier) -> BlueZLink {
    if let link = links[peer] { return link }
    let link = BlueZLink(to: peer, of: host)
    links[peer] = link
    return link
  }

  /// The addresses of the peers that bluetoothd is to connect, now or when they appear.
  var wanted: Set<String> {
    Set(links.values.filter(\.isPending).compactMap { host.address(of: $0.peer)?.text })
  }

  /// Whether a peer is connected, or is just being connected or disconnected.
  var isAnyOpen: Bool { links.values.contains(where: \.isOpen) }

  /// Removes a session from all links.
  func leave(_ session: BlueZCentralSession) {
    for link in links.values { link.leave(session) }
  }

  /// Restores a connection of an earlier process; returns whether it still exists.
  func restore(_ wanted: CentralRestoration.Peer, for session: BlueZCentralSession) -> Bool {
    self[wanted.peer.identifier].restore(wanted, for: session)
  }

  // MARK: - Events

  /// Listens for the reasons why links end.
  func attach(to connection: DBusConnection) {
    reasons = connection.match(
      sender: BlueZ.service, path: nil, interface: BlueZ.device, member: "Disconnected"
    ) { [weak self] signal in
      guard let self, let reason = signal.arguments.first?.string,
        let peer = host.identifier(ofDevice: signal.path)
      else { return }
      links[peer]?.noteLoss(reason)
    }
  }

  func stateChanged() {
    for link in links.values { link.stateChanged() }
  }

  func deviceAppeared(at path: String) {
    guard let peer = host.identifier(ofDevice: path) else { return }
    links[peer]?.advance()
  }

  /// bluetoothd has removed an object of a peer.
  func objectRemoved(of peer: PeerIdentifier) { links[peer]?.checkObject() }

  func objectsChanged(_ change: DBusObjectTree.Change) {
    switch change {
    case .changed(let path, BlueZ.device, let properties, _):
      deviceChanged(path, properties)
    case .changed(let path, BlueZ.characteristic, let properties, _):
      link(owning: path)?.characteristicChanged(path, properties)
    case .added(let path, BlueZ.gattService):
      link(owning: path)?.serviceAdded(path)
    case .removed(let path, BlueZ.gattService):
      link(owning: path)?.serviceRemoved(path)
    default:
      break
    }
  }

  private func link(owning path: String) -> BlueZLink? {
    host.device(owning: path).flatMap { host.peers?.identifier(of: $0) }.flatMap { links[$0] }
  }

  private func deviceChanged(_ path: String, _ properties: [String: DBusValue]) {
    guard let device = host.device(at: path), let peer = host.peers?.identifier(of: device)
    else { return }
    guard let isConnected = properties["Connected"]?.bool else {
      links[peer]?.deviceChanged(properties)
      return
    }
    let known = host.radioPeer(peer)
    let services = device.services
    if isConnected { report(.peerConnected, of: known, services: services) }
    links[peer]?.deviceChanged(properties)
    guard !isConnected else { return }
    // The ends of the connections, which come first, are delayed in the same way.
    host.afterPendingMessages { [weak self] in
      self?.report(.peerDisconnected, of: known, services: services)
    }
  }

  private func report(
    _ change: CBConnectionEvent, of peer: RadioPeer, services: [BluetoothUUID]
  ) {
    guard host.state == .poweredOn else { return }
    for session in host.centrals { session.report(change, of: peer, services: services) }
  }
}
