// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func values(_ data: [String: Any]) -> (String?, Data?, [CBUUID], Int?, Bool) {
  let name = data[CBAdvertisementDataLocalNameKey] as? String
  let manufacturer = data[CBAdvertisementDataManufacturerDataKey] as? Data
  let services = data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
  let power = (data[CBAdvertisementDataTxPowerLevelKey] as? NSNumber)?.intValue
  let serviceData = data[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data]
  let isConnectable = data[CBAdvertisementDataIsConnectable] as? Bool ?? false
  return (name, manufacturer ?? serviceData?.values.first, services, power, isConnectable)
}

func restored(_ state: [String: Any]) -> [CBPeripheral] {
  state[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
}
