// SPDX-License-Identifier: Apache-2.0

#if canImport(CoreBluetoothSimulation) && canImport(Testing)
  import CoreBluetoothSimulation
  import Foundation
  import Santorio
  import Testing
  import VirtualDevices

  @Suite struct PressureDiaryTests {
    @Test func readsWhatTheMonitorMeasures() async throws {
      // A phone, and a monitor one metre from it.
      let air = SimulatedRadioEnvironment(seed: 1)
      let phone = air.makeHost(named: "Phone")
      let host = air.makeHost(named: "Monitor", at: SimulatedPosition(x: 1))
      var deviceSettings = VirtualDevice.Settings()
      deviceSettings.clock = air.clock
      deviceSettings.isConnected = { host.connectedPeers.contains($0) }
      let monitor = VirtualDevice(
        .ua651BLE(memory: []), settings: deviceSettings, managerOptions: host.managerOptions)
      monitor.switchOn()

      // The app. Nothing is sent, since the session is not resumed: what is read waits on the disk.
      var settings = BluetoothSettings()
      settings.clock = air.clock
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: folder) }
      let server = try #require(URL(string: "https://readings.example.org"))
      let diary = PressureDiary(
        folder: folder, server: server, settings: settings,
        central: BluetoothCentral(managerOptions: phone.managerOptions))
      try await diary.session.start(
        SantorioUser(userID: "user", organizationID: "clinic", accessToken: "token"))

      // The simulated radio has a clock of its own, which runs a hundred times as fast here.
      let clock = Task { await air.run(speed: 100) }
      defer { clock.cancel() }
      let model = try #require(DeviceModel(id: 2))  // the A&D UA-651BLE
      monitor.enterPairingMode()
      try await diary.pair(model)
      monitor.measure(VirtualMeasurement(.bloodPressure(systolic: 128, diastolic: 82, pulse: 66)))
      let lines = try await diary.read(model)
      #expect(lines == ["128/82 mmHg"])
      let waiting = try await diary.session.pendingCount()
      #expect(waiting == 1)
    }
  }
#endif
