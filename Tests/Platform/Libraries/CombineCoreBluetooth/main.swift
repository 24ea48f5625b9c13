// SPDX-License-Identifier: Apache-2.0

import CombineCoreBluetooth
import LibraryTrial

extension Publisher {
  /// The first elements, awaited; then the subscription ends.
  ///
  /// Not by `prefix`, which over OpenCombine never gets an element of a subject with a current
  /// value.
  func first(_ count: Int) async throws -> [Output] {
    var elements: [Output] = []
    var subscription: AnyCancellable?
    defer { subscription?.cancel() }
    return try await withCheckedThrowingContinuation { continuation in
      subscription = sink {
        guard case .failure(let error) = $0, elements.count < count else { return }
        continuation.resume(throwing: error)
      } receiveValue: {
        elements.append($0)
        if elements.count == count { continuation.resume(returning: elements) }
      }
    }
  }
}

Trial.run { trial in
  let central = CentralManager.live()
  var cancellables: Set<AnyCancellable> = []
  var losses: [CBError.Code?] = []
  central.didDisconnectPeripheral.receive(on: DispatchQueue.main.ocombine).sink { _, error in
    losses.append((error as? CBError)?.code)
  }.store(in: &cancellables)

  let peripheral = try await trial(.scan) {
    try await trial.expectSoon("powered on") { central.state == .poweredOn }
    let found = try await central.scanForPeripherals(withServices: [HeartRateStrap.heartRate])
      .first(1)
    try trial.expect(found[0].advertisementData.localName, is: HeartRateStrap.name)
    try await trial.expectSoon("the scan has ended") { !central.isScanning }
    return found[0].peripheral
  }
  // The connection lasts as long as somebody subscribes to it.
  @MainActor func connect() async throws {
    central.connect(peripheral).sink { _ in
    } receiveValue: { _ in
    }.store(in: &cancellables)
    try await trial.expectSoon("connected") { peripheral.state == .connected }
  }
  try await trial(.connect) { try await connect() }
  try await trial(.discover) {
    let services = try await peripheral.discoverServices([HeartRateStrap.heartRate]).first(1)[0]
    try trial.expect(services.map(\.uuid), is: [HeartRateStrap.heartRate])
    let found = try await peripheral.discoverCharacteristics(nil, for: services[0]).first(1)[0]
    try trial.expect(found.count, is: 4)
    let description = try await peripheral.readValue(
      forDescriptor: HeartRateStrap.description, onCharacteristic: HeartRateStrap.measurement,
      inService: HeartRateStrap.heartRate
    ).first(1)[0]
    try trial.expect(description as? String, is: "Beats")
  }
  try await trial(.read) {
    let location = try await peripheral.readValue(
      forCharacteristic: HeartRateStrap.location, inService: HeartRateStrap.heartRate
    ).first(1)[0]
    try trial.expect(location, is: HeartRateStrap.chest)
    let log = try await peripheral.readValue(
      forCharacteristic: HeartRateStrap.log, inService: HeartRateStrap.heartRate
    ).first(1)[0]
    try trial.expect(log, is: HeartRateStrap.wholeLog)
    let strength = try await peripheral.readRSSI().first(1)[0]
    try trial.expect((-100..<0).contains(strength), is: true)
  }
  @MainActor func write(_ value: Data) async throws {
    _ = try await peripheral.writeValue(
      value, writeType: .withResponse, forCharacteristic: HeartRateStrap.controlPoint,
      inService: HeartRateStrap.heartRate
    ).first(1)
  }
  try await trial(.write) {
    try await write(HeartRateStrap.reset)
    try await trial.expectStrap(noted: "reset")
  }
  try await trial(.refuse) {
    let error = try await trial.error { try await write(Data([9])) }
    try trial.expectRefusal(error)
  }
  try await trial(.notify) {
    let measurement = try await peripheral.discoverCharacteristic(
      withUUID: HeartRateStrap.measurement, inServiceWithUUID: HeartRateStrap.heartRate
    ).first(1)[0]
    let received = try await peripheral.subscribeToUpdates(on: measurement).first(3)
    try trial.expect(received, is: HeartRateStrap.measurements)
    try await trial.expectStrap(noted: "unsubscribed")
  }
  try await trial(.disconnect) {
    central.cancelPeripheralConnection(peripheral)
    try await trial.expectSoon("one disconnect without an error") { losses == [nil] }
    try trial.expect(peripheral.state, is: .disconnected)
  }
  try await trial(.loss) {
    let known = central.retrievePeripherals(withIdentifiers: [peripheral.identifier])
    try trial.expect(known.first?.identifier, is: peripheral.identifier)
    try await connect()
    trial.strap.leaveAtNextRead()
    // The library leaves what is under way without an answer.
    peripheral.readValue(
      forCharacteristic: HeartRateStrap.log, inService: HeartRateStrap.heartRate
    ).sink { _ in
    } receiveValue: { _ in
    }.store(in: &cancellables)
    try await trial.expectSoon("the loss") { losses == [nil, .peripheralDisconnected] }
  }
}
