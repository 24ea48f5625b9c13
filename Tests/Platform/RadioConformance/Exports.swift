// SPDX-License-Identifier: Apache-2.0

// The module under test, see Documentation/decisions/0048.
#if SimulatedBluetooth || !os(Linux)
  @_exported import SimulatedCoreBluetooth
#else
  @_exported import CoreBluetooth
#endif
