// SPDX-License-Identifier: Apache-2.0

@_spi(Radio) import CoreBluetooth

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
      isCentral: true, audience: session.audience,
      outgoing: ChannelFlow(to: peripheral, from: central))
    atPeripheral = ChannelHalf(
      isCentral: false, audience: role.audience,
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
    if half.isClosing, half.outgoing.isDrained, !half.isSending { sayGoodbye(half) }
  }

  func arrive(_ frame: ChannelFlow.Frame, from half: ChannelHalf) {
    let receiver = other(of: half)
    // Bytes that arrive for a closed half are lost.
    if receiver.end == nil, half.outgoing.receive(frame) { receiver.tell() }
    if half.outgoing.becameWritable() { half.tell() }
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

  private func sayGoodbye(_ half: ChannelHalf) {
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
  let audience: Audience
  weak var channel: Channel?
  /// The bytes that this half sends, including those that the other has not read.
  var outgoing: ChannelFlow
  /// Whether a frame is on the air.
  var isSending = false
  /// Whether the other side has to be notified of the end.
  var isClosing = false
  private(set) var end: RadioChannelEnd?
  private weak var listener: (any RadioChannelListener)?
  private var isTelling = false

  init(isCentral: Bool, audience: Audience, outgoing: ChannelFlow) {
    self.isCentral = isCentral
    self.audience = audience
    self.outgoing = outgoing
  }

  private var environment: EnvironmentCore { audience.environment }

  func setListener(_ listener: (any RadioChannelListener)?) {
    self.listener = listener
    if let listener { environment.desk.add(listener) }
  }

  /// Ends this half, once.
  func finish(_ end: RadioChannelEnd) {
    guard self.end == nil else { return }
    self.end = end
    tell()
  }

  /// Notifies the listener of a change, without the lock, when its app may receive events.
  func tell() {
    guard !isTelling, listener != nil, audience.isThere else { return }
    guard audience.isAwake else { return audience.application.putOff(self) }
    isTelling = true
    let half = UnguardedHalf(half: self)
    environment.deliver(to: environment.mailbox(of: environment.desk.queue)) { half.tellNow() }
  }

  /// The listener, unless the app has stopped while the notification was on its way.
  private func listenerToTell() -> (any RadioChannelListener)? {
    isTelling = false
    if audience.isThere, audience.isAwake { return listener }
    tell()
    return nil
  }

  private struct UnguardedHalf: @unchecked Sendable {
    let half: ChannelHalf

    func tellNow() {
      half.environment.locked { half.listenerToTell() }?.channelChanged()
    }
  }
}
