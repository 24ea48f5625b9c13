// SPDX-License-Identifier: Apache-2.0

// On Linux the module CoreBluetooth has a simulated radio as well as BlueZ's, so it serves under
// both names. On Apple platforms, and with SIMULATED=1, this target has CoreBluetooth's sources.
@_exported import CoreBluetooth

#if SimulatedBluetooth && !DEBUG
  #error(
    "The trait SimulatedBluetooth replaces Bluetooth by a simulation; remove it from release builds."
  )
#endif
