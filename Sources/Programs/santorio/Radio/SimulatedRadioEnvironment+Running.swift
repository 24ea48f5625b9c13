// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation

extension SimulatedRadioEnvironment {
  /// A radio environment whose time advances by itself until the program ends.
  ///
  /// At the speed of real time it does nothing while nothing happens. A faster one has its own clock,
  /// which does not run away from a busy computer.
  static func running(speed: Double) -> SimulatedRadioEnvironment {
    if speed == 1 { return SimulatedRadioEnvironment(seed: 7, mode: .realTime(speed: 1)) }
    let air = SimulatedRadioEnvironment(seed: 7)
    Task { await air.run(speed: speed) }
    return air
  }
}
