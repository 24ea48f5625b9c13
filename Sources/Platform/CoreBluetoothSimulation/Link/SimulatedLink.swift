// SPDX-License-Identifier: Apache-2.0

/// A connection of two hosts; accessed with the environment's lock held.
final class SimulatedLink {
  /// A request of a manager.
  struct QueuedRequest {
    // A queued request must not retain its session, which retains the environment.
    weak var session: CentralRole?
    let number: RequestNumber
    let request: PeerRequest
  }

  /// A notification or an indication on its way.
  struct Push {
    let handle: AttributeHandle
    let value: Data
    let sent: () -> Void
  }

  let central: HostCore
  let peripheral: HostCore
  /// The identifiers of the peripheral on the central and vice versa, while the link is up.
  let peerIdentifier: PeerIdentifier
  let centralIdentifier: PeerIdentifier
  var isEncrypted: Bool
  private(set) var isUp = true
  /// Whether one side has vanished silently; the link ends with the supervision timeout.
  private(set) var isAbandoned = false
  private(set) var mtu = 23
  private(set) var interval: Int64

  private var sessions: [CentralRole] = []
  var subscriptions: [AttributeHandle: Subscription] = [:]
  private var subscribers: [AttributeHandle: [CentralRole]] = [:]

  var queue: [QueuedRequest] = []
  var isServing = false
  var pushes: [Push] = []
  var isPushing = false

  var channels: [Channel] = []
  /// The traffic of the channels to the peripheral, and to the central.
  let uplink = ChannelTraffic()
  let downstream = ChannelTraffic()

  private var lastArrival: Moment = 0
  /// The actions that wait for the signal to return; nil while there is one.
  private var parked: [() -> Void]?
  private var supervision: ScheduledEvent?

  init(central: HostCore, peripheral: HostCore, isEncrypted: Bool) {
    self.central = central
    self.peripheral = peripheral
    peerIdentifier = central.identifier(of: peripheral)
    centralIdentifier = peripheral.identifier(of: central)
    self.isEncrypted = isEncrypted
    interval = max(1, peripheral.link.connectionInterval.nanoseconds)
  }

  var environment: EnvironmentCore { central.environment }

  /// The central as seen by the peripheral's managers.
  var remoteCentral: RemoteCentral {
    RemoteCentral(identifier: centralIdentifier, maximumUpdate: mtu - 3)
  }

  /// The peripheral as seen by the central's managers.
  var peer: RadioPeer { central.peer(peerIdentifier) }

  // MARK: - Time

  /// Performs an action later, if the link is up then; without a signal it waits for one.
  func after(_ delay: Int64, _ action: @escaping () -> Void) {
    environment.after(delay) { [weak self] in
      guard let self, isUp else { return }
      if parked != nil {
        parked?.append(action)
      } else {
        action()
      }
    }
  }

  /// Performs an action when a packet of either side has reached the other.
  func carry(_ delay: Int64, toClient: Bool, _ action: @escaping () -> Void) {
    if toClient { transmitBack(delay, action) } else { transmit(delay, action) }
  }

  /// Performs an action when a packet has reached the server.
  func transmit(_ delay: Int64, _ action: @escaping () -> Void) {
    guard let repetitions = retransmissionTime() else { return }
    after(delay + repetitions, action)
  }

  /// Performs an action when a packet has reached the client; packets do not overtake each other.
  func transmitBack(_ delay: Int64, _ action: @escaping () -> Void) {
    guard let repetitions = retransmissionTime() else { return }
    lastArrival = max(lastArrival, environment.now + delay + repetitions)
    after(lastArrival - environment.now, action)
  }

  /// The time spent on repeating a packet until it is acknowledged; nil when the link is lost.
  private func retransmissionTime() -> Int64? {
    let loss = environment.medium.packetLoss
    guard loss > 0 else { return 0 }
    let timeout = peripheral.link.supervisionTimeout.nanoseconds
    var time: Int64 = 0
    while Double.random(in: 0..<1, using: &environment.random) < loss {
      time += interval
      guard time < timeout else {
        after(timeout) { [weak self] in self?.end(.system(.connectionTimeout)) }
        return nil
      }
    }
    return time
  }

  // MARK: - Beginning

  func open(for session: CentralRole) {
    central.outgoing.append(self)
    peripheral.incoming.append(self)
    central.learnName(peripheral.name, of: peerIdentifier)
    for role in central.centrals { role.report(.peerConnected, of: self) }
    join(session)
    for role in central.centrals where role !== session { role.linkOpened(self) }
    after(2 * interval) { [weak self] in self?.exchangeMTU() }
    checkDatabase()
  }

  /// Makes a manager a user of the link, if it is none, and reports the connection to it.
  func join(_ session: CentralRole) {
    if !has(session) { sessions.append(session) }
    session.send(.connected(peer, maximumWrite: mtu - 3))
  }

  func has(_ session: CentralRole) -> Bool {
    sessions.contains { $0 === session }
  }

  private func exchangeMTU() {
    mtu = min(517, max(23, min(central.link.mtu, peripheral.link.mtu)))
    for session in sessions { session.send(.maximumWriteChanged(peerIdentifier, mtu - 3)) }
  }

  func nameChanged(to name: String) {
    after(interval) { [weak self] in
      guard let self else { return }
      central.learnName(name, of: peerIdentifier)
      for session in sessions { session.send(.nameChanged(peerIdentifier, name)) }
    }
  }

  func setLatency(_ latency: CBPeripheralManagerConnectionLatency) {
    let base = max(1, peripheral.link.connectionInterval.nanoseconds)
    interval =
      switch latency {
      case .low: max(1, base / 2)
      case .medium: base
      default: base * 4
      }
  }

  // MARK: - Subscriptions

  func isSubscribed(to handle: AttributeHandle) -> Bool {
    subscriptions[handle] ?? .none != .none
  }

  /// Notes a session's subscription, and notifies the server when that of the link changes.
  func subscribe(
    _ session: CentralRole, _ kind: Subscription, to characteristic: AttributeTable.Characteristic
  ) {
    let handle = characteristic.handle
    subscribers[handle, default: []].removeAll { $0 === session }
    if kind != .none { subscribers[handle, default: []].append(session) }
    let isWanted = !(subscribers[handle] ?? []).isEmpty
    let wasWanted = isSubscribed(to: handle)
    subscriptions[handle] = isWanted ? (kind == .none ? subscriptions[handle] : kind) : nil
    guard isWanted != wasWanted else { return }
    let id = characteristic.local.id
    characteristic.role?.send(
      isWanted ? .subscribed(remoteCentral, id) : .unsubscribed(remoteCentral, id))
  }

  func subscribers(of handle: AttributeHandle) -> [CentralRole] {
    subscribers[handle] ?? []
  }

  /// Replaces a session whose process has ended by another.
  ///
  /// Its open requests are dropped, and its channels are closed.
  func handOver(from old: CentralRole, to new: CentralRole) {
    closeChannels(of: old)
    queue.removeAll { $0.session === old }
    sessions = sessions.map { $0 === old ? new : $0 }
    subscribers = subscribers.mapValues { $0.map { $0 === old ? new : $0 } }
  }

  // MARK: - The client's knowledge

  /// The database that the client's system has cached for a bonded peer, perhaps out of date.
  var knownDatabase: AttributeTable? {
    get { central.databases[peerIdentifier] }
    set { central.databases[peerIdentifier] = isEncrypted ? newValue : nil }
  }

  /// Notifies a bonded client after connecting if the services have changed.
  private func checkDatabase() {
    guard let known = knownDatabase?.handles else { return }
    let present = peripheral.server.table.handles
    if known != present { servicesChanged(known.filter { !present.contains($0) }, after: 4) }
  }

  /// Notifies the client of removed or added services, a number of intervals later.
  func servicesChanged(_ invalid: [AttributeHandle], after intervals: Int64 = 1) {
    after(intervals * interval) { [weak self] in
      guard let self else { return }
      knownDatabase = nil
      guard !invalid.isEmpty else { return }
      for session in sessions { session.send(.servicesChanged(peerIdentifier, invalid)) }
    }
  }

  // MARK: - Range

  /// Without a signal the link waits; after the supervision timeout it is lost.
  func checkRange() {
    guard isUp else { return }
    if central.isInRange(peripheral), !isAbandoned {
      supervision?.cancel()
      supervision = nil
      let waiting = parked ?? []
      parked = nil
      for action in waiting { after(0, action) }
    } else if parked == nil {
      loseSignal()
    }
  }

  private func loseSignal() {
    parked = []
    supervision = environment.after(peripheral.link.supervisionTimeout.nanoseconds) { [weak self] in
      self?.end(.system(.connectionTimeout))
    }
  }

  /// One side's radio is off; that side learns it from the radio's state.
  func powerLost(at host: HostCore, sendsDisconnection: Bool) {
    guard isUp else { return }
    failChannels(at: host)
    if host === central {
      sessions = []
      if sendsDisconnection {
        end(nil)
      } else {
        loseSignalPermanently()
      }
    } else if sendsDisconnection {
      end(.system(.peripheralDisconnected))
    } else {
      loseSignalPermanently()
    }
  }

  private func loseSignalPermanently() {
    isAbandoned = true
    if supervision == nil { loseSignal() }
  }

  /// One side restarts, and has lost its state of the link.
  func abandon(at host: HostCore) {
    if host === peripheral { (subscriptions, subscribers) = ([:], [:]) }
    powerLost(at: host, sendsDisconnection: false)
  }

  // MARK: - The end

  /// Removes one manager and notifies it; without any manager the link ends.
  func requestLeave(_ session: CentralRole) {
    environment.after(interval) { [weak self, weak session] in
      guard let self, let session, has(session) else { return }
      session.send(.disconnected(peerIdentifier, nil))
      leave(session)
    }
  }

  /// Removes one manager without notifying it.
  func leave(_ session: CentralRole) {
    guard has(session) else { return }
    queue.removeAll { $0.session === session }
    closeChannels(of: session)
    for handle in subscribers.keys.sorted() where subscribers(of: handle).contains(session) {
      if let characteristic = peripheral.server.table.characteristic(handle) {
        subscribe(session, .none, to: characteristic)
      }
    }
    sessions.removeAll { $0 === session }
    if sessions.isEmpty { end(nil) }
  }

  /// The link has ended; the managers of the central receive the reason.
  func end(_ reason: RadioError?) {
    guard isUp else { return }
    isUp = false
    supervision?.cancel()
    central.outgoing.removeAll { $0 === self }
    peripheral.incoming.removeAll { $0 === self }
    for session in sessions { session.send(.disconnected(peerIdentifier, reason)) }
    for role in central.centrals { role.report(.peerDisconnected, of: self) }
    for handle in subscriptions.keys.sorted() {
      guard let characteristic = peripheral.server.table.characteristic(handle) else { continue }
      characteristic.role?.send(.unsubscribed(remoteCentral, characteristic.local.id))
    }
    endChannels(reason)
    let unsent = pushes
    (sessions, queue, pushes, subscriptions, subscribers) = ([], [], [], [:], [:])
    for push in unsent { push.sent() }
    environment.wakeAdvertisers()
  }
}

extension [CentralRole] {
  fileprivate func contains(_ session: CentralRole) -> Bool {
    contains { $0 === session }
  }
}
