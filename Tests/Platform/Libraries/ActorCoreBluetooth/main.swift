// SPDX-License-Identifier: Apache-2.0

import ActorCoreBluetooth
import CoreBluetooth
import LibraryTrial

Trial.run { trial in
  let central = BluetoothCentral()
  let heartRate = HeartRateStrap.heartRate.uuidString
  let found = try await trial(.scan) {
    let found = try await central.scanForPeripherals(withServices: [heartRate], timeout: 1)
    try trial.expect(found.map(\.advertisementData.localName), is: [HeartRateStrap.name])
    return found[0]
  }
  let peripheral = try await trial(.connect) {
    let peripheral = try await central.connect(found, timeout: 10)
    try trial.expect(central.isConnected(found.identifier), is: true)
    return peripheral
  }
  @MainActor func discover(in peripheral: ConnectedPeripheral) async throws
    -> [BluetoothCharacteristic]
  {
    let services = try await peripheral.discoverServicesWithCharacteristics(
      serviceUUIDs: [heartRate], timeout: 10)
    try trial.expect(services.map(\.uuid), is: [heartRate])
    return services[0].characteristics ?? []
  }
  @MainActor func find(_ uuid: CBUUID, in all: [BluetoothCharacteristic]) throws
    -> BluetoothCharacteristic
  {
    try trial.require(all.first { $0.uuid == uuid.uuidString }, uuid.uuidString)
  }
  let all = try await trial(.discover) {
    let all = try await discover(in: peripheral)
    try trial.expect(all.count, is: 4)
    return all
  }
  try await trial(.read) {
    let location = try find(HeartRateStrap.location, in: all)
    let value = try await peripheral.readValue(for: location, timeout: 10)
    try trial.expect(value, is: HeartRateStrap.chest)
    let log = try find(HeartRateStrap.log, in: all)
    let long = try await peripheral.readValue(for: log, timeout: 10)
    try trial.expect(long, is: HeartRateStrap.wholeLog)
    let strength = try await peripheral.readRSSI(timeout: 10)
    try trial.expect((-100..<0).contains(strength), is: true)
  }
  let controlPoint = try find(HeartRateStrap.controlPoint, in: all)
  try await trial(.write) {
    try await peripheral.writeValue(HeartRateStrap.reset, for: controlPoint, timeout: 10)
    try await trial.expectStrap(noted: "reset")
  }
  try await trial(.refuse) {
    let error = try await trial.error {
      try await peripheral.writeValue(Data([9]), for: controlPoint, timeout: 10)
    }
    try trial.expectRefusal(error)
  }
  try await trial(.notify) {
    let measurement = try find(HeartRateStrap.measurement, in: all)
    let monitor = peripheral.createNotificationMonitor()
    try await peripheral.setNotificationState(true, for: measurement, timeout: 10)
    var received: [Data?] = []
    for await (_, value) in monitor.stream {
      received.append(value)
      if received.count == HeartRateStrap.measurements.count { break }
    }
    try trial.expect(received, is: HeartRateStrap.measurements)
    peripheral.stopNotificationMonitoring(monitor.monitorID)
    try await peripheral.setNotificationState(false, for: measurement, timeout: 10)
    try await trial.expectStrap(noted: "unsubscribed")
  }
  try await trial(.disconnect) {
    try await central.disconnect(peripheral, timeout: 10)
    try trial.expect(central.isConnected(peripheral.identifier), is: false)
  }
  try await trial(.loss) {
    let again = try await central.connect(peripheral, timeout: 10)
    let log = try find(HeartRateStrap.log, in: try await discover(in: again))
    let states = central.createConnectionStateMonitor(for: again.identifier)
    trial.strap.leaveAtNextRead()
    // The library ends what is under way with its own time-out alone.
    let error = try await trial.error { try await again.readValue(for: log, timeout: 2) }
    guard case BluetoothError.connectionTimeout = error else {
      throw TrialFailure("not the error of the library: \(error)")
    }
    let state = await states.stream.first { $0 == .disconnected }
    try trial.expect(state, is: .disconnected)
  }
}
