// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

final class Table {
  private var known: Set<CBPeripheral> = []
  private var values: [CBUUID: Data] = [:]
  private var waiting: [ObjectIdentifier: () -> Void] = [:]

  func add(_ peripheral: CBPeripheral, _ characteristic: CBCharacteristic) -> Bool {
    values[characteristic.uuid] = characteristic.value
    waiting[ObjectIdentifier(peripheral)] = {}
    return known.insert(peripheral).inserted || known.first === peripheral
  }
}

func isHeartRate(_ uuid: CBUUID) -> Bool {
  switch uuid {
  case CBUUID(string: "180D"): return true
  case let other where other.data.count == 2: return false
  default: return uuid == CBUUID(string: "2A37")
  }
}
