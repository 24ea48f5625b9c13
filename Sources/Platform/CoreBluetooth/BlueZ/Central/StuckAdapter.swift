// SPDX-License-Identifier: Apache-2.0

/// Notices that the kernel makes no connections any more, and restarts the adapter.
///
/// If an attempt is given up in the moment in which its link comes up, Linux 6.1 keeps that attempt
/// until the adapter is switched off (net/bluetooth/hci_event.c, `le_conn_complete_evt`: "Drop the
/// connection if it has been aborted"). As long as it has one, it makes no other to any peer.
/// bluetoothd does not notice, and devices in sight are not connected: a gateway would read nothing
/// until somebody restarts it.
///
/// Everything here runs on the host's queue.
final class StuckAdapter {
  private static let interval = Duration.seconds(5)
  /// Restarting ends what other programs do with the adapter, so that it is not done often.
  private static let leastTimeBetweenRestarts = Duration.seconds(600)

  private unowned let host: BlueZHost
  private var evidence = StuckEvidence()
  private var isWatching = false
  private var lastRestart: ContinuousClock.Instant?

  init(host: BlueZHost) {
    self.host = host
  }

  /// A link is to be asked for.
  func attemptBegins(to device: BlueZDevice) {
    look()
    if let address = device.address?.text { evidence.attemptBegins(to: address) }
    watch()
  }

  /// A link came up: the kernel makes connections.
  func linkCameUp() {
    evidence = StuckEvidence()
    host.discovery.isProving = false
  }

  func stateChanged() {
    if host.state != .poweredOn { linkCameUp() }
  }

  /// A discovery has received a peer just now.
  func received(_ device: BlueZDevice) {
    guard evidence.isSuspicious(at: .now), let address = device.address?.text,
      attempts.contains(address), evidence.sees(address, at: .now)
    else { return }
    restart()
  }

  // MARK: - Watching

  private var attempts: Set<String> { host.links.attempts }

  private func watch() {
    guard !isWatching else { return }
    isWatching = true
    host.after(Self.interval) { [weak self] in
      guard let self else { return }
      isWatching = false
      look()
      let isAttempting = !attempts.isEmpty
      // Whether there are devices in sight that are not connected.
      host.discovery.isProving = isAttempting && evidence.isSuspicious(at: .now)
      if isAttempting { watch() }
    }
  }

  private func look() {
    guard let adapter = host.adapter else { return }
    evidence.look(at: KernelLinks.read(at: adapter), attempts: attempts, at: .now)
  }

  private func restart() {
    let now = ContinuousClock.now
    if let lastRestart, now - lastRestart < Self.leastTimeBetweenRestarts { return }
    // What is connected works; it would be disconnected.
    guard !host.devices.contains(where: \.isConnected) else { return }
    lastRestart = now
    host.restartAdapter()
  }
}

/// What is known of an adapter's attempts to connect, by the addresses of the peers.
struct StuckEvidence {
  /// How long the kernel may need to end an attempt that was given up.
  static let patience = Duration.seconds(10)
  /// How long a peer may be in sight before it is connected.
  static let reaction = Duration.seconds(3)

  /// The attempts of the kernel that nobody here makes, and since when.
  private var leftovers: [String: ContinuousClock.Instant] = [:]
  /// When a peer was first in sight in the attempt that runs.
  private var sights: [String: ContinuousClock.Instant] = [:]

  /// Takes note of the kernel's links, and of the peers that are to be connected.
  mutating func look(
    at links: [KernelLink], attempts: Set<String>, at now: ContinuousClock.Instant
  ) {
    let pending = Set(links.filter { $0.isOutgoing && $0.isConnecting }.map(\.address))
    leftovers = leftovers.filter { pending.contains($0.key) }
    for address in pending.subtracting(attempts) where leftovers[address] == nil {
      leftovers[address] = now
    }
  }

  mutating func attemptBegins(to address: String) {
    sights[address] = nil
  }

  /// Whether the kernel has an attempt that should have ended.
  ///
  /// It may be that of another program; so this alone proves nothing.
  func isSuspicious(at now: ContinuousClock.Instant) -> Bool {
    leftovers.values.contains { now - $0 >= Self.patience }
  }

  /// Takes note that a peer that is to be connected is in sight.
  ///
  /// - Returns: Whether that proves that the kernel makes no connections.
  mutating func sees(_ address: String, at now: ContinuousClock.Instant) -> Bool {
    guard isSuspicious(at: now) else { return false }
    guard let first = sights[address] else {
      sights[address] = now
      return false
    }
    return now - first >= Self.reaction
  }
}
