// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT

extension BluetoothPeripheralController.Settings {
  /// The app's key for a peripheral, checked before the radio is touched; nil for one that needs
  /// none.
  func key(for peripheral: DeviceModel) throws(BluetoothError) -> [UInt8]? {
    guard let authorization = peripheral.authorization else { return nil }
    guard let cryptography = cryptography[peripheral.id] else {
      throw BluetoothError(
        .notAuthorized,
        "The protocol of \(peripheral.name) is given to its manufacturer's licensees only. Plug their "
          + "cryptography in as Settings.cryptography[\(peripheral.id)].")
    }
    switch authorization {
    case .keyFile(let name): return try KeyFile(name, in: keyFolder).key()
    case .license(let name):
      let license = try KeyFile(name, in: keyFolder).bytes()
      do {
        try cryptography.validate(license: license)
      } catch {
        throw BluetoothError(.notAuthorized, "The licence \"\(name)\" does not hold: \(error)")
      }
      return nil
    }
  }
}
