// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension DeviceModel {
  /// 1byone, and Eufy C1, P1 and A1.
  public static let eufyC1 = scale(
    10517, "Eufy, 1byone", "C1, P1, A1", ["FFF0"],
    ["eufy T9146", "eufy T9147", "eufy T9120", "Health Scale"], [.oneByone])

  static let oneByoneDevices = [eufyC1]
}
