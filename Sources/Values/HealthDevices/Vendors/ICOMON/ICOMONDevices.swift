// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// Hutbit and its kin.
  package static let hutbitScale = scale(
    10512, "Hutbit", "Smart Scale", ["FFB0"], ["Hutbit"], [.hutbit])

  /// Runstar R6.
  package static let runstarR6 = scale(
    10513, "Runstar", "R6", ["FFB0"], ["Runstar-R6"], [.icomonScale])
}

extension Manufacturer {
  static let icomon = Manufacturer(devices: [.hutbitScale, .runstarR6])
}
