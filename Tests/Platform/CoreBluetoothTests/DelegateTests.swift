// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Optional requirements` {
  @Test func `an optional call reaches the delegate's method`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()
    let recorder = Recorder()
    let delegate: (any CBCentralManagerDelegate)? = recorder

    delegate?.centralManager?(lab.central.manager, didConnect: peripheral)
    delegate?.centralManager?(
      lab.central.manager, didDisconnectPeripheral: peripheral, error: nil)

    #expect(recorder.log.all == ["connected"])
  }

  @Test func `an optional call reaches peripheral delegates, too`() async throws {
    let lab = Lab()
    let peripheral = try await lab.find()
    let recorder = Recorder()
    let delegate: (any CBPeripheralDelegate)? = recorder

    delegate?.peripheral?(peripheral, didDiscoverServices: nil)
    delegate?.peripheralDidUpdateName?(peripheral)
    delegate?.peripheralIsReady?(toSendWriteWithoutResponse: peripheral)

    #expect(recorder.log.all == ["services", "name", "ready"])
  }

  @Test func `an implemented method counts even if it calls a missing one`()
    async throws
  {
    let lab = Lab()
    _ = try await lab.find()
    let delegate = CallsMissingMethod()
    let manager = CBCentralManager(
      delegate: delegate, queue: DispatchQueue(label: "missing"),
      options: lab.phone.managerOptions)
    await lab.powerUp()
    let identifier = lab.phone.identifier(of: lab.meter)
    let peripheral = try #require(manager.retrievePeripherals(withIdentifiers: [identifier]).first)
    manager.connect(
      peripheral, options: [CBConnectPeripheralOptionEnableAutoReconnect: NSNumber(value: true)])
    await lab.run(.seconds(2))

    lab.meter.disconnectAll()
    await lab.run(.seconds(5))

    #expect(delegate.log.all == ["older"])
    #expect(peripheral.state == .disconnected)
  }

  @Test func `objects are arguments of C formats`() async throws {
    let lab = Lab()
    let arguments: [any CVarArg] = [
      try await lab.find(), lab.central.manager, CBUUID(string: "180D"),
      CBMutableService(type: CBUUID(string: "180D"), primary: true),
    ]
    #expect(arguments.map { $0._cVarArgEncoding.count } == [1, 1, 1, 1])
  }
}

private final class Recorder: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  let log = EventLog()

  func centralManagerDidUpdateState(_ central: CBCentralManager) {}

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    log.note("connected")
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    log.note("services")
  }

  func peripheralDidUpdateName(_ peripheral: CBPeripheral) {
    log.note("name")
  }

  func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
    log.note("ready")
  }
}

private final class CallsMissingMethod: NSObject, CBCentralManagerDelegate {
  let log = EventLog()

  func centralManagerDidUpdateState(_ central: CBCentralManager) {}

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
    error: (any Error)?
  ) {
    log.note("older")
    (self as any CBCentralManagerDelegate).centralManager?(
      central, didFailToConnect: peripheral, error: error)
  }
}
