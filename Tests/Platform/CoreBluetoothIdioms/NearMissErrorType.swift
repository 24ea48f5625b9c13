// SPDX-License-Identifier: Apache-2.0

// Differs: N5. Scripts/check-delegates finds it.
import CoreBluetooth

final class Client: NSObject, CBPeripheralDelegate {
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: NSError?) {}
}
