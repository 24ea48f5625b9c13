// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation

extension SimulatedRadioEnvironment {
  /// An air whose time passes by itself until the program ends.
  static func running(speed: Double) -> SimulatedRadioEnvironment {
    let air = SimulatedRadioEnvironment(seed: 7)
    Task { await air.run(speed: speed) }
    return air
  }
}
