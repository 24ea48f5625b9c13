// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import LibraryTrial
import RxBluetoothKit
import RxSwift

extension ObservableType {
  /// The first elements, awaited; then the subscription ends.
  func first(_ count: Int) async throws -> [Element] {
    try await withCheckedThrowingContinuation { continuation in
      _ = take(count).toArray().subscribe(
        onSuccess: { continuation.resume(returning: $0) },
        onFailure: { continuation.resume(throwing: $0) })
    }
  }
}

extension PrimitiveSequence where Trait == SingleTrait {
  var value: Element {
    get async throws { try await asObservable().first(1)[0] }
  }
}

struct HeartRateService: ServiceIdentifier {
  let uuid = HeartRateStrap.heartRate
}

struct HeartRateCharacteristic: CharacteristicIdentifier {
  let uuid: CBUUID
  var service: any ServiceIdentifier { HeartRateService() }
}

struct DescriptionOfBeats: DescriptorIdentifier {
  let uuid = HeartRateStrap.description
  var characteristic: any CharacteristicIdentifier {
    HeartRateCharacteristic(uuid: HeartRateStrap.measurement)
  }
}

let log = HeartRateCharacteristic(uuid: HeartRateStrap.log)
let controlPoint = HeartRateCharacteristic(uuid: HeartRateStrap.controlPoint)

Trial.run { trial in
  let central = CentralManager()
  let peripheral = try await trial(.scan) {
    _ = try await central.observeStateWithInitialValue().filter { $0 == .poweredOn }.first(1)
    let found = try await central.scanForPeripherals(withServices: [HeartRateStrap.heartRate])
      .first(1)
    try trial.expect(found[0].advertisementData.localName, is: HeartRateStrap.name)
    try trial.expect(central.isScanInProgress, is: false)
    return found[0].peripheral
  }
  var connection: (any Disposable)?
  /// The connection lasts as long as its subscription; its end is written to `losses`.
  var losses: [CBError.Code?] = []
  @MainActor func connect() async throws {
    connection = central.establishConnection(peripheral).subscribe(onError: { error in
      guard case BluetoothError.peripheralDisconnected(_, let cause) = error else { return }
      losses.append((cause as? CBError)?.code)
    })
    try await trial.expectSoon("connected") { peripheral.isConnected }
  }
  try await trial(.connect) {
    try await connect()
    try trial.expect(peripheral.state, is: .connected)
  }
  try await trial(.discover) {
    let services = try await peripheral.discoverServices([HeartRateStrap.heartRate]).value
    try trial.expect(services.map(\.uuid), is: [HeartRateStrap.heartRate])
    let found = try await services[0].discoverCharacteristics(nil).value
    try trial.expect(found.count, is: 4)
    let description = try await peripheral.readValue(for: DescriptionOfBeats()).value
    try trial.expect(description.value as? String, is: "Beats")
  }
  try await trial(.read) {
    let location = HeartRateCharacteristic(uuid: HeartRateStrap.location)
    try trial.expect(
      try await peripheral.readValue(for: location).value.value, is: HeartRateStrap.chest)
    try trial.expect(
      try await peripheral.readValue(for: log).value.value, is: HeartRateStrap.wholeLog)
    let (_, strength) = try await peripheral.readRSSI().value
    try trial.expect((-100..<0).contains(strength), is: true)
  }
  try await trial(.write) {
    _ = try await peripheral.writeValue(
      HeartRateStrap.reset, for: controlPoint, type: .withResponse
    ).value
    try await trial.expectStrap(noted: "reset")
  }
  try await trial(.refuse) {
    let error = try await trial.error {
      try await peripheral.writeValue(Data([9]), for: controlPoint, type: .withResponse).value
    }
    guard case BluetoothError.characteristicWriteFailed(_, let cause) = error else {
      throw TrialFailure("not the error of the library: \(error)")
    }
    try trial.expectRefusal(try trial.require(cause, "cause"))
  }
  try await trial(.notify) {
    let measurement = HeartRateCharacteristic(uuid: HeartRateStrap.measurement)
    let received = try await peripheral.observeValueUpdateAndSetNotification(for: measurement)
      .map(\.value).first(3)
    try trial.expect(received, is: HeartRateStrap.measurements)
    try await trial.expectStrap(noted: "unsubscribed")
  }
  try await trial(.disconnect) {
    connection?.dispose()
    try await trial.expectSoon("disconnected") { peripheral.state == .disconnected }
    try trial.expect(losses, is: [])
  }
  try await trial(.loss) {
    let known = central.retrievePeripherals(withIdentifiers: [peripheral.identifier])
    try trial.expect(known.first === peripheral, is: true)
    try await connect()
    trial.strap.leaveAtNextRead()
    let error = try await trial.error { try await peripheral.readValue(for: log).value }
    guard case BluetoothError.peripheralDisconnected(_, let cause) = error else {
      throw TrialFailure("not the error of the library: \(error)")
    }
    try trial.expect((cause as? CBError)?.code, is: .peripheralDisconnected)
    try trial.expect(losses, is: [.peripheralDisconnected])
  }
}
