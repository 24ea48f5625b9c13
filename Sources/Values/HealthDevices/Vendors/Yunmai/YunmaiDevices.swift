// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Yunmai Mini, SE and their kin.
  package static let yunmaiScale = scale(
    10518, "Yunmai", "Mini, SE", ["FFE0"], ["YUNMAI-"], [.yunmai])
}

extension Manufacturer {
  static let yunmai = Manufacturer(devices: [.yunmaiScale])
}
