// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Foundation
import HealthDevices
import HealthGATT

/// Carries out an operation's actions on Core Bluetooth and reports what happened.
///
/// The only code of this module that touches Core Bluetooth's objects.
final class Central: NSObject, @unchecked Sendable {
  // All state is touched on `queue` only, on which Core Bluetooth calls too.
  private let queue: DispatchQueue
  private let managerOptions: [String: Any]?
  private let report: @Sendable (PeripheralOperation.Event) -> Void
  private var manager: CBCentralManager?
  /// How many devices are kept that were heard and not connected.
  private static let capacity = 256
  // Core Bluetooth does not keep what it hands out, and cancels the connection of what is released.
  private var met: [UUID: CBPeripheral] = [:]
  /// Those of them that were heard, the first one first.
  private var heard: [UUID] = []
  /// The device in use.
  private var peripheral: CBPeripheral?
  private var characteristics: [Attribute: CBCharacteristic] = [:]
  /// The services in use that are known by their beginning only, see ``Attribute``.
  private var patterns: [String] = []
  /// A write without response for which the radio has no room yet.
  private var waitingWrite: (attribute: Attribute, bytes: [UInt8])?

  init(
    queue: DispatchQueue, managerOptions: [String: Any]?,
    report: @escaping @Sendable (PeripheralOperation.Event) -> Void
  ) {
    self.queue = queue
    self.managerOptions = managerOptions
    self.report = report
  }

  /// Makes the manager, which asks the user for permission, or reports the state of the one there is.
  func begin() {
    guard let manager else {
      manager = CBCentralManager(delegate: self, queue: queue, options: managerOptions)
      return
    }
    report(.radioChanged(manager.radioState))
  }

  /// Forgets all devices; their connections are over.
  func end() {
    peripheral?.delegate = nil
    peripheral = nil
    met = [:]
    heard = []
    characteristics = [:]
    patterns = []
    waitingWrite = nil
  }

  func retrieveKnown(_ identifiers: [UUID]) {
    let known = manager?.retrievePeripherals(withIdentifiers: identifiers) ?? []
    for peripheral in known { met[peripheral.identifier] = peripheral }
    report(.retrievedKnown(known.map { .init($0.identifier, name: $0.name) }))
  }

  func retrieveConnected(_ services: [String]) {
    // Asked for one by one, since a peripheral does not say which of several services it has.
    let found = services.flatMap { service in
      let peripherals = manager?.retrieveConnectedPeripherals(
        withServices: [CBUUID(string: service)])
      return (peripherals ?? []).map { ($0, service) }
    }
    for (peripheral, _) in found { met[peripheral.identifier] = peripheral }
    report(
      .retrievedConnected(
        found.map { .init($0.identifier, name: $0.name, services: [$1]) }))
  }

  func scan(_ services: [String]?, allowsDuplicates: Bool) {
    manager?.scanForPeripherals(
      withServices: services?.map(CBUUID.init(string:)),
      options: [CBCentralManagerScanOptionAllowDuplicatesKey: allowsDuplicates])
  }

  func stopScan() {
    // Stopping while the radio is off would be misuse; the scan is over then.
    if manager?.state == .poweredOn { manager?.stopScan() }
  }

  func connect(_ identifier: UUID) {
    guard let peripheral = met[identifier] else { return }
    manager?.connect(peripheral)
  }

  func disconnect(_ identifier: UUID) {
    guard let peripheral = met[identifier], manager?.state == .poweredOn else { return }
    manager?.cancelPeripheralConnection(peripheral)
  }

  func discoverServices(_ services: [String], of identifier: UUID) {
    peripheral = met[identifier]
    peripheral?.delegate = self
    patterns = services.filter { $0.last == "*" }
    peripheral?.discoverServices(patterns.isEmpty ? services.map(CBUUID.init(string:)) : nil)
  }

  func discoverCharacteristics(_ characteristics: [String], _ service: String) {
    let match = peripheral?.services?.first { address($0) == service }
    guard let match else { return report(.characteristicsDiscovered([], service: service)) }
    peripheral?.discoverCharacteristics(characteristics.map(CBUUID.init(string:)), for: match)
  }

  func perform(_ request: RequestQueue.Request) {
    switch request {
    case .read(let attribute): read(attribute)
    case .write(let attribute, let bytes): write(attribute, bytes, prefersResponse: true)
    case .writeWithoutResponse(let attribute, let bytes):
      write(attribute, bytes, prefersResponse: false)
    case .subscribe(let attribute): setNotify(true, attribute)
    case .unsubscribe(let attribute): setNotify(false, attribute)
    }
  }

  private func read(_ attribute: Attribute) {
    guard let characteristic = characteristics[attribute], characteristic.properties.contains(.read)
    else {
      // As a device would refuse it: Read Not Permitted.
      return report(.readFailed(attribute, .init(.other, "It cannot be read.", code: 0x02)))
    }
    peripheral?.readValue(for: characteristic)
  }

  private func write(_ attribute: Attribute, _ bytes: [UInt8], prefersResponse: Bool) {
    let properties = characteristics[attribute]?.properties ?? []
    let canRespond = properties.contains(.write)
    let canDoWithout = properties.contains(.writeWithoutResponse)
    guard let characteristic = characteristics[attribute], canRespond || canDoWithout else {
      return report(.written(attribute, .init(.other, "It cannot be written.")))
    }
    guard canDoWithout, !(prefersResponse && canRespond) else {
      peripheral?.writeValue(Data(bytes), for: characteristic, type: .withResponse)
      return
    }
    waitingWrite = (attribute, bytes)
    writeWithoutResponse()
  }

  /// Writes what waits, if there is room for it; else once the radio is ready.
  private func writeWithoutResponse() {
    guard let (attribute, bytes) = waitingWrite, let characteristic = characteristics[attribute],
      let peripheral, peripheral.canSendWriteWithoutResponse
    else { return }
    waitingWrite = nil
    peripheral.writeValue(Data(bytes), for: characteristic, type: .withoutResponse)
    report(.written(attribute, nil))
  }

  private func setNotify(_ enabled: Bool, _ attribute: Attribute) {
    let properties = characteristics[attribute]?.properties ?? []
    guard let characteristic = characteristics[attribute],
      !properties.isDisjoint(with: Self.notifying)
    else {
      return report(.subscriptionChanged(attribute, .init(.other, "It sends nothing by itself.")))
    }
    peripheral?.setNotifyValue(enabled, for: characteristic)
  }

  private static let notifying: CBCharacteristicProperties = [
    .notify, .indicate, .notifyEncryptionRequired, .indicateEncryptionRequired,
  ]

  private func attribute(_ characteristic: CBCharacteristic) -> Attribute? {
    guard let service = characteristic.service else { return nil }
    return Attribute(address(service), characteristic.uuid.uuidString)
  }

  /// The service's UUID, or the pattern that it fits.
  private func address(_ service: CBService) -> String {
    let uuid = service.uuid.uuidString
    return patterns.first { uuid.hasPrefix($0.dropLast()) } ?? uuid
  }
}

extension Central: CBCentralManagerDelegate {
  /// Releases a device that was only heard, when there are many: anything can advertise.
  private func forgetFirstHeard() {
    guard heard.count > Self.capacity else { return }
    let first = heard.removeFirst()
    if met[first]?.state == .disconnected { met[first] = nil }
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    report(.radioChanged(central.radioState))
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    if met.updateValue(peripheral, forKey: peripheral.identifier) == nil {
      heard.append(peripheral.identifier)
      forgetFirstHeard()
    }
    var advertisement = Advertisement(advertisementData)
    advertisement.name = advertisement.name ?? peripheral.name
    report(.discovered(.init(peripheral.identifier, advertisement)))
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    guard peripheral === met[peripheral.identifier] else { return }
    report(.connected(peripheral.identifier))
  }

  func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  ) {
    guard peripheral === met[peripheral.identifier] else { return }
    report(.connectionFailed(peripheral.identifier, .init(error)))
  }

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  ) {
    guard peripheral === met[peripheral.identifier] else { return }
    report(.disconnected(peripheral.identifier, error.map { .init($0) }))
  }
}

extension Central: CBPeripheralDelegate {
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    if let error { return report(.discoveryFailed(.init(error))) }
    report(.servicesDiscovered((peripheral.services ?? []).map(address)))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
    error: (any Error)?
  ) {
    if let error { return report(.discoveryFailed(.init(error))) }
    let found = service.characteristics ?? []
    for characteristic in found {
      characteristics[Attribute(address(service), characteristic.uuid.uuidString)] = characteristic
    }
    report(
      .characteristicsDiscovered(
        found.map(\.uuid.uuidString), service: address(service)))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    guard let attribute = attribute(characteristic) else { return }
    if let error { return report(.readFailed(attribute, .init(error))) }
    report(.value(attribute, Array(characteristic.value ?? Data())))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    guard let attribute = attribute(characteristic) else { return }
    report(.written(attribute, error.map { .init($0) }))
  }

  func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
    writeWithoutResponse()
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    guard let attribute = attribute(characteristic) else { return }
    report(.subscriptionChanged(attribute, error.map { .init($0) }))
  }
}

extension CBManager {
  fileprivate var radioState: PeripheralOperation.RadioState {
    switch state {
    case .poweredOn: .on
    case .poweredOff: .unavailable(.poweredOff)
    case .unauthorized: .unavailable(.unauthorized)
    case .unsupported: .unavailable(.unsupported)
    case .unknown, .resetting: .unknown
    @unknown default: .unknown
    }
  }
}

extension RequestFailure {
  /// Sorts what Core Bluetooth reports.
  fileprivate init(_ error: (any Error)?) {
    let message = error?.localizedDescription ?? ""
    if let error = error as? CBATTError {
      let code = UInt8(exactly: error.code.rawValue)
      switch error.code {
      case .insufficientAuthentication, .insufficientAuthorization:
        self.init(.notPaired, message, code: code)
      case .insufficientEncryption, .insufficientEncryptionKeySize:
        self.init(.notEncrypted, message)
      default: self.init(.other, message, code: code)
      }
    } else if let error = error as? CBError {
      switch error.code {
      case .peerRemovedPairingInformation, .encryptionTimedOut: self.init(.bondLost, message)
      case .peripheralDisconnected, .notConnected: self.init(.disconnected, message)
      default: self.init(.other, message)
      }
    } else {
      self.init(.other, message)
    }
  }
}
