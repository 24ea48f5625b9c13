// SPDX-License-Identifier: Apache-2.0

import AsyncBluetooth
import Combine
import CoreBluetooth
import LibraryTrial

Trial.run { trial in
  let central = CentralManager()
  var cancellables: Set<AnyCancellable> = []
  var losses: [CBError.Code?] = []
  central.eventPublisher.receive(on: DispatchQueue.main.ocombine).sink { event in
    guard case .didDisconnectPeripheral(_, _, let error) = event else { return }
    losses.append((error as? CBError)?.code)
  }.store(in: &cancellables)

  let peripheral = try await trial(.scan) {
    try await central.waitUntilReady()
    let scan = try await central.scanForPeripherals(withServices: [HeartRateStrap.heartRate])
    let found = try trial.require(await scan.first { _ in true }, "peripheral")
    let name = found.advertisementData[CBAdvertisementDataLocalNameKey] as? String
    try trial.expect(name, is: HeartRateStrap.name)
    await central.stopScan()
    return found.peripheral
  }
  try await trial(.connect) {
    try await central.connect(peripheral)
    try trial.expect(peripheral.state, is: .connected)
  }
  let (measurement, log) = try await trial(.discover) {
    try await peripheral.discoverServices([HeartRateStrap.heartRate])
    let service = try trial.require(peripheral.discoveredServices?.first, "service")
    try await peripheral.discoverCharacteristics(nil, for: service)
    let found = service.discoveredCharacteristics ?? []
    try trial.expect(found.count, is: 4)
    let measurement = try trial.require(
      found.first { $0.uuid == HeartRateStrap.measurement }, "measurement")
    try await peripheral.discoverDescriptors(for: measurement)
    let description = try trial.require(
      measurement.descriptors?.first { $0.uuid == HeartRateStrap.description }, "description")
    try await peripheral.readValue(for: description)
    try trial.expect(description.value as? String, is: "Beats")
    return (measurement, try trial.require(found.first { $0.uuid == HeartRateStrap.log }, "log"))
  }
  try await trial(.read) {
    let location: Data? = try await peripheral.readValue(
      forCharacteristicWithCBUUID: HeartRateStrap.location,
      ofServiceWithCBUUID: HeartRateStrap.heartRate)
    try trial.expect(location, is: HeartRateStrap.chest)
    try await peripheral.readValue(for: log)
    try trial.expect(log.value, is: HeartRateStrap.wholeLog)
    let strength = try await peripheral.readRSSI()
    try trial.expect((-100..<0).contains(strength.intValue), is: true)
  }
  try await trial(.write) {
    try await peripheral.writeValue(
      HeartRateStrap.reset, forCharacteristicWithCBUUID: HeartRateStrap.controlPoint,
      ofServiceWithCBUUID: HeartRateStrap.heartRate)
    try await trial.expectStrap(noted: "reset")
  }
  try await trial(.refuse) {
    let error = try await trial.error {
      try await peripheral.writeValue(
        Data([9]), forCharacteristicWithCBUUID: HeartRateStrap.controlPoint,
        ofServiceWithCBUUID: HeartRateStrap.heartRate)
    }
    try trial.expectRefusal(error)
  }
  try await trial(.notify) {
    var received: [Data] = []
    peripheral.characteristicValueUpdatedPublisher
      .filter { $0.characteristic.uuid == HeartRateStrap.measurement }
      .compactMap { try? $0.parsedValue() as Data? }
      .receive(on: DispatchQueue.main.ocombine)
      .sink { received.append($0) }
      .store(in: &cancellables)
    try await peripheral.setNotifyValue(true, for: measurement)
    try trial.expect(measurement.isNotifying, is: true)
    try await trial.expectSoon("three measurements") {
      received.count == HeartRateStrap.measurements.count
    }
    try trial.expect(received, is: HeartRateStrap.measurements)
    try await peripheral.setNotifyValue(false, for: measurement)
    try await trial.expectStrap(noted: "unsubscribed")
  }
  try await trial(.disconnect) {
    try await central.cancelPeripheralConnection(peripheral)
    try trial.expect(peripheral.state, is: .disconnected)
    try await trial.expectSoon("one disconnect without an error") { losses == [nil] }
  }
  try await trial(.loss) {
    let known = central.retrievePeripherals(withIdentifiers: [peripheral.identifier])
    try trial.expect(known.first?.cbPeripheral === peripheral.cbPeripheral, is: true)
    try await central.connect(peripheral)
    trial.strap.leaveAtNextRead()
    let error = try await trial.error {
      let _: Data? = try await peripheral.readValue(
        forCharacteristicWithCBUUID: HeartRateStrap.log,
        ofServiceWithCBUUID: HeartRateStrap.heartRate)
    }
    guard case BluetoothError.operationCancelled = error else {
      throw TrialFailure("not the error of the library: \(error)")
    }
    try await trial.expectSoon("the loss") { losses == [nil, .peripheralDisconnected] }
  }
}
