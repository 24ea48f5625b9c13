// SPDX-License-Identifier: Apache-2.0

#if canImport(CoreBluetoothSimulation)
  import CoreBluetoothSimulation
  import Santorio
  import VirtualDevices

  #if canImport(SwiftUI)
    import SwiftUI

    /// A blood pressure monitor that lies beside the phone.
    final class Room: Sendable {
      private let monitor: VirtualDevice

      init() {
        let air = SimulatedRadioEnvironment(mode: .realTime(speed: 1))
        air.makeHost(named: "Phone").installAsDefault()
        let model = VirtualDeviceModel.ua651BLE()
        let host = air.makeHost(named: model.advertisedName, at: SimulatedPosition(x: 1))
        var settings = VirtualDevice.Settings()
        settings.isConnected = { host.connectedPeers.contains($0) }
        monitor = VirtualDevice(model, settings: settings, managerOptions: host.managerOptions)
        monitor.switchOn()
      }

      func measure() { monitor.measure() }
    }

    @main struct MonitorApp: App {
      private let room = Room()

      var body: some Scene {
        WindowGroup { ReadingsView(room: room) }
      }
    }

    struct ReadingsView: View {
      let room: Room
      @State private var controller = BluetoothPeripheralController()
      @State private var lines: [String] = []

      init(room: Room) { self.room = room }

      var body: some View {
        VStack {
          List(lines, id: \.self) { Text($0) }
          Button("Measure and read") {
            room.measure()
            Task { await read() }
          }
        }
      }

      private func read() async {
        guard let monitor = DeviceModel(id: 2) else { return }
        do {
          for try await reading in controller.readings(from: monitor) {
            let systolic = reading.value(.systolic) ?? 0, diastolic = reading.value(.diastolic) ?? 0
            lines.append("\(reading.time.start): \(systolic)/\(diastolic) mmHg")
          }
        } catch {
          lines.append("\(error)")
        }
      }
    }
  #endif

  #if canImport(Testing)
    import Testing

    @Suite struct MonitorTests {
      @Test func readsWhatTheMonitorHas() async throws {
        let air = SimulatedRadioEnvironment(seed: 1)
        let phone = air.makeHost(named: "Phone")
        let host = air.makeHost(named: "Monitor", at: SimulatedPosition(x: 1))
        var deviceSettings = VirtualDevice.Settings()
        deviceSettings.clock = air.clock
        deviceSettings.isConnected = { host.connectedPeers.contains($0) }
        let monitor = VirtualDevice(
          .ua651BLE(), settings: deviceSettings, managerOptions: host.managerOptions)
        monitor.switchOn()

        var settings = BluetoothSettings()
        settings.clock = air.clock
        let controller = BluetoothPeripheralController(
          settings: settings, on: BluetoothCentral(managerOptions: phone.managerOptions))
        let clock = Task { await air.run(speed: 100) }
        defer { clock.cancel() }

        var values: [Double?] = []
        let model = try #require(DeviceModel(id: 2))
        for try await reading in controller.readings(from: model) {
          values.append(reading.value(.systolic))
        }
        #expect(values == [125, 134])
      }
    }
  #endif
#endif
