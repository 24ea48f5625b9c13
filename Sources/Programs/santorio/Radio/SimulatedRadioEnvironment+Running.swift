// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation

extension SimulatedRadioEnvironment {
  /// A radio environment whose time advances by itself until the program ends.
  static func running(speed: Double) -> SimulatedRadioEnvironment {
    let air = SimulatedRadioEnvironment(seed: 7)
    Task { await air.run(speed: speed) }
    return air
  }
}
