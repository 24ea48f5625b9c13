// SPDX-License-Identifier: Apache-2.0

// Differs: N1.
import CoreBluetooth

@objcMembers
final class Client: NSObject {
  @objc func expired() {}
  func has(_ delegate: any CBPeripheralDelegate) -> Bool {
    delegate.responds(to: NSSelectorFromString("peripheral:didDiscoverServices:"))
  }

  func start() {
    _ = #selector(expired)
    _ = Timer.scheduledTimer(
      timeInterval: 1, target: self, selector: #selector(expired), userInfo: nil, repeats: false)
  }
}
