// SPDX-License-Identifier: Apache-2.0

// The compilers are silent: N3. Scripts/check-delegates finds it.
import CoreBluetooth

class Base: NSObject, CBPeripheralDelegate {}

final class Derived: Base {
  func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {}
}
