// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

final class Central: CBCentralManager {
  private(set) var scans = 0

  override init(
    delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
  ) {
    super.init(delegate: delegate, queue: queue, options: options)
  }

  override var isScanning: Bool { scans > 0 }
  override func scanForPeripherals(
    withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil
  ) {
    scans += 1
    super.scanForPeripherals(withServices: serviceUUIDs, options: options)
  }
  override class func supports(_ features: CBCentralManager.Feature) -> Bool { false }
}

class Server: CBPeripheralManager {
  override func stopAdvertising() { super.stopAdvertising() }
}
