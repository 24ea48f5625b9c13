// SPDX-License-Identifier: Apache-2.0

/// The peripheral role of a host for one manager.
final class PeripheralRole: Role<PeripheralEvent>, PeripheralSession, @unchecked Sendable {
  private(set) var advertiser: Advertiser?
  /// What is kept for the restore identifier; nil without one.
  private var restoration: PeripheralRestoration?
  private var open: [RequestNumber: (Result<Data, RadioError>) -> Void] = [:]

  init(host: HostCore, application: ApplicationCore, restoring identifier: String?) {
    super.init(host: host, application: application, restoring: identifier, mode: .peripheral)
    if identifier != nil { restoration = PeripheralRestoration() }
  }

  override func wakes(_ event: PeripheralEvent) -> Bool {
    if case .updateSent = event { false } else { true }
  }

  override func initialEvents() -> [PeripheralEvent] {
    let restored = restoration.flatMap { $0.isEmpty ? nil : PeripheralEvent.restored($0) }
    return [restored, .stateChanged(host.state)].compactMap(\.self)
  }

  override func note(_ event: PeripheralEvent) {
    restoration?.record(event)
  }

  /// Whether the services answer: without the background mode, only in the foreground.
  var isServing: Bool { application.isServed(for: .peripheral) }

  // MARK: - Services

  func add(_ service: LocalService) {
    locked {
      host.server.add(service, for: self)
      restoration?.services.append(service)
      for link in host.incoming { link.servicesChanged([]) }
      environment.after(0) { [weak self] in self?.send(.serviceAdded(service.id, nil)) }
    }
  }

  func remove(_ service: LocalAttribute) {
    locked { withdraw { $0.id == service } }
  }

  func removeAll() {
    locked { withdraw { _ in true } }
  }

  private func withdraw(_ condition: (LocalService) -> Bool) {
    restoration?.removeServices(where: condition)
    let handles = host.server.remove(of: self, where: condition)
    guard !handles.isEmpty else { return }
    for link in host.incoming { link.servicesChanged(handles) }
  }

  // MARK: - Advertising

  func startAdvertising(_ advertisement: RadioAdvertisement) {
    locked {
      let error: RadioError? = advertiser == nil ? nil : .system(.alreadyAdvertising)
      if error == nil {
        advertiser = Advertiser(advertisement.fitted, of: host)
        restoration?.advertisement = advertisement
        conditionsChanged()
      }
      advertiser?.wake()
      environment.after(0) { [weak self] in self?.send(.advertisingStarted(error)) }
    }
  }

  func stopAdvertising() {
    locked {
      advertiser?.stop()
      advertiser = nil
      restoration?.advertisement = nil
    }
  }

  // MARK: - Requests

  /// Requests a value from the manager; without an answer the completion is never called.
  func read(
    _ id: LocalAttribute, offset: Int, by central: RemoteCentral,
    _ completion: @escaping (Result<Data, RadioError>) -> Void
  ) {
    let number = environment.nextNumber()
    open[number] = completion
    send(.read(number, central, id, offset: offset))
  }

  func write(
    _ parts: [WritePart], by central: RemoteCentral,
    _ completion: @escaping (Result<Data, RadioError>) -> Void
  ) {
    let number = environment.nextNumber()
    open[number] = completion
    send(.write(number, central, parts))
  }

  func respond(to request: RequestNumber, _ answer: Result<Data, RadioError>) {
    locked { open.removeValue(forKey: request)?(answer) }
  }

  // MARK: - Updates

  func update(
    _ value: Data, of characteristic: LocalAttribute, for centrals: [PeerIdentifier]?,
    number: RequestNumber
  ) {
    locked {
      guard let handle = host.server.handle(of: characteristic, in: self) else {
        return send(.updateSent(number))
      }
      let receivers = host.incoming.filter { link in
        link.isSubscribed(to: handle)
          && centrals?.contains(link.centralIdentifier) ?? true
      }
      let countdown = Countdown(receivers.count) { [weak self] in
        self?.send(.updateSent(number))
      }
      for link in receivers { link.push(value, of: handle, countdown.countDown) }
    }
  }

  func setLatency(_ latency: CBPeripheralManagerConnectionLatency, for central: PeerIdentifier) {
    locked {
      host.incoming.first { $0.centralIdentifier == central }?.setLatency(latency)
    }
  }

  // MARK: - The end

  /// The state is below powered off: advertising has ended, the database is cleared.
  func reset() {
    advertiser?.stop()
    advertiser = nil
    restoration?.advertisement = nil
    open = [:]
    withdraw { _ in true }
    withdrawChannels()
  }

  func close() {
    locked { finish() }
  }

  func finish() {
    reset()
    detach()
    host.peripherals.removeAll { $0 === self }
    // Without any peripheral manager left, the device accepts no connections.
    guard host.peripherals.isEmpty else { return }
    for link in host.incoming where !link.isAbandoned {
      link.end(.system(.peripheralDisconnected))
    }
  }
}

// MARK: - The application

extension PeripheralRole: ApplicationRole {
  func conditionsChanged() {
    advertiser?.setConditions(
      isPaused: !isServing, isInBackground: application.state != .foreground)
    deliverWaiting()
  }

  func processEnded(keepsState: Bool) {
    if keepsState, let restoreIdentifier, isWorthKeeping {
      for role in host.peripherals where role.isKept(for: application, restoreIdentifier) {
        role.finish()
      }
      let heir = PeripheralRole(
        host: host, application: application, restoring: restoreIdentifier)
      host.peripherals.append(heir)
      heir.inherit(from: self)
    }
    finish()
  }

  /// Whether Bluetooth is on, and has been since the last state reported to the manager.
  private var isWorthKeeping: Bool {
    let hasOtherState = waiting.contains { if case .stateChanged = $0 { true } else { false } }
    return host.state == .poweredOn && !hasOtherState && restoration?.isEmpty == false
  }

  /// Takes over the activities; requests that the old manager received and did not answer fail.
  private func inherit(from old: PeripheralRole) {
    restoration = old.restoration
    (advertiser, old.advertiser) = (old.advertiser, nil)
    host.server.handOver(from: old, to: self)
    for event in old.waiting {
      switch event {
      case .read(let number, _, _, _), .write(let number, _, _):
        open[number] = old.open.removeValue(forKey: number)
        waiting.append(event)
      case .subscribed, .unsubscribed:
        waiting.append(event)
      default:
        break
      }
    }
    let abandoned = old.open
    old.open = [:]
    for request in abandoned.sorted(by: { $0.key < $1.key }) {
      request.value(.failure(.attribute(.unlikelyError)))
    }
  }

  func loseConnections() {
    waiting = []
    open = [:]
    restoration?.loseConnections()
  }
}

/// Calls a closure when all parts are done.
final class Countdown {
  private var count: Int
  private let action: () -> Void

  init(_ count: Int, _ action: @escaping () -> Void) {
    self.count = count
    self.action = action
    if count == 0 { action() }
  }

  func countDown() {
    count -= 1
    if count == 0 { action() }
  }
}

extension RadioAdvertisement {
  /// The part that fits: 28 bytes, plus 10 for the name; other services use the overflow area.
  var fitted: Self {
    var result = self
    var room = 28
    result.services = []
    for service in services {
      let size = service.bytes.count
      if size <= room {
        result.services.append(service)
        room -= size
      } else {
        result.overflowServices.append(service)
      }
    }
    return result
  }
}

extension RadioAdvertisement {
  /// The background form: without the name, and with all services in the overflow area.
  var inBackground: Self {
    var result = self
    result.localName = nil
    result.services = []
    result.overflowServices = services + overflowServices
    return result
  }
}
