// SPDX-License-Identifier: Apache-2.0

import AcmeThermometer
import CoreBluetoothSimulation
import Santorio
import Testing
import VirtualDevices

@Suite struct `Acme T1` {
  @Test func `reports what it measures in hundredths of a degree`() throws {
    let temperature = try AcmeTemperature(payload: [0xA5, 0x0E, 0x74, 0x01])
    #expect(temperature.centiCelsius == 3700)
    #expect(temperature.state == .result)
  }

  @Test func `is found, read, and delivers its result alone`() async throws {
    let air = SimulatedRadioEnvironment(seed: 1)
    let phone = air.makeHost(named: "Phone")
    let host = air.makeHost(named: "Acme T1", at: SimulatedPosition(x: 1))
    var deviceSettings = VirtualDevice.Settings()
    deviceSettings.clock = air.clock
    let device = VirtualDevice(
      .acmeT1, settings: deviceSettings, managerOptions: host.managerOptions)
    device.switchOn()

    var settings = BluetoothSettings()
    settings.clock = air.clock
    try settings.catalogue.register(.acmeT1)
    let controller = BluetoothPeripheralController(
      settings: settings, on: BluetoothCentral(managerOptions: phone.managerOptions))

    // The simulated radio has a clock of its own, which runs a hundred times as fast here.
    let clock = Task { await air.run(speed: 100) }
    defer { clock.cancel() }
    var metrics: [[Metric]] = []
    for try await record in controller.readings(from: .acmeT1) { metrics.append(record.metrics) }
    #expect(metrics == [[Metric(.bodyTemperature, 37.0)]])
  }
}
