// SPDX-License-Identifier: Apache-2.0

import Foundation
package import HealthDevices
import HealthGATT

#if SimulatedBluetooth
  import SimulatedCoreBluetooth
#else
  import CoreBluetooth
#endif

extension Advertisement {
  /// What Core Bluetooth reports of an advertisement.
  package init(_ data: [String: Any]) {
    let services = data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] ?? []
    let serviceData = data[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data] ?? [:]
    let manufacturerData = data[CBAdvertisementDataManufacturerDataKey] as? Data ?? Data()
    self.init(
      name: data[CBAdvertisementDataLocalNameKey] as? String,
      services: services.map(\.uuidString),
      serviceData: Dictionary(
        serviceData.map { ($0.key.uuidString, Array($0.value)) }, uniquingKeysWith: { $1 }),
      manufacturerData: Array(manufacturerData))
  }
}
