// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import CoreBluetooth
  import CoreBluetoothBlueZ
  import Foundation

  private final class Gateway: NSObject, CBCentralManagerDelegate {
    private var central: CBCentralManager?

    func start() {
      let adapter = BlueZAdapter("hci1") { question in
        question.kind == .confirmation ? .accept : .reject
      }
      let central = CBCentralManager(delegate: self, queue: nil, options: adapter.managerOptions)
      self.central = central
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {}
  }
#endif
