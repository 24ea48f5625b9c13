// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency
internal import SantorioDBus

/// Receives the events of a ``BlueZHost``; called on its queue.
protocol BlueZObserver: AnyObject {
  func stateChanged(_ state: CBManagerState)
  func objectsChanged(_ change: DBusObjectTree.Change)
}

/// One adapter of this machine under bluetoothd, for all sessions of the process.
///
/// Everything here runs on the queue of the bus. The bus, bluetoothd and the adapter may disappear
/// at any moment and come back; the state shows this, and the host recovers by itself.
final class BlueZHost: @unchecked Sendable {
  /// Which adapter, on which bus.
  struct Settings: Hashable, Sendable {
    /// The adapter's name, such as `hci0`, or its address; nil takes the first.
    var adapter: String?
    var bus = DBusAddress.system
    var files = BlueZFiles.standard
    /// Whether pairings that other programs begin are left to their agent, such as a desktop's.
    var leavesDefaultAgent = false
  }

  let settings: Settings
  let queue: DispatchQueue
  let files: BlueZFiles

  /// Nil while there is no bus.
  private(set) var connection: DBusConnection?
  private(set) var tree: DBusObjectTree?
  /// The object path; nil while there is no adapter.
  private(set) var adapter: String? {
    didSet { adapterPath.withLock { $0 = adapter } }
  }
  private let adapterPath = Locked<String?>(nil)
  private(set) var adapterAddress: BlueZAddress?
  private(set) var state = CBManagerState.unknown
  private(set) var peers: BlueZPeers?

  private(set) lazy var discovery = Discovery(host: self)
  private(set) lazy var links = LinkTable(host: self)
  private(set) lazy var agent = PairingAgent(host: self)
  private(set) lazy var autoConnection = AutoConnection(host: self)
  private(set) lazy var stuckAdapter = StuckAdapter(host: self)

  /// The handler that answers when a peer pairs; nil on an unattended machine.
  var pairing: BlueZPairing.Handler? {
    didSet { if state == .poweredOn { agent.register() } }
  }
  /// How many peripheral sessions are open; a central that they serve may pair.
  var servers = 0
  /// The central sessions that are open.
  var centrals: [BlueZCentralSession] = []
  private var observers: [Observer] = []
  private var hasStarted = false
  private var isListed = false
  private var wasListed = false
  private var failure: CBManagerState?
  /// Whether this host has switched the adapter off, to switch it on again.
  private var isRestarting = false
  private var retryDelay = 1
  /// Ends the wait for an adapter after bluetoothd has started; nil when not waiting.
  private var adapterTimeout: DispatchWorkItem?

  private struct Observer {
    weak var object: (any BlueZObserver)?
  }

  private init(_ settings: Settings) {
    self.settings = settings
    files = settings.files
    queue = DispatchQueue(label: "org.santorio.bluez")
  }

  // MARK: - Sharing

  private static let hosts = Locked<[Settings: BlueZHost]>([:])

  /// The process's host for these settings; it is never released, because the last calls still
  /// have to reach bluetoothd.
  static func shared(_ settings: Settings) -> BlueZHost {
    hosts.withLock { hosts in
      if let host = hosts[settings] { return host }
      let host = BlueZHost(settings)
      hosts[settings] = host
      return host
    }
  }

  /// All hosts of the process.
  static var all: [BlueZHost] { hosts.withLock { Array($0.values) } }

  // MARK: - Observers

  func add(_ observer: any BlueZObserver) {
    dispatchPrecondition(condition: .onQueue(queue))
    observers.removeAll { $0.object == nil }
    observers.append(Observer(object: observer))
  }

  func remove(_ observer: any BlueZObserver) {
    observers.removeAll { $0.object == nil || $0.object === observer }
  }

  private func notify(_ body: (any BlueZObserver) -> Void) {
    observers.compactMap(\.object).forEach(body)
  }

  /// Runs a closure on the queue after a delay.
  @discardableResult
  func after(_ delay: Duration, _ body: @escaping () -> Void) -> DispatchWorkItem {
    let item = DispatchWorkItem(block: body)
    queue.asyncAfter(deadline: .now() + delay.dispatchInterval, execute: item)
    return item
  }

  // MARK: - The bus

  /// Calls the closure when everything that bluetoothd has sent until now has been handled.
  func afterPendingMessages(_ body: @escaping () -> Void) {
    guard let connection, let adapter else { return body() }
    let body = Unchecked(body)
    let question = BlueZ.call(
      adapter, BlueZ.properties, "Get", .string(BlueZ.adapter), .string("Powered"))
    connection.call(question) { _ in body.value() }
  }

  /// Connects to the bus, and again whenever the connection or bluetoothd is lost.
  func start() {
    queue.async { [self] in
      guard !hasStarted else { return }
      hasStarted = true
      open()
    }
  }

  private func open() {
    do throws(DBusError) {
      let connection = try DBusConnection.open(settings.bus, queue: queue) { [weak self] in
        self?.busClosed()
      }
      connection.letMessagesWait { [weak self] in self?.patience ?? .zero }
      self.connection = connection
      links.attach(to: connection)
      tree = DBusObjectTree(connection, service: BlueZ.service) { [weak self] in
        self?.changed($0)
      }
    } catch {
      failure = Self.state(for: error)
      evaluate()
      openLater()
    }
  }

  /// For how long signals may wait: those of advertisers, while nothing is exchanged with a peer.
  private var patience: Duration {
    servers == 0 && !links.isAnyOpen ? .milliseconds(50) : .zero
  }

  private func busClosed() {
    connection = nil
    tree = nil
    isListed = false
    failure = nil
    stopWaitingForAdapter()
    evaluate()
    openLater()
  }

  private func openLater() {
    after(.seconds(retryDelay)) { [weak self] in
      if let self, connection == nil { open() }
    }
    retryDelay = min(retryDelay * 2, 30)
  }

  private static func state(for error: DBusError) -> CBManagerState {
    error.name == DBusError.accessDenied ? .unauthorized : .unsupported
  }

  // MARK: - bluetoothd

  private func changed(_ change: DBusObjectTree.Change) {
    switch change {
    case .appeared:
      retryDelay = 1
      failure = nil
      isListed = true
      wasListed = true
      adapterTimeout = after(.seconds(3)) { [weak self] in
        self?.adapterTimeout = nil
        self?.evaluate()
      }
      evaluate()
    case .vanished:
      isListed = false
      stopWaitingForAdapter()
      peers?.forgetPaths()
      evaluate()
    case .failed(let error):
      failure = Self.state(for: error)
      evaluate()
    case .added(let path, BlueZ.adapter), .removed(let path, BlueZ.adapter):
      if path.hasPrefix(BlueZ.root) { evaluate() }
    case .added(let path, BlueZ.device):
      _ = identifier(ofDevice: path)
    case .changed(adapter, BlueZ.adapter, let properties, _):
      evaluate()
      if properties["Pairable"]?.bool == false { agent.keepPairable() }
    case .removed(let path, BlueZ.device):
      if let peer = peers?.forget(path: path) { links.objectRemoved(of: peer) }
    default:
      break
    }
    guard isListed else { return }
    autoConnection.objectsChanged(change)
    discovery.objectsChanged(change)
    links.objectsChanged(change)
    notify { $0.objectsChanged(change) }
  }

  /// Reports a missing adapter only now: bluetoothd appears on the bus before its adapters do.
  private func stopWaitingForAdapter() {
    adapterTimeout?.cancel()
    adapterTimeout = nil
  }

  private func evaluate() {
    chooseAdapter()
    if adapter != nil { stopWaitingForAdapter() }
    let state = currentState
    guard state != self.state else { return }
    self.state = state
    if state == .poweredOn { agent.register() }
    discovery.stateChanged()
    autoConnection.stateChanged()
    links.stateChanged()
    stuckAdapter.stateChanged()
    centrals.forEach { $0.stateChanged(state) }
    notify { $0.stateChanged(state) }
  }

  private var currentState: CBManagerState {
    guard isListed else {
      // An adapter that was present before may come back at any time.
      return wasListed && failure != .unauthorized ? .resetting : failure ?? .unknown
    }
    guard let properties = adapterProperties else {
      return adapterTimeout == nil ? .unsupported : state
    }
    let isSwitchingOff = properties["PowerState"]?.string.map { $0 != "on" } ?? false
    guard properties["Powered"]?.bool == true, !isSwitchingOff else {
      return isRestarting ? .resetting : .poweredOff
    }
    return .poweredOn
  }

  var adapterProperties: [String: DBusValue]? {
    adapter.flatMap { tree?[$0, BlueZ.adapter] }
  }

  private func chooseAdapter() {
    let old = (adapter, adapterAddress)
    adapter = isListed ? adapters.first(where: isWanted) : nil
    guard let text = adapterProperties?["Address"]?.string else { return }
    let isRandom = adapterProperties?["AddressType"]?.string == "random"
    if let address = BlueZAddress(text, isRandom: isRandom), address != adapterAddress {
      adapterAddress = address
      peers = BlueZPeers(files: files)
    }
    guard old != (adapter, adapterAddress) else { return }
    // They are found by their identifiers from now on.
    for device in devices { _ = peers?.identifier(of: device) }
  }

  private var adapters: [String] { tree?.paths(with: BlueZ.adapter, below: BlueZ.root) ?? [] }

  private func isWanted(_ path: String) -> Bool {
    guard let wanted = settings.adapter else { return true }
    return path == "\(BlueZ.root)/\(wanted)"
      || tree?[path, BlueZ.adapter]?["Address"]?.string?.uppercased() == wanted.uppercased()
  }

  // MARK: - Restarting the adapter

  /// Switches the adapter off and on, which ends whatever the kernel does with it.
  ///
  /// Nothing changes if bluetoothd does not allow it. What was switched off is switched on again however
  /// long that takes, also by a bluetoothd that was started anew.
  func restartAdapter() {
    guard state == .poweredOn, !isRestarting, let adapter else { return }
    isRestarting = true
    // Long enough that what comes of it is known.
    setPowered(false, timeout: .seconds(90)) { [weak self] in self?.switchOn(adapter, attempt: 1) }
  }

  private func switchOn(_ path: String, attempt: Int) {
    guard adapter == nil || adapter == path else { return endRestart() }
    setPowered(true) { [weak self] in
      self?.afterPendingMessages { [weak self] in
        guard let self else { return }
        if adapterProperties?["Powered"]?.bool == true { return endRestart() }
        if attempt == Self.attemptsBeforeOff { endRestart() }
        after(.seconds(min(attempt, 30))) { [weak self] in
          self?.switchOn(path, attempt: attempt + 1)
        }
      }
    }
  }

  /// After as many attempts to switch it on, within about a minute, the adapter is said to be off; it is
  /// tried further.
  private static let attemptsBeforeOff = 10

  private func endRestart() {
    isRestarting = false
    evaluate()
  }

  private func setPowered(
    _ isPowered: Bool, timeout: Duration = .seconds(25), finish: @escaping () -> Void
  ) {
    guard let connection, let adapter else { return finish() }
    let call = BlueZ.call(
      adapter, BlueZ.properties, "Set", .string(BlueZ.adapter), .string("Powered"),
      .variant(.boolean(isPowered)))
    let finish = Unchecked(finish)
    connection.call(call, timeout: timeout) { _ in finish.value() }
  }

  // MARK: - Devices

  /// The devices of the adapter.
  var devices: [BlueZDevice] {
    guard let tree, let adapter else { return [] }
    return tree.paths(with: BlueZ.device, below: adapter).compactMap(device(at:))
  }

  func device(at path: String) -> BlueZDevice? {
    guard let adapter, path.hasPrefix(adapter + "/"), let properties = tree?[path, BlueZ.device]
    else { return nil }
    return BlueZDevice(path: path, properties: properties)
  }

  /// The device whose object this is, or to which the object belongs.
  func device(owning path: String) -> BlueZDevice? {
    let parts = path.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: true)
    guard parts.count >= 4 else { return nil }
    return device(at: "/" + parts.prefix(4).joined(separator: "/"))
  }

  func device(of peer: PeerIdentifier) -> BlueZDevice? {
    peers?.paths(of: peer).lazy.compactMap(device(at:)).first
  }

  func identifier(ofDevice path: String) -> PeerIdentifier? {
    device(at: path).flatMap { peers?.identifier(of: $0) }
  }

  func devicePath(of peer: PeerIdentifier) -> String? { device(of: peer)?.path }

  func address(of peer: PeerIdentifier) -> BlueZAddress? {
    device(of: peer)?.address ?? peers?[peer]?.address
  }

  /// Whether the object belongs to this host's adapter; callable from any thread.
  func isOwner(ofDevice path: String) -> Bool {
    guard let adapter = adapterPath.withLock({ $0 }) else { return false }
    return path.hasPrefix(adapter + "/")
  }

  /// Whether the process uses a peer.
  func uses(_ peer: PeerIdentifier) -> Bool { servers > 0 || links[peer].isUsed }

  /// Removes a peer and its bond from bluetoothd; `finish` receives whether that succeeded.
  func removeBond(with peer: PeerIdentifier, finish: @escaping (Bool) -> Void) {
    guard let connection, let adapter, let path = devicePath(of: peer) else {
      return finish(false)
    }
    let finish = Unchecked(finish)
    connection.call(BlueZ.call(adapter, BlueZ.adapter, "RemoveDevice", .objectPath(path))) {
      if case .success = $0 { finish.value(true) } else { finish.value(false) }
    }
  }

  /// The peer as sessions see it.
  func radioPeer(_ peer: PeerIdentifier) -> RadioPeer {
    RadioPeer(identifier: peer, name: device(of: peer)?.name ?? peers?[peer]?.name)
  }

  /// The same, but nil for an unknown peer.
  func knownPeer(_ peer: PeerIdentifier) -> RadioPeer? {
    peers?[peer] == nil && device(of: peer) == nil ? nil : radioPeer(peer)
  }
}

extension Duration {
  var dispatchInterval: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
