// SPDX-License-Identifier: Apache-2.0

import RadioConformance
import SantorioConcurrency

/// A radio that keeps its contract but for one fault.
final class BrokenRadio: Radio {
  private let radio: any Radio
  private let fault: Fault
  private let sessions = Locked<[any CentralSession]>([])

  init(_ radio: any Radio, _ fault: Fault) {
    self.radio = radio
    self.fault = fault
  }

  var authorization: CBManagerAuthorization { fault.authorization ?? radio.authorization }

  func openCentral(
    queue: DispatchQueue, restoring identifier: String?,
    handler: @escaping @Sendable (CentralEvent) -> Void
  ) -> any CentralSession {
    let place = fault.deliversElsewhere ? DispatchQueue(label: "elsewhere") : queue
    let memory = Locked(Memory())
    let session = radio.openCentral(queue: place, restoring: fault.identifier(identifier)) {
      [fault] event in
      for event in memory.withLock({ fault.centralEvents(event, &$0) }) { handler(event) }
    }
    let broken = BrokenCentral(session, fault) { [sessions] peer in
      sessions.withLock { $0 }.forEach { $0.disconnect(peer) }
    }
    sessions.withLock { $0.append(session) }
    return broken
  }

  func openPeripheral(
    queue: DispatchQueue, restoring identifier: String?,
    handler: @escaping @Sendable (PeripheralEvent) -> Void
  ) -> any PeripheralSession {
    let memory = Locked(Memory())
    return BrokenPeripheral(
      radio.openPeripheral(queue: queue, restoring: fault.identifier(identifier)) { [fault] event in
        for event in memory.withLock({ fault.peripheralEvents(event, &$0) }) { handler(event) }
      }, fault)
  }
}

/// What a faulty session remembers.
struct Memory {
  var events = 0
  var held: CentralEvent?
  var value = 0
}

private final class BrokenCentral: CentralSession {
  private let session: any CentralSession
  private let fault: Fault
  private let hangUpForAll: @Sendable (PeerIdentifier) -> Void

  init(
    _ session: any CentralSession, _ fault: Fault,
    hangUpForAll: @escaping @Sendable (PeerIdentifier) -> Void
  ) {
    self.session = session
    self.fault = fault
    self.hangUpForAll = hangUpForAll
  }

  private func unless(_ command: Fault.Command, _ perform: () -> Void) {
    if !fault.deafTo.contains(command) { perform() }
  }

  func startScan(_ scan: ScanRequest) { session.startScan(fault.scan(scan)) }

  func stopScan() { unless(.stopScan) { session.stopScan() } }

  func connect(_ peer: PeerIdentifier, options: ConnectRequest) {
    session.connect(peer, options: options)
  }

  func confirmConnection(to peer: PeerIdentifier) {
    unless(.confirmation) { session.confirmConnection(to: peer) }
  }

  func disconnect(_ peer: PeerIdentifier) {
    if fault.hangsUpForAll { return hangUpForAll(peer) }
    unless(.disconnect) { session.disconnect(peer) }
  }

  func knownPeers(_ peers: [PeerIdentifier]) -> [RadioPeer] {
    fault.known(session.knownPeers(peers))
  }

  func connectedPeers(services: [BluetoothUUID]) -> [RadioPeer] {
    fault.deafTo.contains(.connectedPeers) ? [] : session.connectedPeers(services: services)
  }

  func watchConnections(services: [BluetoothUUID]?, peers: [PeerIdentifier]?) {
    if services == nil, fault.deafTo.contains(.endOfWatch) { return }
    session.watchConnections(services: services, peers: peers)
  }

  func perform(_ request: PeerRequest, on peer: PeerIdentifier, number: RequestNumber) {
    session.perform(fault.request(request), on: peer, number: number)
  }

  func close() { unless(.close) { session.close() } }

  // The radio below keeps a session, and its air, until it is closed.
  deinit { session.close() }
}

private final class BrokenPeripheral: PeripheralSession {
  private let session: any PeripheralSession
  private let fault: Fault

  init(_ session: any PeripheralSession, _ fault: Fault) {
    self.session = session
    self.fault = fault
  }

  private func unless(_ command: Fault.Command, _ perform: () -> Void) {
    if !fault.deafTo.contains(command) { perform() }
  }

  func add(_ service: LocalService) { session.add(fault.service(service)) }

  func remove(_ service: LocalAttribute) { unless(.remove) { session.remove(service) } }

  func removeAll() { session.removeAll() }

  func startAdvertising(_ advertisement: RadioAdvertisement) {
    session.startAdvertising(fault.advertisement(advertisement))
  }

  func stopAdvertising() { unless(.stopAdvertising) { session.stopAdvertising() } }

  func respond(to request: RequestNumber, _ answer: Result<Data, RadioError>) {
    session.respond(to: request, answer)
  }

  func update(
    _ value: Data, of characteristic: LocalAttribute, for centrals: [PeerIdentifier]?,
    number: RequestNumber
  ) {
    let receivers = fault.deafTo.contains(.choiceOfCentrals) ? nil : centrals
    session.update(value, of: characteristic, for: receivers, number: number)
  }

  func setLatency(_ latency: CBPeripheralManagerConnectionLatency, for central: PeerIdentifier) {
    session.setLatency(latency, for: central)
  }

  func publishChannel(encrypted: Bool) { session.publishChannel(encrypted: encrypted) }

  func unpublishChannel(_ psm: CBL2CAPPSM) {
    unless(.unpublishChannel) { session.unpublishChannel(psm) }
  }

  func close() { unless(.close) { session.close() } }

  // The radio below keeps a session, and its air, until it is closed.
  deinit { session.close() }
}
