// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Foundation

/// Carries out an operation's actions on Core Bluetooth and tells it what happened.
///
/// The only code of this module that touches Core Bluetooth's objects.
final class CentralDriver: NSObject, @unchecked Sendable {
  // All state is touched on `queue` only, on which Core Bluetooth calls too.
  private let queue: DispatchQueue
  private let managerOptions: [String: Any]?
  private let tell: @Sendable (PeripheralOperation.Input) -> Void
  private var manager: CBCentralManager?
  // Core Bluetooth does not keep what it hands out, and cancels what nobody keeps.
  private var met: [UUID: CBPeripheral] = [:]
  /// The device in use.
  private var peripheral: CBPeripheral?
  private var characteristics: [Attribute: CBCharacteristic] = [:]

  init(
    queue: DispatchQueue, managerOptions: [String: Any]?,
    tell: @escaping @Sendable (PeripheralOperation.Input) -> Void
  ) {
    self.queue = queue
    self.managerOptions = managerOptions
    self.tell = tell
  }

  /// Makes the manager, which asks the user for permission, or tells the state of the one there is.
  func begin() {
    guard let manager else {
      manager = CBCentralManager(delegate: self, queue: queue, options: managerOptions)
      return
    }
    tell(.radioChanged(manager.radioState))
  }

  /// Forgets all devices; their connections are over.
  func end() {
    peripheral?.delegate = nil
    peripheral = nil
    met = [:]
    characteristics = [:]
  }

  func retrieveKnown(_ identifiers: [UUID]) {
    let known = manager?.retrievePeripherals(withIdentifiers: identifiers) ?? []
    for peripheral in known { met[peripheral.identifier] = peripheral }
    tell(.retrievedKnown(known.map { .init($0.identifier, name: $0.name) }))
  }

  func retrieveConnected(_ services: [String]) {
    // Asked for one by one, since a peripheral does not tell which of several services it has.
    let found = services.flatMap { service in
      let peripherals = manager?.retrieveConnectedPeripherals(
        withServices: [CBUUID(string: service)])
      return (peripherals ?? []).map { ($0, service) }
    }
    for (peripheral, _) in found { met[peripheral.identifier] = peripheral }
    tell(
      .retrievedConnected(
        found.map { .init($0.identifier, name: $0.name, services: [$1]) }))
  }

  func scan(_ services: [String]) {
    manager?.scanForPeripherals(withServices: services.map(CBUUID.init(string:)))
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
    peripheral?.discoverServices(services.map(CBUUID.init(string:)))
  }

  func discoverCharacteristics(_ characteristics: [String], _ service: String) {
    let match = peripheral?.services?.first { $0.uuid == CBUUID(string: service) }
    guard let match else { return tell(.characteristicsDiscovered([], service: service)) }
    peripheral?.discoverCharacteristics(characteristics.map(CBUUID.init(string:)), for: match)
  }

  func read(_ attribute: Attribute) {
    guard let characteristic = characteristics[attribute], characteristic.properties.contains(.read)
    else { return tell(.readFailed(attribute, .init(.other, "It cannot be read."))) }
    peripheral?.readValue(for: characteristic)
  }

  func write(_ attribute: Attribute, _ octets: [UInt8]) {
    guard let characteristic = characteristics[attribute] else { return }
    if characteristic.properties.contains(.write) {
      peripheral?.writeValue(Data(octets), for: characteristic, type: .withResponse)
    } else if characteristic.properties.contains(.writeWithoutResponse) {
      peripheral?.writeValue(Data(octets), for: characteristic, type: .withoutResponse)
      tell(.written(attribute, nil))
    } else {
      tell(.written(attribute, .init(.other, "It cannot be written.")))
    }
  }

  func setNotify(_ enabled: Bool, _ attribute: Attribute) {
    guard let characteristic = characteristics[attribute] else { return }
    peripheral?.setNotifyValue(enabled, for: characteristic)
  }

  private func attribute(_ characteristic: CBCharacteristic) -> Attribute? {
    guard let service = characteristic.service else { return nil }
    return Attribute(service.uuid.uuidString, characteristic.uuid.uuidString)
  }
}

extension CentralDriver: CBCentralManagerDelegate {
  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    tell(.radioChanged(central.radioState))
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    let services = advertisementData[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
    let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String
    met[peripheral.identifier] = peripheral
    tell(
      .discovered(
        .init(
          peripheral.identifier, name: name ?? peripheral.name,
          services: (services ?? []).map(\.uuidString))))
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    guard peripheral === met[peripheral.identifier] else { return }
    tell(.connected(peripheral.identifier))
  }

  func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  ) {
    guard peripheral === met[peripheral.identifier] else { return }
    tell(.connectionFailed(peripheral.identifier, .init(error)))
  }

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  ) {
    guard peripheral === met[peripheral.identifier] else { return }
    tell(.disconnected(peripheral.identifier, error.map { .init($0) }))
  }
}

extension CentralDriver: CBPeripheralDelegate {
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    if let error { return tell(.discoveryFailed(.init(error))) }
    tell(.servicesDiscovered((peripheral.services ?? []).map(\.uuid.uuidString)))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
    error: (any Error)?
  ) {
    if let error { return tell(.discoveryFailed(.init(error))) }
    let found = service.characteristics ?? []
    for characteristic in found {
      characteristics[Attribute(service.uuid.uuidString, characteristic.uuid.uuidString)] =
        characteristic
    }
    tell(
      .characteristicsDiscovered(
        found.map(\.uuid.uuidString), service: service.uuid.uuidString))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    guard let attribute = attribute(characteristic) else { return }
    if let error { return tell(.readFailed(attribute, .init(error))) }
    tell(.valueReceived(attribute, Array(characteristic.value ?? Data())))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    guard let attribute = attribute(characteristic) else { return }
    tell(.written(attribute, error.map { .init($0) }))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    guard let attribute = attribute(characteristic) else { return }
    tell(.subscriptionChanged(attribute, error.map { .init($0) }))
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

extension PeripheralOperation.LinkFailure {
  /// Sorts what Core Bluetooth reports.
  fileprivate init(_ error: (any Error)?) {
    let message = error?.localizedDescription ?? ""
    if let error = error as? CBATTError {
      switch error.code {
      case .insufficientAuthentication, .insufficientAuthorization: self.init(.notPaired, message)
      case .insufficientEncryption, .insufficientEncryptionKeySize:
        self.init(.notEncrypted, message)
      default: self.init(.other, message)
      }
    } else if let error = error as? CBError {
      switch error.code {
      case .peerRemovedPairingInformation, .encryptionTimedOut: self.init(.bondLost, message)
      case .peripheralDisconnected: self.init(.hungUp, message)
      default: self.init(.other, message)
      }
    } else {
      self.init(.other, message)
    }
  }
}
