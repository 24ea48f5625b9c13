// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import CoreBluetoothSimulation
import Foundation
import HealthGATT
import Testing
import VirtualDevices

/// A central that looks at one monitor and writes down what it gets.
private final class Probe: NSObject, @unchecked Sendable {
  // Touched on `queue` only.
  private let queue = DispatchQueue(label: "probe")
  private var manager: CBCentralManager?
  private var peripheral: CBPeripheral?
  private var log: [String] = []
  private let clockValue: Data?

  /// Writes the value to the device's clock once connected, or reads the clock when there is none.
  init(_ options: [String: Any], clockValue: Data? = nil) {
    self.clockValue = clockValue
    super.init()
    manager = CBCentralManager(delegate: self, queue: queue, options: options)
  }

  var lines: [String] { queue.sync { log } }
}

extension Probe: CBCentralManagerDelegate {
  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    central.scanForPeripherals(withServices: [CBUUID(string: "1810")])
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    log.append("found \(advertisementData[CBAdvertisementDataLocalNameKey] ?? "?")")
    self.peripheral = peripheral
    peripheral.delegate = self
    central.stopScan()
    central.connect(peripheral)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices([CBUUID(string: "1810")])
  }
}

extension Probe: CBPeripheralDelegate {
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    for service in peripheral.services ?? [] {
      peripheral.discoverCharacteristics([CBUUID(string: "2A08")], for: service)
    }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
    error: (any Error)?
  ) {
    guard let clock = service.characteristics?.first else { return log.append("no clock") }
    if let clockValue {
      peripheral.writeValue(clockValue, for: clock, type: .withResponse)
    } else {
      peripheral.readValue(for: clock)
    }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    let value = characteristic.value.map { [UInt8]($0) } ?? []
    log.append("read \((error as? CBATTError)?.code.rawValue ?? 0) \(value)")
  }

  func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    log.append("wrote \((error as? CBATTError)?.code.rawValue ?? 0)")
    peripheral.readValue(for: characteristic)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Virtual blood pressure monitor` {
  private let air = SimulatedRadioEnvironment(seed: 3)

  /// What a central sees of a monitor within 20 seconds, at 12:00:00 UTC on 15 June 2024.
  private func look(
    at model: VirtualDeviceModel = .ua651BLE(memory: []), writing clockValue: [UInt8]? = nil,
    after prepare: (VirtualDevice) -> Void, pairing: SimulatedPairing = .accept
  ) async -> [String] {
    let host = air.makeHost(named: "Monitor")
    host.pairing = pairing
    var settings = VirtualDevice.Settings()
    settings.zone = { .gmt }
    settings.now = { Date(timeIntervalSince1970: 1_718_452_800) }
    settings.clock = air.clock
    let monitor = VirtualDevice(model, settings: settings, managerOptions: host.managerOptions)
    monitor.switchOn()
    prepare(monitor)
    await monitor.waitUntilIdle()
    let probe = Probe(
      air.makeHost(named: "Central").managerOptions, clockValue: clockValue.map { Data($0) })
    await air.advance(by: .seconds(20))
    withExtendedLifetime(monitor) {}
    return probe.lines
  }

  @Test func `does not advertise before a measurement or pairing`() async {
    #expect(await look(after: { _ in }) == [])
  }

  @Test func `advertises after a measurement and shows the time`() async {
    let lines = await look { $0.remember(BloodPressureFrames.capturedUA651BLE) }
    #expect(lines == ["found A&D_UA-651BLE_400123", "read 0 [232, 7, 6, 15, 12, 0, 0]"])
  }

  @Test func `advertises with its model's memory`() async {
    let lines = await look(at: .ua651BLE(), after: { _ in })
    #expect(lines.first == "found A&D_UA-651BLE_400123")
  }

  @Test func `advertises after a new measurement`() async {
    let lines = await look { $0.measure() }
    #expect(lines.first == "found A&D_UA-651BLE_400123")
  }

  @Test func `advertises in pairing mode`() async {
    let lines = await look { $0.enterPairingMode() }
    #expect(lines.first == "found A&D_UA-651BLE_400123")
  }

  @Test func `goes on when its app is launched again for its restored manager`() async {
    let host = air.makeHost(named: "Monitor")
    var settings = VirtualDevice.Settings()
    settings.zone = { .gmt }
    settings.now = { Date(timeIntervalSince1970: 1_718_452_800) }
    settings.clock = air.clock
    var devices: [VirtualDevice] = []
    for _ in 0..<2 {
      host.application.terminate()
      host.application.state = .foreground
      var options = host.managerOptions
      options[CBPeripheralManagerOptionRestoreIdentifierKey] = "monitor"
      let monitor = VirtualDevice(
        .ua651BLE(memory: []), settings: settings, managerOptions: options)
      monitor.switchOn()
      monitor.remember(BloodPressureFrames.capturedUA651BLE)
      await monitor.waitUntilIdle()
      await air.advance(by: .seconds(5))
      devices.append(monitor)
    }
    let probe = Probe(air.makeHost(named: "Central").managerOptions)
    await air.advance(by: .seconds(20))
    #expect(probe.lines == ["found A&D_UA-651BLE_400123", "read 0 [232, 7, 6, 15, 12, 0, 0]"])
    #expect(host.misuseReports == [])
    withExtendedLifetime(devices) {}
  }

  @Test func `does not advertise when it is switched off`() async {
    let lines = await look { monitor in
      monitor.remember(BloodPressureFrames.capturedUA651BLE)
      monitor.switchOff()
    }
    #expect(lines == [])
  }

  @Test func `sends nothing to a central without a bond`() async {
    let lines = await look(
      after: { $0.enterPairingMode() }, pairing: .reject)
    #expect(lines.count == 2)
    #expect(["read 5 []", "read 15 []"].contains(lines.last))
  }

  @Test func `accepts a new time and shows it`() async {
    let lines = await look(
      writing: [0xe8, 0x07, 1, 2, 3, 4, 5], after: { $0.enterPairingMode() })
    #expect(lines.dropFirst() == ["wrote 0", "read 0 [232, 7, 1, 2, 3, 4, 5]"])
  }

  @Test(
    arguments: [
      ([0xe8, 0x07, 13, 2, 3, 4, 5], 14), ([0xe8, 0x07, 2, 30, 3, 4, 5], 14), ([1, 2, 3], 13),
      ([], 13),
    ] as [([UInt8], Int)])
  func `rejects an invalid time and keeps its own`(bytes: [UInt8], code: Int) async {
    let lines = await look(
      writing: bytes, after: { $0.enterPairingMode() })
    #expect(lines.dropFirst() == ["wrote \(code)", "read 0 [232, 7, 6, 15, 12, 0, 0]"])
  }

  @Test func `has no clock if the real one has none`() async {
    let lines = await look(at: .bm54(memory: [])) { $0.remember(BloodPressureFrames.composedBM54) }
    #expect(lines == ["found BM54", "no clock"])
  }
}

@Suite struct `Virtual models` {
  @Test func `have unique names for selection`() {
    let all = VirtualDeviceModel.all
    #expect(Set(all.map(\.id)).count == all.count)
    #expect(Set(all.map(\.advertisedName)).count == all.count)
    for model in all {
      #expect(model.id == model.id.lowercased() && !model.summary.isEmpty)
      #expect((1...29).contains(model.advertisedName.utf8.count))
      #expect(model.readingCount >= 0)
    }
  }

  @Test func `count readings without failed measurements`() {
    #expect(VirtualDeviceModel.ua651BLE().readingCount == 2)
    #expect(VirtualDeviceModel.ua651BLE(memory: []).readingCount == 0)
    #expect(VirtualDeviceModel.bm54().readingCount == 3)
  }
}

@Suite struct `Recorded frames` {
  @Test func `decode to the documented values`() throws {
    let captured = try BloodPressureFrames.capturedUA651BLE.map {
      try BloodPressureMeasurement(payload: $0)
    }
    #expect(captured.map(\.isFailed) == [true, true, false, false])
    #expect(captured.map { $0.systolicPressure?.value } == [nil, nil, 125, 134])
    let composed = try BloodPressureFrames.composedBM54.map {
      try BloodPressureMeasurement(payload: $0)
    }
    #expect(composed.map { $0.userID?.rawValue } == [0, 0, 1])
    #expect(composed.allSatisfy { $0.meanPressure == nil && $0.hasResult })
  }
}
