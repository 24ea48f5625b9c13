// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HealthDevices
import HealthGATT
import SantorioConcurrency
import SantorioCore

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
  ///
  /// On iOS, in an app with the background mode `bluetooth-central`, the system keeps its connections
  /// while the app does not run. On Linux it does not, since several processes may have a central.
  public static let shared = BluetoothCentral(managerOptions: SystemTime.sharedCentralOptions)

  // All state is touched on `queue` only, on which Core Bluetooth calls too.
  let queue = DispatchQueue(label: "org.santorio.bluetooth")
  private let queueKey = DispatchSpecificKey<Bool>()
  private let managerOptions: [String: Any]
  /// Whether the system keeps connections for the next launch, and launches the app for them.
  let isRestorable: Bool
  private var manager: CBCentralManager?
  /// Those who wait until the user has answered.
  private var awaitingAnswer: [AsyncStream<BluetoothAuthorization>.Continuation] = []
  private lazy var managerDelegate = ManagerDelegate(self)
  /// The operations under way, the first one first.
  private var engines: [OperationEngine] = []
  private var engineByID: [ConnectionRequests.OperationID: OperationEngine] = [:]
  /// How many operations have begun.
  private var begun = 0
  /// How often readings were reported that are not stored yet, by operations that may be over.
  var storing = 0
  /// Those who read passively.
  private var readers: [PassiveReader] = []
  /// Those who want to know what is in range.
  private var listeners: [DeviceListener] = []
  private var requests: ConnectionRequests
  private var scans: [ConnectionRequests.OperationID: Scan] = [:]
  /// What devices have sent whose connections were kept for this process, until they are taken over.
  private var restored: [UUID: RestoredPeripheral] = [:]
  /// The same of devices whose operation has ended before its driver has begun.
  private var early: [UUID: [RestoredPeripheral.Value]] = [:]
  /// Whether it is not known yet which of them are wanted.
  private var keepsRestored = true

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
  ///     simulated radio. With `CBCentralManagerOptionRestoreIdentifierKey` the system keeps
  ///     connections while the app does not run, for passive reading, see
  ///     ``BluetoothPassiveManager/restoreState()``. On iOS that needs the background mode
  ///     `bluetooth-central`; without it the key is left out. No two centrals may have the same.
  ///   - linkSlots: How many devices can be connected at once; when nil, as many as the radio
  ///     allows, which is found when it refuses one.
  public init(managerOptions: sending [String: Any]? = nil, linkSlots: Int? = nil) {
    var options = managerOptions ?? [:]
    // iOS ends an app that asks for it without the mode.
    if !SystemTime.wakesForDevices { options[CBCentralManagerOptionRestoreIdentifierKey] = nil }
    self.managerOptions = options
    isRestorable = options[CBCentralManagerOptionRestoreIdentifierKey] != nil
    requests = ConnectionRequests(slots: linkSlots)
    queue.setSpecific(key: queueKey, value: true)
  }

  /// Does something on the queue now, wherever it is called.
  func onQueue(_ body: () -> Void) {
    if DispatchQueue.getSpecific(key: queueKey) == true {
      body()
    } else {
      queue.sync(execute: body)
    }
  }

  // MARK: - Operations

  /// Takes an operation up; it is told the radio's state, now and whenever that changes.
  func begin(_ engine: OperationEngine) {
    begun += 1
    engine.number = begun
    engines.append(engine)
    engineByID[engine.id] = engine
    if !engine.isPassive { tellReaders() }
    let isNew = manager == nil
    let state = openManager().radioState
    // The first state of a new manager is reported; with the user's answer, if that is asked for.
    if !isNew || state == .awaitingPermission { engine.handle(.radioChanged(state)) }
  }

  /// The manager, whose making asks the user for permission.
  @discardableResult
  private func openManager() -> CBCentralManager {
    if let manager { return manager }
    let manager = CBCentralManager(delegate: managerDelegate, queue: queue, options: managerOptions)
    self.manager = manager
    return manager
  }

  /// Lets an operation go that is over.
  func end(_ engine: OperationEngine) {
    let hasBegun = engineByID.removeValue(forKey: engine.id) != nil
    engines.removeAll { $0 === engine }
    stopScan(for: engine.id)
    let hasDevices = requests.hasDevices(of: engine.id)
    perform(requests.end(engine.id))
    if hasDevices { scanAgain() }
    // One that was cancelled before its beginning was never counted.
    if hasBegun { told(of: engine) }
    forgetUnlessUsed()
  }

  /// Lets go of all devices when nobody uses the radio.
  private func forgetUnlessUsed() {
    // What was handed over waits for who reads it.
    guard engines.isEmpty, readers.isEmpty, listeners.isEmpty, restored.isEmpty || !keepsRestored
    else { return }
    (met, heard, restored, early) = ([:], [], [:], [:])
  }

  // MARK: - Passive reading

  /// Takes up who reads passively: one more user of the radio.
  func add(_ reader: PassiveReader) {
    guard !readers.contains(where: { $0 === reader }) else { return }
    readers.append(reader)
    reader.interactiveChanged(interactive)
    let isNew = manager == nil
    let state = openManager().radioState
    if !isNew || state == .awaitingPermission { reader.radioChanged(state) }
  }

  /// Takes up who wants to know what is in range.
  func add(_ listener: DeviceListener) {
    listeners.append(listener)
    let isNew = manager == nil
    let state = openManager().radioState
    if !isNew || state == .awaitingPermission { listener.radioChanged(state) }
  }

  /// Lets go of who does not want to know any more what is in range.
  func remove(_ listener: DeviceListener) {
    listeners.removeAll { $0 === listener }
    stopScan(for: listener.id)
    forgetUnlessUsed()
  }

  private var interactive: [DeviceSelection] {
    engines.filter { !$0.isPassive }.map(\.selection)
  }

  private func tellReaders() {
    let selections = interactive
    for reader in readers { reader.interactiveChanged(selections) }
  }

  /// Tells those who read passively that an operation is over, and what it has used.
  private func told(of engine: OperationEngine) {
    if let (device, model) = engine.used {
      // What is recognised when it is sent again may be read for somebody else at once.
      let hasMore = engine.isCutShort && engine.taken == .withTime
      for reader in readers where !reader.has(engine.id) {
        reader.used(device, model, taken: hasMore ? nil : engine.taken)
      }
    }
    if !engine.isPassive { tellReaders() }
  }

  /// Lets go of who does not read passively any more.
  func remove(_ reader: PassiveReader) {
    readers.removeAll { $0 === reader }
    stopScan(for: reader.id)
    forgetUnlessUsed()
  }

  /// Makes the manager, to which the system hands over what it has kept, unless that would ask the
  /// user for permission.
  func openForRestoration() {
    if isRestorable, authorization == .allowed { openManager() }
  }

  /// Ends the connections that were kept for this process and that nobody has taken over, now or once
  /// the system has handed them over.
  func releaseRestored() {
    keepsRestored = false
    guard let manager, manager.state == .poweredOn else { return }
    for device in restored.keys
    where !requests.isWanted(device) && !readers.contains(where: { $0.wants(device) }) {
      met[device].map(manager.cancelPeripheralConnection)
      restored[device] = nil
    }
    forgetUnlessUsed()
  }

  /// Whether an operation waits for the disk, or has a reading that is not stored yet, for those who
  /// move a simulated clock.
  package var awaitsAnswers: Bool {
    queue.sync { storing > 0 || engines.contains { $0.answersAwaited > 0 } }
  }

  private func engine(_ id: ConnectionRequests.OperationID) -> OperationEngine? {
    engineByID[id]
  }

  // MARK: - Authorization

  /// Whether this app may use Bluetooth; to ask for it does not show the system's dialog.
  public var authorization: BluetoothAuthorization {
    BluetoothAuthorization(.current(with: managerOptions))
  }

  /// Asks the user now whether this app may use Bluetooth, unless that is decided, and waits for
  /// the answer.
  ///
  /// For a screen that explains why it is asked. Otherwise the system asks when the first operation
  /// begins.
  ///
  /// - Returns: The answer; `notDetermined` when the task was cancelled before, and when the device has
  ///   no Bluetooth.
  public func requestAuthorization() async -> BluetoothAuthorization {
    let answers = AsyncStream<BluetoothAuthorization> { continuation in
      queue.async { [self] in
        openManager()
        awaitingAnswer.append(continuation)
        tellAuthorization()
      }
    }
    return await answers.first { _ in true } ?? .notDetermined
  }

  private func tellAuthorization() {
    let authorization = authorization
    // Without Bluetooth nobody is asked.
    guard authorization != .notDetermined || manager?.state == .unsupported else { return }
    for continuation in awaitingAnswer {
      continuation.yield(authorization)
      continuation.finish()
    }
    awaitingAnswer = []
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
    to device: UUID, _ clock: MonotonicClock,
    report: @escaping (PeripheralOperation.Event) -> Void
  ) -> Link? {
    met[device].map { Link($0, on: queue, clock, report: report) }
  }

  /// What a device has sent that no driver was told of yet; the caller has to tell one.
  func takeEarlyValues(of device: UUID) -> [RestoredPeripheral.Value] {
    let handedOver = restored.removeValue(forKey: device)?.values ?? []
    return (early.removeValue(forKey: device) ?? []) + handedOver
  }

  /// Keeps what a device has sent for the next operation: that of before has ended too early.
  func keep(_ values: [RestoredPeripheral.Value], of device: UUID) { early[device] = values }

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
    tellAuthorization()
    for engine in engines { engine.handle(.radioChanged(state)) }
    for reader in readers { reader.radioChanged(state) }
    for listener in listeners { listener.radioChanged(state) }
    if state == .on, !keepsRestored { releaseRestored() }
  }

  /// The system hands over what it has kept for an earlier process.
  fileprivate func restored(_ peripherals: [CBPeripheral]) {
    SantorioLogging.shared.log(
      .bluetooth, "connections taken over", [.count("devices", peripherals.count)])
    for peripheral in peripherals {
      met[peripheral.identifier] = peripheral
      // What it sends before its reading goes on would be lost: the system has confirmed it.
      restored[peripheral.identifier] = RestoredPeripheral(peripheral)
    }
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
    for reader in readers { reader.heard(device) }
    for listener in listeners { listener.heard(device, advertisement, rssi: rssi) }
    for engine in scanning where !isTaken(device, from: engine) {
      engine.handle(.discovered(.init(device, advertisement, rssi: rssi)))
    }
  }

  /// The operations that scan, the first one first: of many, few do.
  private var scanning: [OperationEngine] {
    scans.keys.compactMap { engineByID[$0] }.sorted { $0.number < $1.number }
  }

  private func isTaken(_ device: UUID, from engine: OperationEngine) -> Bool {
    requests.isTaken(device, from: engine.id)
      || scanning.contains { $0 !== engine && $0.broadcaster == device }
  }

  /// Releases a device that was only heard, when there are many: anything can advertise.
  private func forgetFirstHeard() {
    guard heard.count > Self.capacity else { return }
    let first = heard.removeFirst()
    if !requests.isWanted(first), met[first]?.state == .disconnected { met[first] = nil }
  }

  /// Gives a connection to the operation that wanted it first.
  fileprivate func connected(_ peripheral: CBPeripheral) {
    let device = peripheral.identifier
    guard peripheral === met[device] else { return }
    // Who reads it has not begun yet, and asks for it then.
    guard restored[device] == nil || requests.isWanted(device) else { return }
    perform(requests.connected(device))
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

  func centralManager(_ manager: CBCentralManager, willRestoreState dict: [String: Any]) {
    let peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral]
    central?.restored(peripherals ?? [])
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
    case .unauthorized: .unavailable(authorization == .restricted ? .restricted : .denied)
    case .unsupported: .unavailable(.unsupported)
    case .unknown: authorization == .notDetermined ? .awaitingPermission : .unknown
    case .resetting: .unknown
    @unknown default: .unknown
    }
  }
}
