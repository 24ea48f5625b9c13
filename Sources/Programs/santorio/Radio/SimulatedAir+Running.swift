// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation

extension SimulatedAir {
  /// An air whose time passes by itself until the program ends.
  static func running(speed: Double) -> SimulatedAir {
    let air = SimulatedAir(seed: 7)
    Task { await air.run(speed: speed) }
    return air
  }
}
