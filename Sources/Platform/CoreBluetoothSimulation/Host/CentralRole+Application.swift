// SPDX-License-Identifier: Apache-2.0

extension CentralRole: ApplicationRole {
  func conditionsChanged() {
    deliverWaiting()
  }

  func processEnded(keepsState: Bool) {
    if keepsState, let restoreIdentifier, isWorthKeeping {
      for role in host.centrals where role.isKept(for: application, restoreIdentifier) {
        role.finish()
      }
      let heir = CentralRole(host: host, application: application, restoring: restoreIdentifier)
      host.centrals.append(heir)
      heir.inherit(from: self)
    }
    finish()
  }

  /// Whether Bluetooth is on, and has been since the last state reported to the manager.
  private var isWorthKeeping: Bool {
    let hasOtherState = waiting.contains { if case .stateChanged = $0 { true } else { false } }
    return host.state == .poweredOn && !hasOtherState && restoration?.isEmpty == false
  }

  /// Takes over the activities; undelivered answers for the old manager are recorded only.
  private func inherit(from old: CentralRole) {
    for event in old.waiting {
      if case .answered = event { old.note(event) } else { waiting.append(event) }
    }
    restoration = old.restoration
    scan = old.scan
    // Peers that were not reported are found again.
    reported = old.reported.filter { !old.batch.peers.contains($0.key) }
    filterResults = old.filterResults
    for link in host.outgoing where restoration?[link.peerIdentifier] != nil {
      link.handOver(from: old, to: self)
    }
    for peer in old.pendingPeers {
      guard let other = host.host(peer), let pendingConnection = old.pending[peer] else { continue }
      pendingConnection.event?.cancel()
      if case .delayed(_, let moment) = pendingConnection {
        connect(to: peer, other, at: moment)
      } else {
        listen(for: peer, other)
      }
    }
  }

  func loseConnections() {
    waiting = []
    restoration?.loseConnections()
    for wanted in restoration?.peers ?? [] {
      let peer = wanted.peer.identifier
      guard let other = host.host(peer), pending[peer] == nil else { continue }
      listen(for: peer, other)
    }
  }
}

extension ApplicationRole {
  /// Whether the role was kept by the system for a manager with the identifier.
  func isKept(for application: ApplicationCore, _ identifier: String?) -> Bool {
    !hasManager && self.application === application && restoreIdentifier == identifier
  }
}
