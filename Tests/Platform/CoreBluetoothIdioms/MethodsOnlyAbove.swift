// SPDX-License-Identifier: Apache-2.0

// Differs: N4. Scripts/check-delegates finds it.
import CoreBluetooth

class Base: NSObject {
  func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {}
}

final class Derived: Base, CBPeripheralDelegate {}
