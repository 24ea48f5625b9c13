// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func uuids() -> [CBUUID] {
  [
    CBUUID(), CBUUID(string: "180D"), CBUUID(nsuuid: UUID()), CBUUID(data: Data([0x18, 0x0D])),
  ]
}

func make(_ delegate: (any CBCentralManagerDelegate)?) -> [CBCentralManager] {
  [
    CBCentralManager(),
    CBCentralManager(delegate: delegate, queue: nil),
    CBCentralManager(delegate: delegate, queue: .main, options: nil),
    CBCentralManager(
      delegate: delegate, queue: DispatchQueue(label: "radio"),
      options: [CBCentralManagerOptionRestoreIdentifierKey: "meter"]),
  ]
}

func make(_ delegate: (any CBPeripheralManagerDelegate)?) -> [CBPeripheralManager] {
  [CBPeripheralManager(), CBPeripheralManager(delegate: delegate, queue: nil)]
}

func channel() -> CBL2CAPChannel { CBL2CAPChannel() }
