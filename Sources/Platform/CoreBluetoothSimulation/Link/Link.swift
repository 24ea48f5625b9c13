// SPDX-License-Identifier: Apache-2.0

@_spi(Radio) import CoreBluetooth

/// A connection of two hosts; touched with the air's lock held.
final class Link {
  /// A request of a manager.
  struct Order {
    // An order on its way must not keep its session, which keeps the air.
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
  var isEncrypted: Bool
  private(set) var isUp = true
  /// Whether one side has gone without a word; the link ends with the supervision time-out.
  private(set) var isAbandoned = false
  private(set) var mtu = 23
  private(set) var interval: Int64

  private var sessions: [CentralRole] = []
  var subscriptions: [AttributeHandle: Subscription] = [:]
  private var subscribers: [AttributeHandle: [CentralRole]] = [:]

  var orders: [Order] = []
  var isServing = false
  var pushes: [Push] = []
  var isPushing = false

  var channels: [Channel] = []
  /// What the channels send to the peripheral, and to the central.
  let uplink = ChannelTraffic()
  let downstream = ChannelTraffic()

  private var lastArrival: Moment = 0
  /// What happens when the signal is back; nil while there is one.
  private var parked: [() -> Void]?
  private var supervision: Appointment?

  init(central: HostCore, peripheral: HostCore, isEncrypted: Bool) {
    self.central = central
    self.peripheral = peripheral
    self.isEncrypted = isEncrypted
    interval = max(1, peripheral.link.connectionInterval.nanoseconds)
  }

  var ether: Ether { central.ether }

  /// The central as the peripheral's managers know it.
  var remoteCentral: RemoteCentral {
    RemoteCentral(identifier: peripheral.identifier(of: central), maximumUpdate: mtu - 3)
  }

  // MARK: - Time

  /// Does something later, if the link is up then; without a signal it waits for one.
  func after(_ delay: Int64, _ action: @escaping () -> Void) {
    ether.after(delay) { [weak self] in
      guard let self, isUp else { return }
      if parked != nil {
        parked?.append(action)
      } else {
        action()
      }
    }
  }

  /// The delay of a packet to the client: packets of one direction do not overtake each other.
  func downlink(_ delay: Int64) -> Int64 {
    lastArrival = max(lastArrival, ether.now + delay)
    return lastArrival - ether.now
  }

  // MARK: - Beginning

  func open(for session: CentralRole) {
    central.outgoing.append(self)
    peripheral.incoming.append(self)
    central.learnName(of: peripheral)
    join(session)
    for role in central.centrals where role !== session { role.linkOpened(self) }
    for role in central.centrals { role.report(.peerConnected, of: self) }
    after(2 * interval) { [weak self] in self?.exchangeMTU() }
  }

  func join(_ session: CentralRole) {
    if !has(session) { sessions.append(session) }
    session.send(.connected(central.peer(peripheral), maximumWrite: mtu - 3))
  }

  func has(_ session: CentralRole) -> Bool {
    sessions.contains { $0 === session }
  }

  private func exchangeMTU() {
    mtu = min(517, max(23, min(central.link.mtu, peripheral.link.mtu)))
    for session in sessions { session.send(.maximumWriteChanged(peerIdentifier, mtu - 3)) }
  }

  var peerIdentifier: PeerIdentifier { central.identifier(of: peripheral) }

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

  /// Notes who wants changes, and tells the server when that changes what the link wants.
  func subscribe(
    _ session: CentralRole, _ kind: Subscription, to characteristic: AttributeServer.Characteristic
  ) {
    let handle = characteristic.handle
    subscribers[handle, default: []].removeAll { $0 === session }
    if kind != .none { subscribers[handle, default: []].append(session) }
    let isWanted = !(subscribers[handle] ?? []).isEmpty
    let wasWanted = isSubscribed(to: handle)
    subscriptions[handle] = isWanted ? (kind == .none ? subscriptions[handle] : kind) : nil
    guard isWanted != wasWanted else { return }
    let id = characteristic.local.id
    characteristic.role.send(
      isWanted ? .subscribed(remoteCentral, id) : .unsubscribed(remoteCentral, id))
  }

  func subscribers(of handle: AttributeHandle) -> [CentralRole] {
    subscribers[handle] ?? []
  }

  /// Puts a session in the place of one whose process is gone; its open requests are dropped, and
  /// its channels are closed.
  func handOver(from old: CentralRole, to new: CentralRole) {
    closeChannels(of: old)
    orders.removeAll { $0.session === old }
    sessions = sessions.map { $0 === old ? new : $0 }
    subscribers = subscribers.mapValues { $0.map { $0 === old ? new : $0 } }
  }

  func servicesRemoved(_ handles: [AttributeHandle]) {
    after(interval) { [weak self] in
      guard let self else { return }
      for session in sessions { session.send(.servicesChanged(peerIdentifier, handles)) }
    }
  }

  // MARK: - Range

  /// Without a signal the link waits; after the supervision time-out it is lost.
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
    supervision = ether.after(peripheral.link.supervisionTimeout.nanoseconds) { [weak self] in
      self?.end(.system(.connectionTimeout))
    }
  }

  /// One side's radio is gone; that side hears about it from its state.
  func powerLost(at host: HostCore, saysGoodbye: Bool) {
    guard isUp else { return }
    failChannels(at: host)
    if host === central {
      sessions = []
      if saysGoodbye {
        end(nil)
      } else {
        loseSignalForGood()
      }
    } else if saysGoodbye {
      end(.system(.peripheralDisconnected))
    } else {
      loseSignalForGood()
    }
  }

  private func loseSignalForGood() {
    isAbandoned = true
    if supervision == nil { loseSignal() }
  }

  /// One side restarts: it knows nothing of the link any more.
  func abandon(at host: HostCore) {
    if host === peripheral { (subscriptions, subscribers) = ([:], [:]) }
    powerLost(at: host, saysGoodbye: false)
  }

  // MARK: - The end

  /// Ends the part of one manager, which hears of it; without any manager the link ends.
  func requestLeave(_ session: CentralRole) {
    ether.after(interval) { [weak self, weak session] in
      guard let self, let session, has(session) else { return }
      leave(session)
      session.send(.disconnected(peerIdentifier, nil))
    }
  }

  /// Ends the part of one manager, which hears nothing.
  func leave(_ session: CentralRole) {
    guard has(session) else { return }
    orders.removeAll { $0.session === session }
    closeChannels(of: session)
    for handle in subscribers.keys.sorted() where subscribers(of: handle).contains(session) {
      if let characteristic = peripheral.server.characteristic(handle) {
        subscribe(session, .none, to: characteristic)
      }
    }
    sessions.removeAll { $0 === session }
    if sessions.isEmpty { end(nil) }
  }

  /// The link is gone; the managers of the central hear the reason.
  func end(_ reason: RadioError?) {
    guard isUp else { return }
    isUp = false
    supervision?.cancel()
    central.outgoing.removeAll { $0 === self }
    peripheral.incoming.removeAll { $0 === self }
    for session in sessions { session.send(.disconnected(peerIdentifier, reason)) }
    for role in central.centrals { role.report(.peerDisconnected, of: self) }
    for handle in subscriptions.keys.sorted() {
      guard let characteristic = peripheral.server.characteristic(handle) else { continue }
      characteristic.role.send(.unsubscribed(remoteCentral, characteristic.local.id))
    }
    endChannels(reason)
    let unsent = pushes
    (sessions, orders, pushes, subscriptions, subscribers) = ([], [], [], [:], [:])
    for push in unsent { push.sent() }
    ether.wakeAdvertisers()
  }
}

extension [CentralRole] {
  fileprivate func contains(_ session: CentralRole) -> Bool {
    contains { $0 === session }
  }
}
