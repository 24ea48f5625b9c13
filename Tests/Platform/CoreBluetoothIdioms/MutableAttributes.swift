// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func service() -> CBMutableService {
  let characteristic = CBMutableCharacteristic(
    type: CBUUID(string: "2A37"), properties: [.notify], value: nil, permissions: [.readable])
  characteristic.descriptors = [
    CBMutableDescriptor(
      type: CBUUID(string: CBUUIDCharacteristicUserDescriptionString), value: "rate")
  ]
  characteristic.value = Data([1])
  characteristic.properties.insert(.read)
  characteristic.permissions = .readable
  let service = CBMutableService(type: CBUUID(string: "180D"), primary: true)
  service.characteristics = [characteristic]
  service.includedServices = nil
  return service
}

func answer(_ request: CBATTRequest, _ manager: CBPeripheralManager) {
  request.value = request.characteristic.value?.subdata(in: request.offset..<8)
  manager.respond(to: request, withResult: .success)
}
