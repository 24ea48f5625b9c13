// SPDX-License-Identifier: Apache-2.0

/// An adapter of this machine, through bluetoothd on the system bus.
package final class BlueZRadio: Radio {
  private let host: BlueZHost

  init(_ host: BlueZHost) {
    self.host = host
  }

  /// The adapter with a name or an address, nil for the first; all its radios share one host.
  package convenience init(adapter: String? = nil, leavesDefaultAgent: Bool = false) {
    var settings = BlueZHost.Settings()
    settings.adapter = adapter
    settings.leavesDefaultAgent = leavesDefaultAgent
    self.init(.shared(settings))
  }

  /// Sets the handler that answers when a peer pairs.
  package func answerPairings(_ handler: BlueZPairing.Handler?) {
    host.queue.async { [host] in host.pairing = handler }
  }

  /// Removes a peer and its bond from bluetoothd; returns whether that succeeded.
  package func removeBond(with peer: PeerIdentifier) async -> Bool {
    await withCheckedContinuation { continuation in
      host.queue.async { [host] in
        host.removeBond(with: peer) { continuation.resume(returning: $0) }
      }
    }
  }

  package var authorization: CBManagerAuthorization {
    host.queue.sync { host.state == .unauthorized ? .denied : .allowedAlways }
  }

  package func openCentral(
    queue: DispatchQueue, restoring identifier: String?,
    handler: @escaping @Sendable (CentralEvent) -> Void
  ) -> any CentralSession {
    let session = BlueZCentralSession(
      host, queue: queue, restoring: identifier, handler: handler)
    session.open()
    return session
  }

  package func openPeripheral(
    queue: DispatchQueue, restoring identifier: String?,
    handler: @escaping @Sendable (PeripheralEvent) -> Void
  ) -> any PeripheralSession {
    host.start()
    return BlueZPeripheralSession(host, queue: queue, restoring: identifier, handler: handler)
  }
}
