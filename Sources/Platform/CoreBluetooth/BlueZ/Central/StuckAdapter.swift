// SPDX-License-Identifier: Apache-2.0

/// Notices that the kernel makes no connections any more, and restarts the adapter.
///
/// If an attempt is given up while the kernel stops scanning to ask the controller for the link, Linux 6.1
/// asks for it all the same and keeps the attempt until the adapter is switched off
/// (net/bluetooth/hci_event.c, `le_conn_complete_evt`: "Drop the connection if it has been aborted"). As
/// long as it has one, it makes no other to any peer.
/// bluetoothd does not notice, and devices in sight are not connected: a gateway would read nothing
/// until somebody restarts it.
///
/// Everything here runs on the host's queue.
final class StuckAdapter {
  /// How often it is looked at the kernel's attempts, and how often while there is one that nobody makes.
  private static let intervals = (normal: Duration.seconds(20), leftover: Duration.seconds(5))
  /// Restarting ends what other programs do with the adapter, so that it is not done often, and less and
  /// less often where it does not help.
  private static let leastTimeBetweenRestarts = Duration.seconds(600)
  /// How long it is looked for devices in sight, and how often.
  private static let proof = (time: Duration.seconds(30), pause: Duration.seconds(90))

  private unowned let host: BlueZHost
  private var evidence = StuckEvidence()
  private var isWatching = false
  private var isLookingAgain = false
  /// How often the adapter was restarted since a link came up, and when it may be the next time.
  private var restarts = 0
  private var nextRestart: ContinuousClock.Instant?
  private var proofBegan: ContinuousClock.Instant?

  init(host: BlueZHost) {
    self.host = host
  }

  /// A link is to be asked for, or to be waited for.
  func attemptBegins(to device: BlueZDevice) {
    if let address = device.address?.text, let adapter = host.adapter {
      evidence.attemptBegins(to: address, KernelLinks.read(at: adapter), at: .now)
    }
    watch()
  }

  /// A link came up: the kernel makes connections.
  func linkCameUp() {
    restarts = 0
    forget()
  }

  func stateChanged() {
    if host.state != .poweredOn { forget() }
  }

  private func forget() {
    evidence = StuckEvidence()
    host.discovery.isProving = false
  }

  /// A discovery has received a peer just now.
  func received(_ device: BlueZDevice) {
    let now = ContinuousClock.now
    guard evidence.isSuspicious(at: now), let address = device.address?.text,
      host.links.wanted.contains(address)
    else { return }
    guard evidence.sees(address, at: now), mayRestart(at: now) else {
      // A controller reports a device once in a scan.
      return lookAgain()
    }
    restarts += 1
    nextRestart = now + Self.leastTimeBetweenRestarts * (1 << min(restarts - 1, 7))
    host.restartAdapter()
  }

  // MARK: - Watching

  private func watch() {
    guard !isWatching else { return }
    isWatching = true
    let interval = evidence.hasLeftovers ? Self.intervals.leftover : Self.intervals.normal
    host.after(interval) { [weak self] in
      guard let self else { return }
      isWatching = false
      look()
      let isWanted = !host.links.wanted.isEmpty
      prove(isWanted && evidence.isSuspicious(at: .now), at: .now)
      if isWanted { watch() }
    }
  }

  /// Looks for devices in sight, for some time now and then.
  private func prove(_ isNeeded: Bool, at now: ContinuousClock.Instant) {
    let isNeeded = isNeeded && mayRestart(at: now)
    let age = proofBegan.map { now - $0 }
    if host.discovery.isProving {
      host.discovery.isProving = isNeeded && age ?? .zero < Self.proof.time
    } else if isNeeded, age.map({ $0 >= Self.proof.pause }) ?? true {
      proofBegan = now
      host.discovery.isProving = true
    }
  }

  private func lookAgain() {
    guard host.discovery.isProving, !isLookingAgain else { return }
    isLookingAgain = true
    host.after(StuckEvidence.reaction + .milliseconds(200)) { [weak self] in
      self?.isLookingAgain = false
      self?.host.discovery.restart()
    }
  }

  private func look() {
    guard let adapter = host.adapter else { return }
    evidence.look(at: KernelLinks.read(at: adapter), attempts: host.links.wanted, at: .now)
  }

  private func mayRestart(at now: ContinuousClock.Instant) -> Bool {
    // What is connected works; it would be disconnected.
    nextRestart.map { now >= $0 } ?? true && !host.devices.contains(where: \.isConnected)
  }
}

/// What is known of an adapter's attempts to connect, by the addresses of the peers.
struct StuckEvidence {
  /// How long the kernel may need to end an attempt that was given up.
  static let timeout = Duration.seconds(10)
  /// How long a peer may be in sight before it is connected.
  static let reaction = Duration.seconds(3)
  /// How long a sight counts: after that the peer may have been away.
  static let memory = Duration.seconds(60)

  /// The attempts of the kernel that nobody here makes, and since when.
  private var leftovers: [String: ContinuousClock.Instant] = [:]
  /// When the attempt to connect a peer began that runs.
  private var begins: [String: ContinuousClock.Instant] = [:]
  /// When a peer that was to be connected was first in sight.
  private var sights: [String: ContinuousClock.Instant] = [:]

  /// True where the kernel has an attempt that nobody here makes.
  var hasLeftovers: Bool { !leftovers.isEmpty }

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

  /// Takes note that a peer is to be connected now; the kernel may have an attempt of its own already.
  mutating func attemptBegins(
    to address: String, _ links: [KernelLink], at now: ContinuousClock.Instant
  ) {
    begins[address] = now
    let isPending = links.contains {
      $0.address == address && $0.isOutgoing && $0.isConnecting
    }
    leftovers[address] = isPending ? leftovers[address] ?? now : nil
  }

  /// Whether the kernel has an attempt that should have ended.
  ///
  /// It may be that of another program; so this alone proves nothing.
  func isSuspicious(at now: ContinuousClock.Instant) -> Bool {
    leftovers.values.contains { now - $0 >= Self.timeout }
  }

  /// Takes note that a peer that is to be connected is in sight.
  ///
  /// - Returns: Whether that proves that the kernel makes no connections.
  mutating func sees(_ address: String, at now: ContinuousClock.Instant) -> Bool {
    guard isSuspicious(at: now) else { return false }
    guard let first = sights[address], now - first <= Self.memory else {
      sights[address] = now
      return false
    }
    // The attempt in which it was first in sight may have been given up since.
    return now - max(first, begins[address] ?? first) >= Self.reaction
  }
}
