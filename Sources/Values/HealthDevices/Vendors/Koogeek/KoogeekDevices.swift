// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Koogeek S1.
  public static let koogeekS1 = scale(
    10514, "Koogeek", "S1", ["FFF0"], ["Koogeek-S1"], [.koogeekS1])

  static let koogeekDevices = [koogeekS1]
}
