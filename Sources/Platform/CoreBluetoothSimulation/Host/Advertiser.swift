// SPDX-License-Identifier: Apache-2.0

@_spi(Radio) import CoreBluetooth

/// One advertisement on the air, which sleeps while nobody would take notice of a packet.
final class Advertiser {
  unowned let host: HostCore
  private let base: Advertisement
  private(set) var content: Advertisement
  /// The same for the same content.
  private(set) var version = 0
  /// Whether the application may not advertise now.
  private(set) var isPaused = false
  private var isInBackground = false
  private var next: Appointment?

  init(_ advertisement: Advertisement, of host: HostCore) {
    self.host = host
    base = advertisement
    content = advertisement
    contentChanged()
  }

  /// Merges what the host adds to the advertisement of its app.
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

  /// Starts at a random moment of the interval, if somebody listens.
  func wake() {
    guard next == nil, isHeard else { return }
    let interval = max(1, host.advertisingInterval.nanoseconds)
    schedule(after: Int64.random(in: 0..<interval, using: &host.ether.random))
  }

  private func schedule(after delay: Int64) {
    next = host.ether.after(delay) { [weak self] in self?.sendPacket() }
  }

  private var mayAdvertise: Bool { !isPaused && host.mayAdvertise }

  private var isHeard: Bool {
    mayAdvertise && host.ether.listeners.contains(where: isHeard(by:))
  }

  private func isHeard(by central: CentralRole) -> Bool {
    central.host !== host && central.listens(to: self) && host.isInRange(central.host)
  }

  private func sendPacket() {
    next = nil
    guard mayAdvertise else { return }
    var isOfUse = false
    for central in host.ether.listeners where isHeard(by: central) {
      reach(central)
      isOfUse = isOfUse || central.listens(to: self)
    }
    guard isOfUse else { return }
    // A random delay of 0 to 10 ms keeps advertisers apart (Core Specification, Vol 6, B, 4.4.2.2).
    let delay = Int64.random(in: 0...10_000_000, using: &host.ether.random)
    schedule(after: host.advertisingInterval.nanoseconds + delay)
  }

  private func reach(_ central: CentralRole) {
    let ether = host.ether
    let rssi = host.rssi(to: central.host)
    guard rssi >= ether.medium.sensitivity,
      ether.medium.advertisementLoss == 0
        || Double.random(in: 0..<1, using: &ether.random) >= ether.medium.advertisementLoss
    else { return }
    central.hear(self, rssi: Int(rssi.rounded()))
  }
}
