// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothMock

import LibraryTrial

/// Keeps what the library's mirror of the framework tells.
@MainActor
final class Probe: NSObject, @preconcurrency CBMCentralManagerDelegate,
  @preconcurrency CBMPeripheralDelegate
{
  var state = CBMManagerState.unknown
  var found: (any CBMPeripheral)?
  var name: String?
  var answers: [String] = []
  var values: [Data] = []
  var failure: (any Error)?

  private func note(_ answer: String, _ error: (any Error)? = nil) {
    answers.append(answer)
    failure = error
  }

  func centralManagerDidUpdateState(_ central: CBMCentralManager) {
    state = central.state
  }

  func centralManager(
    _ central: CBMCentralManager, didDiscover peripheral: any CBMPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    found = peripheral
    name = advertisementData[CBMAdvertisementDataLocalNameKey] as? String
  }

  func centralManager(_ central: CBMCentralManager, didConnect peripheral: any CBMPeripheral) {
    note("connected")
  }

  func centralManager(
    _ central: CBMCentralManager, didDisconnectPeripheral peripheral: any CBMPeripheral,
    timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?
  ) {
    note("disconnected", error)
  }

  func peripheral(_ peripheral: any CBMPeripheral, didDiscoverServices error: (any Error)?) {
    note("services", error)
  }

  func peripheral(
    _ peripheral: any CBMPeripheral, didDiscoverCharacteristicsFor service: CBMService,
    error: (any Error)?
  ) {
    note("characteristics", error)
  }

  func peripheral(
    _ peripheral: any CBMPeripheral, didUpdateValueFor characteristic: CBMCharacteristic,
    error: (any Error)?
  ) {
    if let value = characteristic.value { values.append(value) }
    note("value", error)
  }

  func peripheral(
    _ peripheral: any CBMPeripheral, didWriteValueFor characteristic: CBMCharacteristic,
    error: (any Error)?
  ) {
    note("wrote", error)
  }

  func peripheral(
    _ peripheral: any CBMPeripheral,
    didUpdateNotificationStateFor characteristic: CBMCharacteristic, error: (any Error)?
  ) {
    note(characteristic.isNotifying ? "notifies" : "is quiet", error)
  }

  func peripheral(
    _ peripheral: any CBMPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?
  ) {
    note("rssi", error)
  }
}

Trial.run { trial in
  let probe = Probe()
  let central = CBMCentralManagerFactory.instance(delegate: probe, queue: nil, forceMock: false)
  try trial.expect(central is CBMCentralManagerNative, is: true)

  /// Asks for something and waits for the one answer.
  @MainActor func ask(_ answer: String, _ request: () -> Void) async throws {
    probe.answers = []
    probe.failure = nil
    request()
    try await trial.expectSoon(answer) { !probe.answers.isEmpty }
    try trial.expect(probe.answers, is: [answer])
  }

  let peripheral = try await trial(.scan) {
    try await trial.expectSoon("powered on") { probe.state == .poweredOn }
    central.scanForPeripherals(withServices: [HeartRateStrap.heartRate])
    try await trial.expectSoon("discovery") { probe.found != nil }
    central.stopScan()
    try trial.expect(probe.name, is: HeartRateStrap.name)
    try trial.expect(central.isScanning, is: false)
    return try trial.require(probe.found, "peripheral")
  }
  peripheral.delegate = probe
  try await trial(.connect) {
    try await ask("connected") { central.connect(peripheral) }
    try trial.expect(peripheral.state, is: .connected)
  }
  @MainActor func discover() async throws {
    try await ask("services") { peripheral.discoverServices([HeartRateStrap.heartRate]) }
    let service = try trial.require(peripheral.services?.first, "service")
    try await ask("characteristics") { peripheral.discoverCharacteristics(nil, for: service) }
  }
  @MainActor func characteristic(_ uuid: CBMUUID) throws -> CBMCharacteristic {
    try trial.require(
      peripheral.services?.first?.characteristics?.first { $0.uuid == uuid }, "\(uuid)")
  }
  try await trial(.discover) {
    try await discover()
    try trial.expect(peripheral.services?.first?.characteristics?.count, is: 4)
  }
  try await trial(.read) {
    let location = try characteristic(HeartRateStrap.location)
    try await ask("value") { peripheral.readValue(for: location) }
    let log = try characteristic(HeartRateStrap.log)
    try await ask("value") { peripheral.readValue(for: log) }
    try trial.expect(probe.values, is: [HeartRateStrap.chest, HeartRateStrap.wholeLog])
    try await ask("rssi") { peripheral.readRSSI() }
  }
  @MainActor func write(_ value: Data) async throws {
    let controlPoint = try characteristic(HeartRateStrap.controlPoint)
    try await ask("wrote") {
      peripheral.writeValue(value, for: controlPoint, type: .withResponse)
    }
  }
  try await trial(.write) {
    try await write(HeartRateStrap.reset)
    try trial.expect(probe.failure == nil, is: true)
    try await trial.expectStrap(noted: "reset")
  }
  try await trial(.refuse) {
    try await write(Data([9]))
    try trial.expectRefusal(try trial.require(probe.failure, "error"))
  }
  try await trial(.notify) {
    probe.values = []
    let measurement = try characteristic(HeartRateStrap.measurement)
    peripheral.setNotifyValue(true, for: measurement)
    try await trial.expectSoon("three measurements") {
      probe.values.count == HeartRateStrap.measurements.count
    }
    try trial.expect(probe.values, is: HeartRateStrap.measurements)
    try await ask("is quiet") { peripheral.setNotifyValue(false, for: measurement) }
    try await trial.expectStrap(noted: "unsubscribed")
  }
  try await trial(.disconnect) {
    try await ask("disconnected") { central.cancelPeripheralConnection(peripheral) }
    try trial.expect(probe.failure == nil, is: true)
    try trial.expect(peripheral.state, is: .disconnected)
  }
  try await trial(.loss) {
    // The library answers with a new object.
    let known = central.retrievePeripherals(withIdentifiers: [peripheral.identifier])
    let again = try trial.require(known.first, "known peripheral")
    try trial.expect(again.identifier, is: peripheral.identifier)
    again.delegate = probe
    try await ask("connected") { central.connect(again) }
    try await ask("services") { again.discoverServices([HeartRateStrap.heartRate]) }
    trial.strap.host.disconnectAll()
    try await trial.expectSoon("the loss") { probe.answers.last == "disconnected" }
    try trial.expect((probe.failure as? CBMError)?.code, is: .peripheralDisconnected)
  }
}
