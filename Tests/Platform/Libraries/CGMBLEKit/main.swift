// SPDX-License-Identifier: Apache-2.0

@testable import CGMBLEKit
import CoreBluetooth
import LibraryTrial

/// Finds and connects, as the library's manager does for its transmitter, on a queue of its own.
final class Central: NSObject, CBCentralManagerDelegate, PeripheralManagerDelegate,
  @unchecked Sendable
{
  private let lock = NSLock()
  private let queue = DispatchQueue(label: "central")
  private var manager: CBCentralManager?
  private var made: PeripheralManager?
  private var received: [Data] = []
  private var losses: [CBError.Code?] = []

  override init() {
    super.init()
    queue.sync { manager = CBCentralManager(delegate: self, queue: queue) }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  var peripheral: PeripheralManager? { locked { made } }
  var values: [Data] { locked { received } }
  var disconnects: [CBError.Code?] { locked { losses } }

  func connect() {
    queue.sync {
      guard let peripheral = peripheral?.peripheral else { return }
      manager?.connect(peripheral)
    }
  }

  func disconnect() {
    queue.sync {
      guard let peripheral = peripheral?.peripheral else { return }
      manager?.cancelPeripheralConnection(peripheral)
    }
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn else { return }
    central.scanForPeripherals(withServices: [HeartRateStrap.heartRate])
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    central.stopScan()
    let characteristics = [
      HeartRateStrap.measurement, HeartRateStrap.location, HeartRateStrap.controlPoint,
      HeartRateStrap.log,
    ]
    let manager = PeripheralManager(
      peripheral: peripheral,
      configuration: .init(serviceCharacteristics: [HeartRateStrap.heartRate: characteristics]),
      centralManager: central)
    manager.delegate = self
    locked { made = manager }
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    self.peripheral?.centralManager(central, didConnect: peripheral)
  }

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  ) {
    locked { losses.append((error as? CBError)?.code) }
  }

  func peripheralManager(
    _ manager: PeripheralManager, didUpdateValueFor characteristic: CBCharacteristic
  ) {
    guard characteristic.uuid == HeartRateStrap.measurement else { return }
    locked { received += [characteristic.value].compactMap { $0 } }
  }

  func peripheralManager(
    _ manager: PeripheralManager, didReadRSSI RSSI: NSNumber, error: (any Error)?
  ) {}

  func peripheralManagerDidUpdateName(_ manager: PeripheralManager) {}

  func completeConfiguration(for manager: PeripheralManager) throws {}
}

Trial.run { trial in
  let central = Central()
  let peripheral = try await trial(.scan) {
    try await trial.expectSoon("discovered") { central.peripheral != nil }
    return try trial.require(central.peripheral, "peripheral")
  }
  /// Runs on the library's queue, which is blocked while answers come on that of the central.
  @MainActor func blocking<Value>(
    _ body: @escaping (PeripheralManager, (CBUUID) throws -> CBCharacteristic) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      peripheral.perform { manager in
        continuation.resume(
          with: Result {
            try body(manager) { uuid in
              let service = manager.peripheral.services?.itemWithUUID(HeartRateStrap.heartRate)
              guard let found = service?.characteristics?.itemWithUUID(uuid) else {
                throw PeripheralManagerError.unknownCharacteristic
              }
              return found
            }
          })
      }
    }
  }
  @MainActor func connect() async throws {
    central.connect()
    try await trial.expectSoon("connected") { peripheral.peripheral.state == .connected }
  }
  try await trial(.connect) { try await connect() }
  try await trial(.discover) {
    let count = try await blocking { manager, _ in
      manager.peripheral.services?.first?.characteristics?.count
    }
    try trial.expect(count, is: 4)
  }
  try await trial(.read) {
    let values = try await blocking { manager, characteristic in
      try [HeartRateStrap.location, HeartRateStrap.log].map {
        try manager.readValue(for: characteristic($0), timeout: 5)
      }
    }
    try trial.expect(values, is: [HeartRateStrap.chest, HeartRateStrap.wholeLog])
  }
  @MainActor func write(_ value: Data) async throws {
    try await blocking { manager, characteristic in
      try manager.writeValue(
        value, for: characteristic(HeartRateStrap.controlPoint), type: .withResponse, timeout: 5)
    }
  }
  try await trial(.write) {
    try await write(HeartRateStrap.reset)
    try await trial.expectStrap(noted: "reset")
  }
  try await trial(.refuse) {
    let error = try await trial.error { try await write(Data([9])) }
    guard case PeripheralManagerError.cbPeripheralError(let cause) = error else {
      throw TrialFailure("not the error of the library: \(error)")
    }
    try trial.expectRefusal(cause)
  }
  @MainActor func notify(_ enabled: Bool) async throws {
    try await blocking { manager, characteristic in
      try manager.setNotifyValue(
        enabled, for: characteristic(HeartRateStrap.measurement), timeout: 5)
    }
  }
  try await trial(.notify) {
    try await notify(true)
    try await trial.expectSoon("three measurements") {
      central.values == HeartRateStrap.measurements
    }
    try await notify(false)
    try await trial.expectStrap(noted: "unsubscribed")
  }
  try await trial(.disconnect) {
    central.disconnect()
    try await trial.expectSoon("one disconnect without an error") { central.disconnects == [nil] }
    let error = try await trial.error { try await notify(true) }
    guard case PeripheralManagerError.unknownCharacteristic = error else {
      throw TrialFailure("services after the disconnect: \(error)")
    }
  }
  try await trial(.loss) {
    try await connect()
    trial.strap.leaveAtNextRead()
    let error = try await trial.error {
      try await blocking { manager, characteristic in
        try manager.readValue(for: characteristic(HeartRateStrap.log), timeout: 2)
      }
    }
    // The library ends what is under way with its own time-out alone.
    guard case PeripheralManagerError.timeout = error else {
      throw TrialFailure("not the error of the library: \(error)")
    }
    try trial.expect(central.disconnects, is: [nil, .peripheralDisconnected])
  }
}
