// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// 1byone, and Eufy C1, P1 and A1.
  package static let eufyC1 = scale(
    10517, "Eufy, 1byone", "C1, P1, A1", ["FFF0"],
    ["eufy T9146", "eufy T9147", "eufy T9120", "Health Scale"], [.oneByone])
}

extension Manufacturer {
  static let oneByone = Manufacturer(devices: [.eufyC1], forbidden: ForbiddenCommand.oneByone)
}
