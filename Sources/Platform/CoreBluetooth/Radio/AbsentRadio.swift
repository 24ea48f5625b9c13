// SPDX-License-Identifier: Apache-2.0

/// The radio of a process without Bluetooth.
final class AbsentRadio: Radio {
  var authorization: CBManagerAuthorization { .allowedAlways }

  func openCentral(
    queue: DispatchQueue, restoring identifier: String?,
    handler: @escaping @Sendable (CentralEvent) -> Void
  ) -> any CentralSession {
    queue.async { handler(.stateChanged(.unsupported)) }
    return AbsentSession()
  }

  func openPeripheral(
    queue: DispatchQueue, restoring identifier: String?,
    handler: @escaping @Sendable (PeripheralEvent) -> Void
  ) -> any PeripheralSession {
    queue.async { handler(.stateChanged(.unsupported)) }
    return AbsentSession()
  }
}

/// A session that never has anything to report.
final class AbsentSession: CentralSession, PeripheralSession {
  func startScan(_ scan: ScanRequest) {}
  func stopScan() {}
  func connect(_ peer: PeerIdentifier, options: ConnectRequest) {}
  func confirmConnection(to peer: PeerIdentifier) {}
  func disconnect(_ peer: PeerIdentifier) {}
  func knownPeers(_ peers: [PeerIdentifier]) -> [RadioPeer] { [] }
  func connectedPeers(services: [BluetoothUUID]) -> [RadioPeer] { [] }
  func watchConnections(services: [BluetoothUUID]?, peers: [PeerIdentifier]?) {}
  func perform(_ request: PeerRequest, on peer: PeerIdentifier, number: RequestNumber) {}
  func add(_ service: LocalService) {}
  func remove(_ service: LocalAttribute) {}
  func removeAll() {}
  func startAdvertising(_ advertisement: RadioAdvertisement) {}
  func stopAdvertising() {}
  func respond(to request: RequestNumber, _ answer: Result<Data, RadioError>) {}
  func update(
    _ value: Data, of characteristic: LocalAttribute, for centrals: [PeerIdentifier]?,
    number: RequestNumber
  ) {}
  func publishChannel(encrypted: Bool) {}
  func unpublishChannel(_ psm: CBL2CAPPSM) {}
  func setLatency(_ latency: CBPeripheralManagerConnectionLatency, for central: PeerIdentifier) {}
  func close() {}
}
