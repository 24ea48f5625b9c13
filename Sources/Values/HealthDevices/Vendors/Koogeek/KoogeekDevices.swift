// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Koogeek S1.
  package static let koogeekS1 = scale(
    10514, "Koogeek", "S1", ["FFF0"], ["Koogeek-S1"], [.koogeekS1])
}

extension Manufacturer {
  static let koogeek = Manufacturer(devices: [.koogeekS1])
}
