// SPDX-License-Identifier: Apache-2.0

@_spi(Radio) import CoreBluetooth

/// One Bluetooth adapter on a ``SimulatedRadioEnvironment``: a phone, a hub or a device.
///
/// Hand ``managerOptions`` to a `CBCentralManager` or a `CBPeripheralManager`, or call
/// ``installAsDefault()`` for code that creates its managers without options. Both are those of the
/// host's first ``application``.
public final class SimulatedHost: Sendable {
  /// The air of the host.
  public let air: SimulatedRadioEnvironment
  private let unguarded: Unguarded
  /// The first app on the host.
  public let application: SimulatedApplication

  /// The core is reached through `core` alone, with the air's lock held.
  private struct Unguarded: @unchecked Sendable {
    let core: HostCore
  }

  init(_ core: HostCore, air: SimulatedRadioEnvironment) {
    self.air = air
    unguarded = Unguarded(core: core)
    application = Self.makeApplication(core, air, core.name, [.central, .peripheral])
  }

  /// To be called with the air's lock held.
  private static func makeApplication(
    _ core: HostCore, _ air: SimulatedRadioEnvironment, _ name: String,
    _ modes: SimulatedBackgroundModes
  ) -> SimulatedApplication {
    let application = ApplicationCore(host: core, name: name, modes: modes)
    core.applications.append(application)
    return SimulatedApplication(application, air: air)
  }

  func with<Result>(_ body: (HostCore) -> Result) -> Result {
    air.environment.locked { body(unguarded.core) }
  }

  // MARK: - Use

  /// The options that tie a manager to this host.
  public var managerOptions: [String: Any] { application.managerOptions }

  /// Ties all managers that are made later, without options of a host, to this one.
  public func installAsDefault() {
    application.installAsDefault()
  }

  /// Ends ``installAsDefault()`` for whichever host it was.
  public static func removeDefault() {
    DefaultRadio.current = nil
  }

  /// The name in the Generic Access service; connected hosts hear of a change, others connect
  /// first.
  public var name: String {
    get { with(\.name) }
    set { with { $0.name = newValue } }
  }

  /// The identifier by which this host knows another one at its present address.
  public func identifier(of other: SimulatedHost) -> UUID {
    with { $0.identifier(of: other.unguarded.core) }
  }

  /// Takes a new resolvable private address, as phones do every quarter of an hour.
  ///
  /// Hosts without a bond meet this one as a new peer with a new identifier; a connection to the
  /// old one stays pending. Hosts with a bond resolve the address and keep the identifier. A link
  /// keeps what it has until it ends.
  public func rotateAddress() {
    with { $0.rotateAddress() }
  }

  /// The lines that said how an app misuses the interface.
  public var misuseReports: [String] { with(\.misuse) }

  // MARK: - Applications

  /// Adds one more app, in the foreground.
  ///
  /// - Parameters:
  ///   - name: What it is called.
  ///   - backgroundModes: The modes that it declares.
  /// - Returns: The app, whose managers share the adapter with those of others.
  public func makeApplication(
    named name: String, backgroundModes: SimulatedBackgroundModes = [.central, .peripheral]
  ) -> SimulatedApplication {
    with { Self.makeApplication($0, air, name, backgroundModes) }
  }

  /// Ends all apps and all links, as a restart does; peers notice by the supervision time-out.
  ///
  /// What managers with a restore identifier had is kept: what was connected is connected again.
  public func restart() {
    with { $0.restart() }
  }

  // MARK: - State

  /// The state of the adapter: `.poweredOff` disconnects, `.resetting` vanishes.
  public var state: CBManagerState {
    get { with(\.state) }
    set { with { $0.changeState(to: newValue) } }
  }

  /// Where the host is.
  public var position: SimulatedPosition {
    get { with(\.position) }
    set { with { $0.position = newValue } }
  }

  /// How fast links to this host are, as far as it is their peripheral; the MTU holds for both.
  public var link: SimulatedLinkSettings {
    get { with(\.link) }
    set { with { $0.link = newValue } }
  }

  /// Whether the controller tells how strong a signal is; if not, the RSSI of advertisements is
  /// 127.
  public var measuresSignal: Bool {
    get { with(\.measuresSignal) }
    set { with { $0.measuresSignal = newValue } }
  }

  /// The most links that the host keeps at a time.
  public var maximumLinks: Int {
    get { with(\.maximumLinks) }
    set { with { $0.maximumLinks = newValue } }
  }

  /// The hosts to which this one has a link, in either role.
  public var connectedPeers: [UUID] {
    with { core in
      core.outgoing.map(\.peerIdentifier) + core.incoming.map(\.centralIdentifier)
    }
  }

  /// How many scans the apps of this host have begun.
  public var scansStarted: Int { with(\.scansStarted) }

  /// The hosts to which an app of this one wants a connection that does not stand yet.
  public var pendingPeers: [UUID] {
    with { $0.centrals.flatMap(\.wishes) }
  }

  // MARK: - Advertising

  /// The time from one advertisement to the next; 20 milliseconds to 10.24 seconds on real radios.
  public var advertisingInterval: Duration {
    get { with(\.advertisingInterval) }
    set { with { $0.advertisingInterval = newValue } }
  }

  /// Whether the host goes on advertising with a link; most devices do not.
  public var advertisesWhileConnected: Bool {
    get { with(\.advertisesWhileConnected) }
    set {
      with {
        $0.advertisesWhileConnected = newValue
        $0.environment.wakeAdvertisers()
      }
    }
  }

  /// Manufacturer data in the advertisement; peripheral managers cannot set it.
  public var manufacturerData: Data? {
    get { with(\.extras.manufacturerData) }
    set { with { $0.extras.manufacturerData = newValue } }
  }

  /// Service data in the advertisement; peripheral managers cannot set it.
  public var serviceData: [CBUUID: Data] {
    get {
      let pairs = with(\.extras.serviceData).map { (CBUUID($0.key), $0.value) }
      return Dictionary(uniqueKeysWithValues: pairs)
    }
    set {
      let pairs = newValue.map { ($0.key.value, $0.value) }
      with { $0.extras.serviceData = Dictionary(uniqueKeysWithValues: pairs) }
    }
  }

  /// The transmit power in the advertisement, in dBm; peripheral managers cannot set it.
  public var txPower: Int? {
    get { with(\.extras.txPower) }
    set { with { $0.extras.txPower = newValue } }
  }

  /// Whether scans for a service find it in the overflow area of advertisements, as on iOS.
  public var readsOverflowArea: Bool {
    get { with(\.readsOverflowArea) }
    set { with { $0.readsOverflowArea = newValue } }
  }

  /// Whether the host takes connections.
  public var isConnectable: Bool {
    get { with(\.extras.isConnectable) }
    set { with { $0.extras.isConnectable = newValue } }
  }

  // MARK: - Hanging up

  /// Ends the link to a peer as a device does; the central gets `.peripheralDisconnected`.
  ///
  /// - Parameter peer: The identifier of the `CBCentral`, or of the `CBPeripheral`.
  public func disconnect(_ peer: UUID) {
    with { core in
      let links =
        core.incoming.filter { $0.centralIdentifier == peer }
        + core.outgoing.filter { $0.peerIdentifier == peer }
      for link in links { link.end(.system(.peripheralDisconnected)) }
    }
  }

  /// Ends all links as a device does.
  public func disconnectAll() {
    for peer in connectedPeers { disconnect(peer) }
  }

  // MARK: - Pairing

  /// What the host does when it shall pair.
  public var pairing: SimulatedPairing {
    get { with(\.pairing) }
    set { with { $0.pairing = newValue } }
  }

  /// How long pairing takes with this host as the peripheral.
  public var pairingTime: Duration {
    get { with(\.pairingTime) }
    set { with { $0.pairingTime = newValue } }
  }

  /// Whether this host has a bond with the other one, which may have forgotten it.
  public func isBonded(with other: SimulatedHost) -> Bool {
    with { $0.bonds[other.unguarded.core.index] != nil }
  }

  /// Removes the bond on this side alone.
  ///
  /// A central whose peripheral has forgotten it cannot connect until its own bond is removed, too:
  /// `.peerRemovedPairingInformation`. A peripheral whose central has forgotten it still takes the
  /// connection, answers protected requests with `.insufficientEncryption`, and when it pairs again
  /// the new key takes the place of the stale one.
  public func forgetBond(with other: SimulatedHost) {
    with { $0.forgetBond(with: other.unguarded.core.index) }
  }

  /// Removes all bonds on this side alone.
  public func forgetBonds() {
    with { core in core.bonds.keys.forEach(core.forgetBond(with:)) }
  }

  // MARK: - Faults

  /// Answers everything that is asked of a characteristic with an error; nil ends that.
  public func setError(_ code: CBATTError.Code?, for characteristic: CBUUID) {
    let uuid = characteristic.value
    with { $0.faults.errors[uuid] = code }
  }

  /// Leaves the next requests without an answer; after 30 seconds that ends the link.
  public func ignoreRequests(_ count: Int = 1) {
    with { $0.faults.unanswered = count }
  }

  /// Drops the link at the packet after so many others, as a device does that dies in the middle.
  ///
  /// Every request counts, each part of a long read or write for itself, a pairing, and each
  /// notification. What was asked gets no answer; of a long write nothing has been taken. A device
  /// dies for good when its ``state`` changes as well.
  ///
  /// - Parameters:
  ///   - count: How many packets pass before.
  ///   - error: What the central is told: `.connectionTimeout` or `.peripheralDisconnected`.
  public func dropLink(
    afterPackets count: Int, error: CBError.Code = CBError.Code.connectionTimeout
  ) {
    with {
      $0.faults.packetsUntilDrop = count
      $0.faults.dropReason = .system(error)
    }
  }
}
