// SPDX-License-Identifier: Apache-2.0

/// A channel over a link; accessed with the environment's lock held.
final class Channel {
  let psm: CBL2CAPPSM
  weak var link: SimulatedLink?
  /// The session that opened it.
  weak var session: CentralRole?
  /// The role that published its service.
  weak var role: PeripheralRole?
  let atCentral: ChannelHalf
  let atPeripheral: ChannelHalf

  init(
    _ psm: CBL2CAPPSM, on link: SimulatedLink, from session: CentralRole, to role: PeripheralRole
  ) {
    self.psm = psm
    self.link = link
    self.session = session
    self.role = role
    let (central, peripheral) = (link.central.channel, link.peripheral.channel)
    atCentral = ChannelHalf(
      isCentral: true, owner: session.owner,
      outgoing: ChannelFlow(to: peripheral, from: central))
    atPeripheral = ChannelHalf(
      isCentral: false, owner: role.owner,
      outgoing: ChannelFlow(to: central, from: peripheral))
    atCentral.channel = self
    atPeripheral.channel = self
  }

  func other(of half: ChannelHalf) -> ChannelHalf {
    half === atCentral ? atPeripheral : atCentral
  }

  // MARK: - Bytes

  /// Continues sending the bytes of a half.
  func pump(_ half: ChannelHalf) {
    guard let link else { return }
    link.traffic(of: half).wake(half, on: link)
    if half.isClosing, half.outgoing.isDrained, !half.isSending { sendDisconnection(half) }
  }

  func arrive(_ frame: ChannelFlow.Frame, from half: ChannelHalf) {
    let receiver = other(of: half)
    // Bytes that arrive for a closed half are dropped.
    if receiver.end == nil, half.outgoing.receive(frame) { receiver.notify() }
    if half.outgoing.becameWritable() { half.notify() }
    pump(half)
  }

  func read(_ maximum: Int, at half: ChannelHalf) -> [UInt8] {
    let sender = other(of: half)
    let (bytes, credits) = sender.outgoing.read(maximum)
    if credits > 0, half.end == nil, let link {
      link.carry(link.slot, toClient: !half.isCentral) { [weak self] in
        sender.outgoing.addCredits(credits)
        self?.pump(sender)
      }
    }
    return bytes
  }

  // MARK: - The end

  /// One side closes: the bytes it wrote are sent before the other side is notified.
  func close(_ half: ChannelHalf) {
    guard half.end == nil else { return }
    half.finish(.closed)
    half.isClosing = true
    pump(half)
  }

  private func sendDisconnection(_ half: ChannelHalf) {
    half.isClosing = false
    guard let link else { return }
    link.carry(link.slot, toClient: !half.isCentral) { [self] in
      let receiver = other(of: half)
      receiver.outgoing.dropUnsent()
      receiver.finish(.closed)
      self.link?.remove(self)
    }
  }

  /// The link is gone.
  func abort(atCentral central: RadioChannelEnd, atPeripheral peripheral: RadioChannelEnd) {
    atCentral.outgoing.dropUnsent()
    atPeripheral.outgoing.dropUnsent()
    atCentral.finish(central)
    atPeripheral.finish(peripheral)
  }
}

/// One side of a channel; accessed with the environment's lock held.
final class ChannelHalf {
  let isCentral: Bool
  let owner: ChannelOwner
  weak var channel: Channel?
  /// The bytes that this half sends, including those that the other has not read.
  var outgoing: ChannelFlow
  /// Whether a frame is on the air.
  var isSending = false
  /// Whether the other side has to be notified of the end.
  var isClosing = false
  private(set) var end: RadioChannelEnd?
  private weak var listener: (any RadioChannelListener)?
  private var isNotifying = false

  init(isCentral: Bool, owner: ChannelOwner, outgoing: ChannelFlow) {
    self.isCentral = isCentral
    self.owner = owner
    self.outgoing = outgoing
  }

  private var environment: EnvironmentCore { owner.environment }

  func setListener(_ listener: (any RadioChannelListener)?) {
    self.listener = listener
    if let listener { environment.channelNotifier.add(listener) }
  }

  /// Ends this half, once.
  func finish(_ end: RadioChannelEnd) {
    guard self.end == nil else { return }
    self.end = end
    notify()
  }

  /// Notifies the listener of a change, without the lock, when its app may receive events.
  func notify() {
    guard !isNotifying, listener != nil, owner.isRunning else { return }
    guard owner.isAwake else { return owner.application.deferNotification(self) }
    isNotifying = true
    let half = UnguardedHalf(half: self)
    environment.deliver(to: environment.mailbox(of: environment.channelNotifier.queue)) {
      half.notifyListener()
    }
  }

  /// The listener, unless the app has stopped while the notification was on its way.
  private func takeListener() -> (any RadioChannelListener)? {
    isNotifying = false
    if owner.isRunning, owner.isAwake { return listener }
    notify()
    return nil
  }

  private struct UnguardedHalf: @unchecked Sendable {
    let half: ChannelHalf

    func notifyListener() {
      half.environment.locked { half.takeListener() }?.channelChanged()
    }
  }
}
