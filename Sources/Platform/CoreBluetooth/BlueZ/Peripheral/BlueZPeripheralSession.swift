// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency
internal import SantorioDBus

/// The peripheral role of an adapter under bluetoothd for one manager.
///
/// bluetoothd cannot
/// - send an update to some of several subscribers (such an update is not sent at all),
/// - report which of several subscribers has unsubscribed,
/// - answer with every error code,
/// - refuse a write to a characteristic that also takes writes without response,
/// - deliver a write to several characteristics as one,
/// - change the connection interval.
final class BlueZPeripheralSession: PeripheralSession, @unchecked Sendable {
  // Everything below is used on the host's queue only.
  let host: BlueZHost
  private let eventHandler: EventHandler<PeripheralEvent>
  private let file: RestorationFile<PeripheralRestoration>?
  private var isClosed = false
  /// Whether the services of an earlier process still have to be published again.
  private var needsRestoration = false

  /// The path prefix of this session.
  let root: String
  var plan = ApplicationPlan()
  var applications: [ApplicationPlan.Number: PublishedApplication] = [:]
  /// Services whose publication has not been answered.
  var unanswered: Set<LocalAttribute> = []
  var attributes: [LocalAttribute: PublishedAttribute] = [:]
  var requests: [RequestNumber: OpenRequest] = [:]
  var nextRequest: RequestNumber = 1
  var subscriptions = SubscriptionTable()
  var indications: [LocalAttribute: IndicationQueue] = [:]
  /// The centrals, by the paths of their devices.
  var centrals: [String: RemoteCentral] = [:]
  var advertiser: BlueZAdvertiser?
  var advertisements = 0
  var channels = PublishedChannels()

  private static let sessions = Locked(0)

  init(
    _ host: BlueZHost, queue: DispatchQueue, restoring identifier: String?,
    handler: @escaping @Sendable (PeripheralEvent) -> Void
  ) {
    self.host = host
    eventHandler = EventHandler(queue: queue, handler: handler)
    file = identifier.map {
      RestorationFile(
        host.files, "peripheral-" + BlueZFiles.fileName(for: $0), empty: PeripheralRestoration())
    }
    let number = Self.sessions.withLock { count in
      count += 1
      return count
    }
    root = "/org/santorio/peripheral\(number)"
    host.queue.async { self.start() }
  }

  private func start() {
    host.add(self)
    host.servers += 1
    restore()
    eventHandler.send(.stateChanged(host.state))
    publishRestored()
  }

  // MARK: - Events

  func send(_ event: PeripheralEvent) {
    eventHandler.send(event)
  }

  /// Runs a command of the manager, unless the session is closed.
  func perform(_ body: @escaping (BlueZPeripheralSession) -> Void) {
    host.queue.async { if !self.isClosed { body(self) } }
  }

  // MARK: - Restoration

  private func restore() {
    guard let file, var kept = file.take() else { return }
    // bluetoothd withdraws the services of a process that ends, and the subscriptions with them.
    kept.loseConnections()
    guard !kept.isEmpty else { return }
    file.value = kept
    needsRestoration = true
    eventHandler.send(.restored(kept))
  }

  private func publishRestored() {
    guard needsRestoration, host.state == .poweredOn, let kept = file?.value else { return }
    needsRestoration = false
    for service in kept.services { apply(plan.add(service)) }
    if let advertisement = kept.advertisement { advertise(advertisement, answers: false) }
  }

  /// Records the state to be restored.
  func keep(_ change: (inout PeripheralRestoration) -> Void) {
    if let file { change(&file.value) }
  }

  // MARK: - The manager's commands

  func add(_ service: LocalService) {
    perform { $0.publish(service) }
  }

  func remove(_ service: LocalAttribute) {
    perform { $0.withdraw(service) }
  }

  func removeAll() {
    perform { $0.withdrawAll() }
  }

  func startAdvertising(_ advertisement: RadioAdvertisement) {
    perform { $0.advertise(advertisement, answers: true) }
  }

  func stopAdvertising() {
    perform { $0.endAdvertising() }
  }

  func respond(to request: RequestNumber, _ answer: Result<Data, RadioError>) {
    perform { $0.requests.removeValue(forKey: request)?.call.reply(with: answer) }
  }

  func update(
    _ value: Data, of characteristic: LocalAttribute, for centrals: [PeerIdentifier]?,
    number: RequestNumber
  ) {
    perform { $0.push(value, of: characteristic, for: centrals, number) }
  }

  func publishChannel(encrypted: Bool) {
    perform { $0.listen(encrypted: encrypted) }
  }

  func unpublishChannel(_ psm: CBL2CAPPSM) {
    perform { $0.stopListening(psm) }
  }

  /// bluetoothd has no call for the interval of one connection.
  func setLatency(_ latency: CBPeripheralManagerConnectionLatency, for central: PeerIdentifier) {}

  func close() {
    eventHandler.close()
    perform { session in
      session.clear()
      session.file?.remove()
      session.host.remove(session)
      session.host.servers -= 1
      session.endIncomingLinks()
      session.isClosed = true
    }
  }

  /// Withdraws everything.
  private func clear() {
    endAdvertising()
    withdrawAll()
    channels.removeAll()
    requests = [:]
    centrals = [:]
    subscriptions = SubscriptionTable()
  }
}

// MARK: - The host

extension BlueZPeripheralSession: BlueZObserver {
  func stateChanged(_ state: CBManagerState) {
    guard !isClosed else { return }
    if state != .poweredOn { endLinks() }
    if state.rawValue < CBManagerState.poweredOff.rawValue, state != .unknown {
      needsRestoration = false
      clear()
    }
    keep { $0.record(.stateChanged(state)) }
    send(.stateChanged(state))
    publishRestored()
  }

  func objectsChanged(_ change: DBusObjectTree.Change) {
    guard !isClosed else { return }
    switch change {
    case .changed(let path, BlueZ.device, let properties, _):
      if let isConnected = properties["Connected"]?.bool {
        if isConnected { beginLink(path) } else { endLink(path) }
      }
    case .removed(let path, BlueZ.device): endLink(path)
    default: break
    }
  }
}
