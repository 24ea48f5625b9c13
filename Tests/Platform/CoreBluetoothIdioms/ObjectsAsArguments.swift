// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func count(_ peripheral: CBPeripheral, _ request: CBATTRequest, _ channel: CBL2CAPChannel) -> Int {
  let arguments: [any CVarArg] = [peripheral, request, channel, CBUUID(string: "180D")]
  return autoreleasepool { arguments.count }
}
