// SPDX-License-Identifier: Apache-2.0

/// An advertisement on the air, which sleeps while no host would use a packet.
final class Advertiser {
  let host: HostCore
  private let base: RadioAdvertisement
  private(set) var content: RadioAdvertisement
  /// The version of the content, the same for the same content.
  private(set) var version = 0
  /// Whether the application may not advertise now.
  private(set) var isPaused = false
  private var isInBackground = false
  /// The next packet; nil while asleep.
  private var next: ScheduledEvent?
  private var due: Moment = 0

  init(_ advertisement: RadioAdvertisement, of host: HostCore) {
    self.host = host
    base = advertisement
    content = advertisement
    contentChanged()
  }

  /// Merges the host's data into the advertisement of its app.
  func contentChanged() {
    content = isInBackground ? base.inBackground : base
    content.manufacturerData = host.extras.manufacturerData
    content.serviceData = host.extras.serviceData
    content.txPower = host.extras.txPower
    content.isConnectable = host.extras.isConnectable
    version = host.version(of: content)
    wake()
  }

  /// Follows the state of the application.
  func setConditions(isPaused: Bool, isInBackground: Bool) {
    guard (isPaused, isInBackground) != (self.isPaused, self.isInBackground) else { return }
    self.isPaused = isPaused
    self.isInBackground = isInBackground
    contentChanged()
  }

  func stop() {
    next?.cancel()
    next = nil
  }

  /// Starts at a random moment of the interval, if any host listens.
  func wake() {
    guard next == nil, isHeard else { return }
    let interval = max(1, host.advertisingInterval.nanoseconds)
    let packet = ScheduledEvent { [weak self] in self?.sendPacket() }
    next = packet
    schedule(
      packet,
      at: host.environment.now + Int64.random(in: 0..<interval, using: &host.environment.random))
  }

  private func schedule(_ packet: ScheduledEvent, at moment: Moment) {
    due = moment
    host.environment.add(packet, at: moment)
  }

  private var mayAdvertise: Bool { !isPaused && host.mayAdvertise }

  private var isHeard: Bool {
    mayAdvertise
      && host.environment.listeners.contains { isHeard(by: $0) && host.isInRange($0.host) }
  }

  private func isHeard(by central: CentralRole) -> Bool {
    central.host !== host && central.listens(to: self)
  }

  private func sendPacket() {
    guard let packet = next else { return }
    var isUseful = false
    if mayAdvertise {
      for central in host.environment.listeners where isHeard(by: central) {
        guard reach(central) else { continue }
        isUseful = isUseful || central.listens(to: self)
      }
    }
    guard isUseful else {
      next = nil
      return
    }
    // A random delay of 0 to 10 ms keeps advertisers apart (Core Specification, Vol 6, B, 4.4.2.2).
    let delay = Int64.random(in: 0...10_000_000, using: &host.environment.random)
    // Counted from when this one was due, since in real time it was sent later; a delay of more
    // than a second is not made up for.
    let following = due + max(1, host.advertisingInterval.nanoseconds) + delay
    schedule(packet, at: max(following, host.environment.now - 1_000_000_000))
  }

  /// Sends a packet to a central; returns whether it is in range, even if the packet gets lost.
  private func reach(_ central: CentralRole) -> Bool {
    let medium = host.environment.medium
    let signal = host.signal(to: central.host)
    guard signal >= medium.sensitivity else { return false }
    let rssi = host.withNoise(signal)
    let isLost =
      medium.advertisementLoss > 0
      && Double.random(in: 0..<1, using: &host.environment.random) < medium.advertisementLoss
    if rssi >= medium.sensitivity, !isLost { central.receive(self, rssi: Int(rssi.rounded())) }
    return true
  }
}
