// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func summary(_ peripherals: [CBPeripheral]) -> [String] {
  let names = peripherals.compactMap(\.name).sorted()
  let uuids = peripherals.flatMap { $0.services ?? [] }.map(\.uuid.uuidString)
  let path: KeyPath<CBPeripheral, UUID> = \.identifier
  let value: ReferenceWritableKeyPath<CBMutableCharacteristic, Data?> = \.value
  return names + uuids + peripherals.map { $0[keyPath: path].uuidString } + ["\(value)"]
}
