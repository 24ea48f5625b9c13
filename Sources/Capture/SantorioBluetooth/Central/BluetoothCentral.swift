// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HealthDevices
import HealthGATT

#if SimulatedBluetooth
  import SimulatedCoreBluetooth
#else
  import CoreBluetooth
#endif

/// The one user of a radio: runs several operations at once, on different devices.
///
/// A device has one operation at a time; a second one that wants it waits until it is free. The
/// operations share one scan, and a device is connected for whichever of them wants it first. Make
/// one central for a radio: ``shared`` for that of the phone or gateway.
///
/// Bluetooth is not touched before the first operation.
public final class BluetoothCentral: @unchecked Sendable {
  /// The central of the system's Bluetooth.
  public static let shared = BluetoothCentral()

  // All state is touched on `queue` only, on which Core Bluetooth calls too.
  let queue = DispatchQueue(label: "org.santorio.bluetooth")
  private let managerOptions: [String: Any]?
  private var manager: CBCentralManager?
  private lazy var managerDelegate = ManagerDelegate(self)
  /// The operations under way, the first one first.
  private var engines: [OperationEngine] = []
  private var requests: ConnectionRequests
  private var scans: [ConnectionRequests.OperationID: Scan] = [:]

  /// How many devices are kept that were heard and not connected.
  private static let capacity = 256
  // Core Bluetooth does not keep what it hands out, and cancels the connection of what is released.
  private var met: [UUID: CBPeripheral] = [:]
  /// Those of them that were heard, the first one first.
  private var heard: [UUID] = []

  /// What an operation listens to.
  private struct Scan {
    /// The services that are listened for; nil for all devices.
    let services: [String]?
    let allowsDuplicates: Bool
  }

  /// Makes the central of a radio.
  ///
  /// - Parameters:
  ///   - managerOptions: Options for the `CBCentralManager`; on Linux they may name an adapter or a
  ///     simulated radio.
  ///   - linkSlots: How many devices can be connected at once; when nil, as many as the radio
  ///     allows, which is found when it refuses one.
  public init(managerOptions: sending [String: Any]? = nil, linkSlots: Int? = nil) {
    self.managerOptions = managerOptions
    requests = ConnectionRequests(slots: linkSlots)
  }

  // MARK: - Operations

  /// Takes an operation up; it is told the radio's state, now and whenever that changes.
  func begin(_ engine: OperationEngine) {
    engines.append(engine)
    guard let manager else {
      // This asks the user for permission.
      let manager = CBCentralManager(
        delegate: managerDelegate, queue: queue, options: managerOptions)
      self.manager = manager
      // The first state comes with the answer.
      if manager.radioState == .awaitingPermission {
        engine.handle(.radioChanged(.awaitingPermission))
      }
      return
    }
    engine.handle(.radioChanged(manager.radioState))
  }

  /// Lets an operation go that is over.
  func end(_ engine: OperationEngine) {
    engines.removeAll { $0 === engine }
    stopScan(for: engine.id)
    let hasDevices = requests.hasDevices(of: engine.id)
    perform(requests.end(engine.id))
    if hasDevices { scanAgain() }
    if engines.isEmpty { (met, heard) = ([:], []) }
  }

  private func engine(_ id: ConnectionRequests.OperationID) -> OperationEngine? {
    engines.first { $0.id == id }
  }

  // MARK: - Finding

  func retrieveKnown(_ identifiers: [UUID]) -> [PeripheralOperation.DiscoveredDevice] {
    let known = manager?.retrievePeripherals(withIdentifiers: identifiers) ?? []
    for peripheral in known { met[peripheral.identifier] = peripheral }
    return known.map { .init($0.identifier, name: $0.name) }
  }

  /// Devices to which another app has a connection; those of other operations are not among them.
  func retrieveConnected(
    _ services: [String], for operation: ConnectionRequests.OperationID
  ) -> [PeripheralOperation.DiscoveredDevice] {
    // Asked for one by one, since a peripheral does not say which of several services it has.
    let found = services.flatMap { service in
      let peripherals = manager?.retrieveConnectedPeripherals(
        withServices: [CBUUID(string: service)])
      return (peripherals ?? []).map { ($0, service) }
    }
    .filter { !requests.isTaken($0.0.identifier, from: operation) }
    for (peripheral, _) in found { met[peripheral.identifier] = peripheral }
    return found.map { .init($0.identifier, name: $0.name, services: [$1]) }
  }

  func scan(
    _ services: [String]?, allowsDuplicates: Bool, for operation: ConnectionRequests.OperationID
  ) {
    scans[operation] = Scan(services: services, allowsDuplicates: allowsDuplicates)
    scanForAll()
  }

  func stopScan(for operation: ConnectionRequests.OperationID) {
    guard scans.removeValue(forKey: operation) != nil else { return }
    scanForAll()
  }

  /// Scans for what any operation listens to.
  ///
  /// The system tells of a device once for each scan: with a new one, operations hear of devices
  /// that others have heard before.
  private func scanForAll() {
    // Stopping while the radio is off would be misuse; the scan is over then.
    guard let manager, manager.state == .poweredOn else { return }
    guard !scans.isEmpty else { return manager.stopScan() }
    let services = scans.values.map(\.services)
    let all = services.contains { $0 == nil } ? nil : services.flatMap { $0 ?? [] }.uniqued
    manager.scanForPeripherals(
      withServices: all?.map(CBUUID.init(string:)),
      options: [
        CBCentralManagerScanOptionAllowDuplicatesKey: scans.values.contains(
          where: \.allowsDuplicates)
      ])
  }

  // MARK: - Connections

  func connect(_ device: UUID, for operation: ConnectionRequests.OperationID) {
    guard met[device] != nil else { return }
    perform(requests.connect(device, for: operation))
  }

  func disconnect(_ device: UUID, for operation: ConnectionRequests.OperationID) {
    perform(requests.leave(device, for: operation))
  }

  /// The connection to a device that stands, for the operation that has it.
  func link(
    to device: UUID, report: @escaping (PeripheralOperation.Event) -> Void
  ) -> Link? {
    met[device].map { Link($0, report: report) }
  }

  private func perform(_ actions: [ConnectionRequests.Action]) {
    var isFree = false
    for action in actions {
      switch action {
      case .connect(let device): met[device].map { manager?.connect($0) }
      case .cancel(let device):
        // Without a powered radio there is no connection to be cancelled.
        guard let peripheral = met[device], manager?.state == .poweredOn else { continue }
        manager?.cancelPeripheralConnection(peripheral)
      case .report(let event, let operation):
        switch event {
        case .disconnected, .connectionFailed: isFree = true
        default: break
        }
        engine(operation)?.handle(event)
      }
    }
    if isFree { scanAgain() }
  }

  /// Lets the operations that listen hear of a device that is free now, if it still advertises.
  private func scanAgain() {
    if !scans.isEmpty { scanForAll() }
  }
}

// MARK: - Events of the system

extension BluetoothCentral {
  /// The radio's state has changed.
  fileprivate func radioChanged(_ state: PeripheralOperation.RadioState, isReset: Bool) {
    scans = [:]
    // The system forgets connections with a reset and when it is off, and reports no end of them.
    if [.unknown, .awaitingPermission].contains(state), !isReset {
      requests.forgetWaiting()
    } else {
      requests.forgetAll()
    }
    for engine in engines { engine.handle(.radioChanged(state)) }
  }

  /// Tells the operations that listen of a device that advertises.
  fileprivate func discovered(
    _ peripheral: CBPeripheral, _ advertisement: Advertisement, rssi: Int?
  ) {
    let device = peripheral.identifier
    if met.updateValue(peripheral, forKey: device) == nil {
      heard.append(device)
      forgetFirstHeard()
    }
    for engine in engines where scans[engine.id] != nil && !isTaken(device, from: engine) {
      engine.handle(.discovered(.init(device, advertisement, rssi: rssi)))
    }
  }

  private func isTaken(_ device: UUID, from engine: OperationEngine) -> Bool {
    requests.isTaken(device, from: engine.id)
      || engines.contains { $0 !== engine && $0.broadcaster == device }
  }

  /// Releases a device that was only heard, when there are many: anything can advertise.
  private func forgetFirstHeard() {
    guard heard.count > Self.capacity else { return }
    let first = heard.removeFirst()
    if !requests.isWanted(first), met[first]?.state == .disconnected { met[first] = nil }
  }

  /// Gives a connection to the operation that wanted it first.
  fileprivate func connected(_ peripheral: CBPeripheral) {
    guard peripheral === met[peripheral.identifier] else { return }
    perform(requests.connected(peripheral.identifier))
  }

  /// Tells the operations that wanted the device.
  fileprivate func failed(_ peripheral: CBPeripheral, _ failure: RequestFailure) {
    guard peripheral === met[peripheral.identifier] else { return }
    perform(requests.failed(peripheral.identifier, failure))
  }

  /// Tells the operation that had the device, and connects it for the next one.
  fileprivate func disconnected(_ peripheral: CBPeripheral, _ failure: RequestFailure?) {
    guard peripheral === met[peripheral.identifier] else { return }
    perform(requests.disconnected(peripheral.identifier, failure))
  }
}

/// Hears the manager, in Core Bluetooth's terms: the public central does not show them.
private final class ManagerDelegate: NSObject, CBCentralManagerDelegate {
  private weak var central: BluetoothCentral?

  /// What the system says when it has not measured the signal.
  private static let unknownRSSI = 127

  init(_ central: BluetoothCentral) { self.central = central }

  func centralManagerDidUpdateState(_ manager: CBCentralManager) {
    central?.radioChanged(manager.radioState, isReset: manager.state == .resetting)
  }

  func centralManager(
    _ manager: CBCentralManager, didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    var advertisement = Advertisement(advertisementData)
    advertisement.name = advertisement.name ?? peripheral.name
    let rssi = RSSI.intValue
    central?.discovered(peripheral, advertisement, rssi: rssi == Self.unknownRSSI ? nil : rssi)
  }

  func centralManager(_ manager: CBCentralManager, didConnect peripheral: CBPeripheral) {
    central?.connected(peripheral)
  }

  func centralManager(
    _ manager: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  ) {
    central?.failed(peripheral, RequestFailure(error))
  }

  func centralManager(
    _ manager: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  ) {
    central?.disconnected(peripheral, error.map { RequestFailure($0) })
  }
}

extension CBManager {
  fileprivate var radioState: PeripheralOperation.RadioState {
    switch state {
    case .poweredOn: .on
    case .poweredOff: .unavailable(.poweredOff)
    case .unauthorized: .unavailable(.unauthorized)
    case .unsupported: .unavailable(.unsupported)
    case .unknown: authorization == .notDetermined ? .awaitingPermission : .unknown
    case .resetting: .unknown
    @unknown default: .unknown
    }
  }
}
