// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import LibraryTrial
import SwiftBluetooth

extension Characteristic {
  static let measurement = Self("2A37")
  static let location = Self("2A38")
  static let controlPoint = Self("2A39")
  static let log = Self(stringLiteral: HeartRateStrap.log.uuidString)
}

Trial.run { trial in
  let central = CentralManager()
  let peripheral = try await trial(.scan) {
    try await central.waitUntilReady()
    let found = await central.scanForPeripherals(withServices: [HeartRateStrap.heartRate]).first
    let peripheral = try trial.require(found, "peripheral")
    try trial.expect(peripheral.discovery.advertisementData.localName, is: HeartRateStrap.name)
    try await trial.expectSoon("the scan has ended") { !central.isScanning }
    return peripheral
  }
  try await trial(.connect) {
    try await central.connect(peripheral, timeout: 10)
    try trial.expect(peripheral.state, is: .connected)
  }
  try await trial(.discover) {
    let services = try await peripheral.discoverServices([HeartRateStrap.heartRate])
    try trial.expect(services.map(\.uuid), is: [HeartRateStrap.heartRate])
    let found = try await peripheral.discoverCharacteristics(for: services[0])
    try trial.expect(found.count, is: 4)
    let descriptors = try await peripheral.discoverDescriptors(for: .measurement)
    let description = try trial.require(
      descriptors.first { $0.uuid == HeartRateStrap.description }, "description")
    try trial.expect(try await peripheral.readValue(for: description) as? String, is: "Beats")
  }
  try await trial(.read) {
    let location = try await peripheral.readValue(for: .location)
    try trial.expect(location, is: HeartRateStrap.chest)
    try trial.expect(try await peripheral.readValue(for: .log), is: HeartRateStrap.wholeLog)
    let strength = try await peripheral.readRSSI()
    try trial.expect((-100..<0).contains(strength.intValue), is: true)
  }
  try await trial(.write) {
    try await peripheral.writeValue(
      HeartRateStrap.reset, for: .controlPoint, type: .withResponse)
    try await trial.expectStrap(noted: "reset")
  }
  try await trial(.refuse) {
    let error = try await trial.error {
      try await peripheral.writeValue(Data([9]), for: .controlPoint, type: .withResponse)
    }
    try trial.expectRefusal(error)
  }
  try await trial(.notify) {
    var received: [Data] = []
    for await value in peripheral.readValues(for: .measurement) {
      received.append(value)
      if received.count == HeartRateStrap.measurements.count { break }
    }
    try trial.expect(received, is: HeartRateStrap.measurements)
    try await trial.expectStrap(noted: "unsubscribed")
  }
  try await trial(.disconnect) {
    try await central.cancelPeripheralConnection(peripheral) as Void
    try trial.expect(peripheral.state, is: .disconnected)
  }
  try await trial(.loss) {
    let known = central.retrievePeripherals(withIdentifiers: [peripheral.identifier])
    try trial.expect(known.first === peripheral, is: true)
    try await central.connect(peripheral, timeout: 10)
    let services = try await peripheral.discoverServices()
    _ = try await peripheral.discoverCharacteristics(for: services[0])
    trial.strap.leaveAtNextRead()
    let error = try await trial.error { try await peripheral.readValue(for: .log) }
    try trial.expect((error as? CBError)?.code, is: .peripheralDisconnected)
  }
}
