// SPDX-License-Identifier: Apache-2.0

// This folder is what the target SimulatedCoreBluetooth has in place of `BlueZ`.

extension DefaultRadio {
  /// The radio of a machine without Bluetooth, until a simulated host is installed as the default.
  static func ofMachine() -> any Radio { AbsentRadio() }
}

#if SimulatedBluetooth && !DEBUG
  #error(
    "The trait SimulatedBluetooth replaces Bluetooth by a simulation; remove it from release builds."
  )
#endif
