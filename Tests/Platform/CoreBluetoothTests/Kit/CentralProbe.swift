// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation

/// A central that writes down everything it is told.
///
/// It has the disconnect method with a time stamp only.
final class CentralProbe: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate,
  @unchecked Sendable
{
  let log = EventLog()
  let queue: DispatchQueue
  private let lock = NSLock()
  private var kept: [CBPeripheral] = []
  private var made: CBCentralManager?
  private var advertisements: [[String: Any]] = []
  private var signals: [Int] = []
  private var restored: [String: Any] = [:]
  private var opened: [CBL2CAPChannel] = []
  /// Set before anything is connected; called on the queue.
  var onDisconnect: ((CBCentralManager, CBPeripheral) -> Void)?
  private let keepsPeripherals: Bool

  init(
    _ host: SimulatedHost, label: String = "central", queue: DispatchQueue? = nil,
    keepsPeripherals: Bool = true, restoring identifier: String? = nil,
    in application: SimulatedApplication? = nil
  ) {
    self.queue = queue ?? DispatchQueue(label: label)
    self.keepsPeripherals = keepsPeripherals
    super.init()
    // With the lock held, for the first callback may come before the assignment.
    locked {
      var options = (application ?? host.application).managerOptions
      options[CBCentralManagerOptionRestoreIdentifierKey] = identifier
      made = CBCentralManager(delegate: self, queue: self.queue, options: options)
    }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// Lives as long as the probe, unless it is dropped.
  var manager: CBCentralManager {
    locked { made } ?? CBCentralManager()
  }

  func dropManager() {
    locked { made = nil }
  }

  /// The peripherals found so far, in order.
  var peripherals: [CBPeripheral] { locked { kept } }

  /// What `willRestoreState` was called with, without the peripherals.
  var restoredState: [String: Any] { locked { restored } }

  var lastAdvertisement: [String: Any] { locked { advertisements.last ?? [:] } }

  var lastRSSI: Int? { locked { signals.last } }

  /// The channels opened so far, in order.
  var channels: [CBL2CAPChannel] { locked { opened } }

  func forgetChannels() {
    // Deallocation calls into the radio: not with the lock held.
    let forgotten = locked { () -> [CBL2CAPChannel] in
      defer { opened = [] }
      return opened
    }
    withExtendedLifetime(forgotten) {}
  }

  func forgetPeripherals() {
    // Deallocation calls into the manager: not with the lock held.
    let forgotten = locked { () -> [CBPeripheral] in
      defer { kept = [] }
      return kept
    }
    withExtendedLifetime(forgotten) {}
  }

  func keep(_ peripheral: CBPeripheral) {
    locked {
      if !kept.contains(where: { $0 === peripheral }) { kept.append(peripheral) }
    }
    peripheral.delegate = self
  }

  // MARK: - CBCentralManagerDelegate

  private func note(_ line: String) {
    dispatchPrecondition(condition: .onQueue(queue))
    log.note(line)
  }

  func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
    let peripherals =
      dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
    locked {
      restored = dict.filter { $0.key != CBCentralManagerRestoredStatePeripheralsKey }
    }
    let states = peripherals.map { " \($0.state)\($0.delegate == nil ? "" : " with a delegate")" }
    if keepsPeripherals { peripherals.forEach(keep) }
    note("restored" + states.joined())
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    note("state \(central.state)")
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    locked {
      advertisements.append(advertisementData)
      signals.append(RSSI.intValue)
    }
    if keepsPeripherals { keep(peripheral) }
    let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String
    note("discovered \(name ?? "-")")
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    note("connected \(peripheral.state)")
  }

  func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  ) {
    note("failed" + error.suffix)
  }

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
    timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?
  ) {
    note(
      "disconnected \(peripheral.state)" + (isReconnecting ? " reconnecting" : "") + error.suffix)
    onDisconnect?(central, peripheral)
  }

  func centralManager(
    _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent,
    for peripheral: CBPeripheral
  ) {
    note("event \(event)")
  }

  // MARK: - CBPeripheralDelegate

  func peripheralDidUpdateName(_ peripheral: CBPeripheral) {
    note("name \(peripheral.name ?? "-")")
  }

  func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
    note("modified " + invalidatedServices.map(\.uuid.uuidString).joined(separator: " "))
  }

  func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
    note("rssi \(RSSI)" + error.suffix)
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    note("services" + error.suffix)
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService,
    error: (any Error)?
  ) {
    note("included" + error.suffix)
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
    error: (any Error)?
  ) {
    note("characteristics" + error.suffix)
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    note("descriptors" + error.suffix)
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    let value = characteristic.value?.hex ?? "-"
    note("value \(characteristic.uuid.uuidString) \(value)" + error.suffix)
  }

  func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    note("wrote \(characteristic.uuid.uuidString)" + error.suffix)
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    let state = characteristic.isNotifying ? "on" : "off"
    note("notify \(characteristic.uuid.uuidString) \(state)" + error.suffix)
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
  ) {
    note("descriptor \(descriptor.value ?? "-")" + error.suffix)
  }

  func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?
  ) {
    note("wrote descriptor" + error.suffix)
  }

  func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
    note("ready")
  }

  func peripheral(
    _ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?
  ) {
    if let channel { locked { opened.append(channel) } }
    note("channel" + error.suffix)
  }
}
