// SPDX-License-Identifier: Apache-2.0

// Differs: N10.
import CoreBluetooth

protocol Mixin {}

extension Mixin {
  func peripheralDidUpdateName(_ peripheral: CBPeripheral) {}
}

final class Client: NSObject, CBPeripheralDelegate, Mixin {}
