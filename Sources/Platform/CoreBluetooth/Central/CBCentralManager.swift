// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// Scans for peripherals and connects to them.
open class CBCentralManager: CBManager {
  struct Table {
    weak var delegate: (any CBCentralManagerDelegate)?
    var isScanning = false
    var peripherals: [PeerIdentifier: WeakPeripheral] = [:]
  }

  struct WeakPeripheral {
    weak var object: CBPeripheral?
  }

  let table: Locked<Table>
  private let opening = Locked<any CentralSession>(AbsentSession())

  /// Optional features of the hardware.
  public struct Feature: OptionSet, Hashable, @unchecked Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// A set of these bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Extended advertisements.
    public static let extendedScanAndConnect = Self(rawValue: 1)
  }

  /// A manager without a delegate, on the main queue.
  public convenience init() {
    self.init(delegate: nil, queue: nil, options: nil)
  }

  /// A manager that calls its delegate on the queue; nil is the main queue.
  public convenience init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?) {
    self.init(delegate: delegate, queue: queue, options: nil)
  }

  /// A manager that calls its delegate on the queue; nil is the main queue.
  ///
  /// With a restore identifier it takes over the state that the system has kept for the manager
  /// that had the identifier before: see <doc:Restoration>.
  ///
  /// - Parameters:
  ///   - delegate: Receives the events; held weakly.
  ///   - queue: The queue for all callbacks of the manager and of its peripherals.
  ///   - options: Keys that begin with `CBCentralManagerOption`.
  public init(
    delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?,
    options: [String: Any]? = nil
  ) {
    table = Locked(Table(delegate: delegate))
    super.init(queue: queue, options: options)
    // The lock is held while the session opens: the first event may arrive before it is stored.
    opening.withLock {
      $0 = radio.openCentral(
        queue: self.queue,
        restoring: options?[CBCentralManagerOptionRestoreIdentifierKey] as? String
      ) { [weak self] event in self?.handle(event) }
    }
  }

  deinit {
    session.close()
  }

  var session: any CentralSession { opening.withLock { $0 } }

  /// The object that receives the manager's events; held weakly.
  open var delegate: (any CBCentralManagerDelegate)? {
    get { table.withLock { $0.delegate } }
    set { table.withLock { $0.delegate = newValue } }
  }

  /// Whether the manager scans.
  open var isScanning: Bool { table.withLock { $0.isScanning } }

  /// Whether the hardware has the features; Linux does not report them.
  @discardableResult
  open class func supports(_ features: Feature) -> Bool { features.isEmpty }

  /// The peripherals that the host knows, in the order requested.
  @discardableResult
  open func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
    guard isReady() else { return [] }
    return session.knownPeers(identifiers).map(peripheral)
  }

  /// The peripherals connected to any app on this host that have one of the services.
  @discardableResult
  open func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
    guard isReady() else { return [] }
    return session.connectedPeers(services: serviceUUIDs.map(\.value)).map(peripheral)
  }

  /// Scans for peripherals that advertise one of the services; nil or none finds everything.
  ///
  /// A second scan replaces the first. Without `CBCentralManagerScanOptionAllowDuplicatesKey` a
  /// peripheral is reported once per scan, and again when its advertisement changes.
  open func scanForPeripherals(
    withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil
  ) {
    guard isReady() else { return }
    let solicited = options?[CBCentralManagerScanOptionSolicitedServiceUUIDsKey] as? [CBUUID]
    let duplicates = options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? NSNumber
    let scan = ScanRequest(
      services: Set((serviceUUIDs ?? []).map(\.value)),
      solicited: Set((solicited ?? []).map(\.value)),
      allowsDuplicates: duplicates?.boolValue ?? false)
    table.withLock { table in
      table.isScanning = true
      session.startScan(scan)
    }
  }

  /// Ends the scan.
  open func stopScan() {
    guard isReady() else { return }
    table.withLock { table in
      table.isScanning = false
      session.stopScan()
    }
  }

  /// Connects; there is no time limit, and releasing the peripheral cancels.
  ///
  /// For a peripheral that is connected, `didConnect` is called again if it still is by then.
  open func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
    guard isReady(), owns(peripheral) else { return }
    peripheral.connect(ConnectRequest(options))
  }

  /// Cancels a pending or an established connection.
  open func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
    guard isReady(), owns(peripheral) else { return }
    peripheral.cancelConnection()
  }

  /// Reports links made by any app on this host, this one included; nil ends that.
  ///
  /// A link is reported before the `didConnect` that it leads to, and its end after the
  /// `didDisconnectPeripheral`.
  open func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]? = nil) {
    guard isReady() else { return }
    let services = options?[.serviceUUIDs] as? [CBUUID]
    session.watchConnections(
      services: services.map { $0.prefix(4).map(\.value) },
      peers: options?[.peripheralUUIDs] as? [UUID])
  }

  // MARK: - Peripherals

  /// The one object of this manager for the peer.
  func peripheral(_ peer: RadioPeer) -> CBPeripheral {
    table.withLock { table in
      if let known = table.peripherals[peer.identifier]?.object { return known }
      let new = CBPeripheral(peer, manager: self, session: session)
      table.peripherals[peer.identifier] = WeakPeripheral(object: new)
      return new
    }
  }

  func existingPeripheral(_ identifier: PeerIdentifier) -> CBPeripheral? {
    table.withLock { $0.peripherals[identifier]?.object }
  }

  /// Removes the entry of an object that is gone.
  func forget(_ identifier: PeerIdentifier) {
    // A newer object, if there is one, must not be released under the lock.
    let newer = table.withLock { table in
      let object = table.peripherals[identifier]?.object
      if object == nil { table.peripherals[identifier] = nil }
      return object
    }
    withExtendedLifetime(newer) {}
  }

  private func owns(_ peripheral: CBPeripheral) -> Bool {
    if existingPeripheral(peripheral.identifier) === peripheral { return true }
    reportMisuse("does not know \(peripheral)")
    return false
  }
}

extension ConnectRequest {
  /// The request in an app's connection options.
  fileprivate init(_ options: [String: Any]?) {
    let number = { (key: String) in options?[key] as? NSNumber }
    self.init(
      delay: .seconds(number(CBConnectPeripheralOptionStartDelayKey)?.doubleValue ?? 0),
      reconnects: number(CBConnectPeripheralOptionEnableAutoReconnect)?.boolValue ?? false)
  }
}
