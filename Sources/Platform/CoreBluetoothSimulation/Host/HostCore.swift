// SPDX-License-Identifier: Apache-2.0

/// The state of a host; accessed with the environment's lock held.
final class HostCore {
  let environment: EnvironmentCore
  let index: Int
  var name: String { didSet { nameChanged() } }
  var position: SimulatedPosition { didSet { environment.moved(self) } }
  var state = CBManagerState.poweredOn
  /// Whether the user is asked whether applications may use Bluetooth.
  var isAskingForPermission = false

  var link = SimulatedLinkSettings()
  var channel = SimulatedChannelSettings()
  var advertisingInterval = Duration.milliseconds(100)
  var advertisesWhileConnected = true
  var maximumLinks = Int.max
  var extras = RadioAdvertisement() { didSet { advertisers.forEach { $0.contentChanged() } } }
  var pairing = SimulatedPairing.accept
  var pairingTime = Duration.milliseconds(500)
  var faults = Faults()
  var misuse: [String] = []
  var scansStarted = 0

  var applications: [ApplicationCore] = []
  /// Whether scans find services in the overflow area of advertisements, as those of iOS do.
  var readsOverflowArea = true { didSet { centrals.forEach { $0.reapplyFilters() } } }

  var centrals: [CentralRole] = []
  var peripherals: [PeripheralRole] = []
  let server = AttributeServer()
  var channelServices = ChannelServices()
  /// Links of which this host is the central.
  var outgoing: [SimulatedLink] = []
  /// Links of which this host is the peripheral.
  var incoming: [SimulatedLink] = []
  /// The bonds, by the index of the other host.
  var bonds: [Int: Bond] = [:]
  /// The attributes of bonded peers as the host knows them.
  var databases: [PeerIdentifier: AttributeTable] = [:]
  /// Whether the controller can measure the signal strength.
  var measuresSignal = true
  var hidesRoomBeforeFirstWrite = false
  var isRestricted = false
  /// Counts the changes of the host's address.
  private var addressNumber = 0
  private var addressBook: AddressBook
  private var versions: [RadioAdvertisement: Int] = [:]

  init(environment: EnvironmentCore, index: Int, name: String, position: SimulatedPosition) {
    self.environment = environment
    self.index = index
    self.name = name
    self.position = position
    addressBook = AddressBook(seed: environment.seed, owner: index)
    server.publishGenericServices(name: name)
  }

  // MARK: - Peers

  /// The identifier of another host on this one; without a bond, that of its address.
  func identifier(of other: HostCore) -> PeerIdentifier {
    bonds[other.index]?.identity
      ?? addressBook.identifier(of: other.index, at: other.addressNumber)
  }

  /// A host known to this one, perhaps by an address that it no longer uses.
  func host(_ identifier: PeerIdentifier) -> HostCore? {
    guard let index = addressBook.host(of: identifier), index < environment.hosts.count else {
      return nil
    }
    return environment.hosts[index]
  }

  func peer(_ identifier: PeerIdentifier, advertisedName: String? = nil) -> RadioPeer {
    RadioPeer(identifier: identifier, name: addressBook[name: identifier] ?? advertisedName)
  }

  func learnName(_ name: String, of identifier: PeerIdentifier) {
    addressBook[name: identifier] = name
  }

  func rotateAddress() {
    addressNumber += 1
    advertisers.forEach { $0.wake() }
  }

  /// Gives both hosts a new bond, in which each keeps an identifier of the other.
  func bond(
    with other: HostCore, as identity: PeerIdentifier, _ ownIdentity: PeerIdentifier
  ) {
    let key = environment.random.next()
    bonds[other.index] = Bond(key: key, identity: identity)
    other.bonds[index] = Bond(key: key, identity: ownIdentity)
  }

  func forgetBond(with index: Int) {
    guard let bond = bonds.removeValue(forKey: index) else { return }
    databases[bond.identity] = nil
  }

  private func nameChanged() {
    server.setName(name)
    for link in incoming { link.nameChanged(to: name) }
  }

  // MARK: - Range

  /// The average signal strength between two hosts, in dBm.
  func signal(to other: HostCore) -> Double {
    environment.medium.rssi(at: position.distance(to: other.position))
  }

  func isInRange(_ other: HostCore) -> Bool {
    signal(to: other) >= environment.medium.sensitivity
  }

  /// The strength of one packet.
  func rssi(to other: HostCore) -> Double { withNoise(signal(to: other)) }

  func withNoise(_ signal: Double) -> Double {
    let noise = max(0, environment.medium.rssiNoise)
    return signal + Double.random(in: -noise...noise, using: &environment.random)
  }

  // MARK: - Advertising

  /// A number for the content of an advertisement, the same whenever it is sent again.
  func version(of content: RadioAdvertisement) -> Int {
    if let known = versions[content] { return known }
    versions[content] = versions.count
    return versions.count - 1
  }

  var advertisers: [Advertiser] { peripherals.compactMap(\.advertiser).filter { !$0.isPaused } }

  /// Whether the host's state and links allow advertising.
  var mayAdvertise: Bool {
    state == .poweredOn && incoming.count < maximumLinks
      && (advertisesWhileConnected || incoming.isEmpty)
  }

  // MARK: - Applications

  var roles: [any ApplicationRole] { centrals + peripherals }

  /// Whether the radio listens for advertisements at this moment.
  var scansNow: Bool {
    environment.now % BackgroundScan.interval < BackgroundScan.window
      || centrals.contains { $0.isScanning && $0.application.state == .foreground }
  }

  /// Discards the state kept for applications that are not running.
  private func forgetKeptRoles() {
    for role in roles where !role.hasManager { role.finish() }
  }

  /// Ends all applications and all links as a restart of the whole host does.
  func restart() {
    for link in outgoing + incoming { link.abandon(at: self) }
    applications.forEach { $0.change(to: .terminated) }
    roles.forEach { $0.loseConnections() }
  }

  /// Releases everything that retains the host: links and the roles kept by the system.
  func shutDown() {
    (centrals, peripherals) = ([], [])
    (outgoing, incoming) = ([], [])
    channelServices = ChannelServices()
  }

  // MARK: - Power

  /// Asks the user; the answer is the next change of the state.
  func askForPermission() {
    isAskingForPermission = true
    changeState(to: .unknown)
  }

  func changeState(to new: CBManagerState) {
    if new != .unknown { isAskingForPermission = false }
    guard new != state else { return }
    let old = state
    state = new
    if old == .poweredOn {
      forgetKeptRoles()
      // A controller that is switched off ends its links; one that is reset drops them silently.
      let sendsDisconnection = new == .poweredOff
      for link in outgoing + incoming {
        link.powerLost(at: self, sendsDisconnection: sendsDisconnection)
      }
      centrals.forEach { $0.powerLost() }
    }
    if new.rawValue < CBManagerState.poweredOff.rawValue {
      peripherals.forEach { $0.reset() }
    }
    centrals.forEach { $0.send(.stateChanged(new)) }
    peripherals.forEach { $0.send(.stateChanged(new)) }
    environment.wakeAdvertisers()
  }
}

extension EnvironmentCore {
  /// Starts the sleeping advertisers that a host would receive.
  func wakeAdvertisers() {
    guard !listeners.isEmpty else { return }
    for host in hosts {
      for advertiser in host.advertisers { advertiser.wake() }
    }
  }

  /// To be called when a host has moved.
  func moved(_ host: HostCore) {
    for link in host.outgoing + host.incoming { link.checkRange() }
    host.advertisers.forEach { $0.wake() }
    if listeners.contains(where: { $0.host === host }) { wakeAdvertisers() }
  }

  /// To be called when the medium has changed.
  func rangesChanged() {
    for host in hosts {
      for link in host.outgoing { link.checkRange() }
    }
    wakeAdvertisers()
  }
}
