// SPDX-License-Identifier: Apache-2.0

// Which module has the managers that use the simulated radio, see Documentation/decisions/0048.
#if SimulatedBluetooth || !os(Linux)
  @_exported import SimulatedCoreBluetooth
#else
  @_exported import CoreBluetooth
#endif
