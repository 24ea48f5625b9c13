// SPDX-License-Identifier: Apache-2.0

import Bluejay
import CoreBluetooth
import LibraryTrial

let heartRate = ServiceIdentifier(uuid: HeartRateStrap.heartRate)
let location = CharacteristicIdentifier(uuid: HeartRateStrap.location, service: heartRate)
let measurement = CharacteristicIdentifier(uuid: HeartRateStrap.measurement, service: heartRate)
let controlPoint = CharacteristicIdentifier(uuid: HeartRateStrap.controlPoint, service: heartRate)
let log = CharacteristicIdentifier(uuid: HeartRateStrap.log, service: heartRate)

final class Disconnects: DisconnectHandler {
  var errors: [CBError.Code?] = []

  func didDisconnect(
    from peripheral: PeripheralIdentifier, with error: (any Error)?, willReconnect: Bool
  ) -> AutoReconnectMode {
    errors.append((error as? CBError)?.code)
    return .change(shouldAutoReconnect: false)
  }
}

Trial.run { trial in
  let bluejay = Bluejay()
  let disconnects = Disconnects()
  bluejay.registerDisconnectHandler(handler: disconnects)
  bluejay.start()

  /// Runs on a thread that is blocked while answers come on the main queue.
  @MainActor func blocking<Value>(
    _ body: @escaping (SynchronizedPeripheral) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      bluejay.run(backgroundTask: body) { (result: RunResult<Value>) in
        switch result {
        case .success(let value): continuation.resume(returning: value)
        case .failure(let error): continuation.resume(throwing: error)
        }
      }
    }
  }

  let found = try await trial(.scan) {
    try await trial.expectSoon("available") { bluejay.isBluetoothAvailable }
    let found = await withCheckedContinuation { continuation in
      bluejay.scan(duration: 10, serviceIdentifiers: [heartRate]) { _, _ in
        .stop
      } stopped: { found, _ in
        continuation.resume(returning: found)
      }
    }
    let packet = try trial.require(found.first, "discovery").advertisementPacket
    try trial.expect(
      packet[CBAdvertisementDataLocalNameKey] as? String, is: HeartRateStrap.name)
    return found[0].peripheralIdentifier
  }
  @MainActor func connect() async throws {
    let result = await withCheckedContinuation { continuation in
      bluejay.connect(found, timeout: .seconds(10)) { continuation.resume(returning: $0) }
    }
    if case .failure(let error) = result { throw error }
    try trial.expect(bluejay.isConnected, is: true)
  }
  try await trial(.connect) { try await connect() }
  // The library discovers what an operation names.
  try await trial(.read) {
    let values: [Data] = try await blocking {
      [try $0.read(from: location), try $0.read(from: log)]
    }
    try trial.expect(values, is: [HeartRateStrap.chest, HeartRateStrap.wholeLog])
  }
  try await trial(.write) {
    try await blocking { try $0.write(to: controlPoint, value: HeartRateStrap.reset) }
    try await trial.expectStrap(noted: "reset")
  }
  try await trial(.refuse) {
    let error = try await trial.error {
      try await blocking { try $0.write(to: controlPoint, value: Data([9])) }
    }
    try trial.expectRefusal(error)
  }
  try await trial(.notify) {
    var received: [Data] = []
    bluejay.listen(to: measurement) { (result: ReadResult<Data>) in
      if case .success(let value) = result { received.append(value) }
    }
    try await trial.expectSoon("three measurements") {
      received.count == HeartRateStrap.measurements.count
    }
    try trial.expect(received, is: HeartRateStrap.measurements)
    bluejay.endListen(to: measurement)
    try await trial.expectStrap(noted: "unsubscribed")
  }
  try await trial(.disconnect) {
    _ = await withCheckedContinuation { continuation in
      bluejay.disconnect { continuation.resume(returning: $0) }
    }
    try trial.expect(bluejay.isConnected, is: false)
    try await trial.expectSoon("one disconnect without an error") { disconnects.errors == [nil] }
  }
  try await trial(.loss) {
    try await connect()
    trial.strap.leaveAtNextRead()
    let error = try await trial.error { () -> Data in
      try await blocking { try $0.read(from: log) }
    }
    guard case BluejayError.notConnected = error else {
      throw TrialFailure("not the error of the library: \(error)")
    }
    try await trial.expectSoon("the loss") {
      disconnects.errors == [nil, .peripheralDisconnected]
    }
  }
}
