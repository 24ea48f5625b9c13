// SPDX-License-Identifier: Apache-2.0

/// One Bluetooth adapter on a ``SimulatedRadioEnvironment``: a phone, a hub or a device.
///
/// Pass ``managerOptions`` to a `CBCentralManager` or a `CBPeripheralManager`, or call
/// ``installAsDefault()`` for code that creates its managers without options. Both apply to the
/// host's first ``application``.
public final class SimulatedHost: Sendable {
  /// The environment of the host.
  public let air: SimulatedRadioEnvironment
  private let unguarded: Unguarded
  /// The first app on the host.
  public let application: SimulatedApplication

  /// The core is accessed through `core` only, with the environment's lock held.
  private struct Unguarded: @unchecked Sendable {
    let core: HostCore
  }

  init(_ core: HostCore, air: SimulatedRadioEnvironment) {
    self.air = air
    unguarded = Unguarded(core: core)
    application = Self.makeApplication(core, air, core.name, [.central, .peripheral])
  }

  /// To be called with the environment's lock held.
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

  /// The options that assign a manager to this host.
  public var managerOptions: [String: Any] { application.managerOptions }

  /// Assigns all managers created later without options of a host to this one.
  public func installAsDefault() {
    application.installAsDefault()
  }

  /// Undoes ``installAsDefault()`` for any host.
  public static func removeDefault() {
    DefaultRadio.current = nil
  }

  /// The name in the Generic Access service.
  ///
  /// Connected hosts are notified of a change; others read the name when they connect.
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
  /// Hosts without a bond find this one as a new peer with a new identifier; a connection to the
  /// old one stays pending. Hosts with a bond resolve the address and keep the identifier. A link
  /// keeps its address until it ends.
  public func rotateAddress() {
    with { $0.rotateAddress() }
  }

  /// The log lines about misuse of the interface by an app.
  public var misuseReports: [String] { with(\.misuse) }

  // MARK: - Applications

  /// Adds one more app, in the foreground.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - backgroundModes: The modes that it declares.
  /// - Returns: The app, whose managers share the adapter with those of other apps.
  public func makeApplication(
    named name: String, backgroundModes: SimulatedBackgroundModes = [.central, .peripheral]
  ) -> SimulatedApplication {
    with { Self.makeApplication($0, air, name, backgroundModes) }
  }

  /// Ends all apps and all links, as a restart does; peers notice by the supervision timeout.
  ///
  /// The state of managers with a restore identifier is kept: connected peers are connected again.
  public func restart() {
    with { $0.restart() }
  }

  // MARK: - State

  /// The adapter's state: `.poweredOff` disconnects the links, `.resetting` drops them silently.
  public var state: CBManagerState {
    get { with(\.state) }
    set { with { $0.changeState(to: newValue) } }
  }

  /// Shows the dialog that asks the user whether applications may use Bluetooth.
  ///
  /// The state is `.unknown` and the authorization `.notDetermined` until the answer, which is what
  /// ``state`` is set to next: `.poweredOn` or `.unauthorized`.
  public func askForPermission() { with { $0.askForPermission() } }

  /// Whether it is a restriction, such as parental controls, that makes Bluetooth `.unauthorized`.
  public var isRestricted: Bool {
    get { with(\.isRestricted) }
    set { with { $0.isRestricted = newValue } }
  }

  /// The position of the host.
  public var position: SimulatedPosition {
    get { with(\.position) }
    set { with { $0.position = newValue } }
  }

  /// The link settings, used where this host is the peripheral; the MTU applies in both roles.
  public var link: SimulatedLinkSettings {
    get { with(\.link) }
    set { with { $0.link = newValue } }
  }

  /// Whether the controller measures signal strength; if not, the RSSI of advertisements is 127.
  public var measuresSignal: Bool {
    get { with(\.measuresSignal) }
    set { with { $0.measuresSignal = newValue } }
  }

  /// Whether `canSendWriteWithoutResponse` is false on a new connection until something was
  /// written, as apps report of some versions of macOS.
  public var hidesRoomBeforeFirstWrite: Bool {
    get { with(\.hidesRoomBeforeFirstWrite) }
    set { with { $0.hidesRoomBeforeFirstWrite = newValue } }
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

  /// The hosts to which an app of this one has a pending connection.
  public var pendingPeers: [UUID] {
    with { $0.centrals.flatMap(\.pendingPeers) }
  }

  // MARK: - Advertising

  /// The time from one advertisement to the next; 20 milliseconds to 10.24 seconds on real radios.
  public var advertisingInterval: Duration {
    get { with(\.advertisingInterval) }
    set { with { $0.advertisingInterval = newValue } }
  }

  /// Whether the host continues advertising while connected; most devices do not.
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

  /// Whether scans also find services in the overflow area of advertisements, as on iOS.
  public var readsOverflowArea: Bool {
    get { with(\.readsOverflowArea) }
    set { with { $0.readsOverflowArea = newValue } }
  }

  /// Whether the host accepts connections.
  public var isConnectable: Bool {
    get { with(\.extras.isConnectable) }
    set { with { $0.extras.isConnectable = newValue } }
  }

  // MARK: - Disconnecting

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

  /// How the host reacts when it is asked to pair.
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

  /// Gives both hosts the bond of a pairing that was before the environment began.
  package func bond(with other: SimulatedHost) {
    with { core in
      let other = other.unguarded.core
      core.bond(with: other, as: core.identifier(of: other), other.identifier(of: core))
    }
  }

  /// Removes the bond on this side only.
  ///
  /// A central whose peripheral has removed the bond cannot connect until its own bond is removed,
  /// too: `.peerRemovedPairingInformation`. A peripheral whose central has removed the bond still
  /// accepts the connection, answers protected requests with `.insufficientEncryption`, and when it
  /// pairs again the new key replaces the stale one.
  public func forgetBond(with other: SimulatedHost) {
    with { $0.forgetBond(with: other.unguarded.core.index) }
  }

  /// Removes all bonds on this side only.
  public func forgetBonds() {
    with { core in core.bonds.keys.forEach(core.forgetBond(with:)) }
  }

  // MARK: - Faults

  /// Answers all requests for a characteristic with an error; nil ends that.
  public func setError(_ code: CBATTError.Code?, for characteristic: CBUUID) {
    let uuid = characteristic.value
    with { $0.faults.errors[uuid] = code }
  }

  /// Leaves the next requests without an answer; after 30 seconds that ends the link.
  public func ignoreRequests(_ count: Int = 1) {
    with { $0.faults.unanswered = count }
  }

  /// Drops the link after a number of packets, as a device that fails in the middle of a transfer.
  ///
  /// Every request counts, each part of a long read or write separately, a pairing, and each
  /// notification. The request gets no answer; a long write has no effect. For a permanent failure
  /// change the device's ``state`` as well.
  ///
  /// - Parameters:
  ///   - count: How many packets pass before.
  ///   - error: The central's error: `.connectionTimeout` or `.peripheralDisconnected`.
  public func dropLink(
    afterPackets count: Int, error: CBError.Code = CBError.Code.connectionTimeout
  ) {
    with {
      $0.faults.packetsUntilDrop = count
      $0.faults.dropReason = .system(error)
    }
  }
}
