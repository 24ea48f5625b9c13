// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

extension LabCentral: CBCentralManagerDelegate {
  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    note(Event(kind: .state, state: central.state))
  }

  func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
    let kept = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
    note(Event(kind: .restored, advertisement: dict, peripherals: kept))
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    note(
      Event(
        kind: .found, peripheral: peripheral, advertisement: advertisementData,
        rssi: RSSI.intValue))
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    note(Event(kind: .connected, peripheral: peripheral))
  }

  func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  ) {
    note(Event(kind: .connectFailed, peripheral: peripheral, error: error))
  }

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  ) {
    note(Event(kind: .disconnected, peripheral: peripheral, error: error))
  }

  func centralManager(
    _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent,
    for peripheral: CBPeripheral
  ) {
    note(Event(kind: .watched, peripheral: peripheral, connection: event))
  }
}

extension LabCentral: CBPeripheralDelegate {
  func peripheralDidUpdateName(_ peripheral: CBPeripheral) {
    note(Event(kind: .name, peripheral: peripheral))
  }

  func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidated: [CBService]) {
    note(
      Event(
        kind: .servicesModified, peripheral: peripheral, attribute: invalidated.first?.uuid))
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    note(Event(kind: .services, peripheral: peripheral, error: error))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
    error: (any Error)?
  ) {
    note(
      Event(
        kind: .characteristics, peripheral: peripheral, attribute: service.uuid, error: error))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    note(
      Event(
        kind: .descriptors, peripheral: peripheral, attribute: characteristic.uuid, error: error))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    note(
      Event(
        kind: .value, peripheral: peripheral, attribute: characteristic.uuid,
        value: characteristic.value, error: error))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
  ) {
    let text = (descriptor.value as? String).map { Data($0.utf8) }
    note(
      Event(
        kind: .descriptorValue, peripheral: peripheral, attribute: descriptor.uuid, value: text,
        error: error))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    note(
      Event(
        kind: .written, peripheral: peripheral, attribute: characteristic.uuid, error: error))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    note(
      Event(
        kind: .notifying, peripheral: peripheral, attribute: characteristic.uuid, error: error))
  }

  func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
    note(Event(kind: .ready, peripheral: peripheral))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?
  ) {
    note(Event(kind: .rssi, peripheral: peripheral, error: error, rssi: RSSI.intValue))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?
  ) {
    note(Event(kind: .channel, peripheral: peripheral, error: error, channel: channel))
  }
}
