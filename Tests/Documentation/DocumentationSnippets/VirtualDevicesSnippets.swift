// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import CoreBluetoothSimulation
  import VirtualDevices

  private func simulate() {
    let air = SimulatedRadioEnvironment(seed: 1)
    let host = air.makeHost(named: "Monitor")
    var settings = VirtualDevice.Settings()
    settings.clock = air.clock
    settings.isConnected = { host.connectedPeers.contains($0) }
    let monitor = VirtualDevice(
      .ua651BLE(), settings: settings, managerOptions: host.managerOptions)
    monitor.switchOn()  // found from now on: its model begins with measurements
    monitor.measure()  // one more, of this moment
  }
#endif
