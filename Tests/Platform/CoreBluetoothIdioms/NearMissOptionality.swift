// SPDX-License-Identifier: Apache-2.0

// Differs: N5. Scripts/check-delegates finds it.
import CoreBluetooth

final class Client: NSObject, CBPeripheralDelegate {
  // swift-format-ignore
  func peripheral(_ peripheral: CBPeripheral!, didDiscoverServices error: Error!) {}
  func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel, error: Error?) {}
}
