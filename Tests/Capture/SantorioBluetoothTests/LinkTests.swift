// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthRecords
import Testing
import VirtualDevices

@testable import SantorioBluetooth

extension Room {
  fileprivate func read(_ model: DeviceModel) async -> [BluetoothEvent] {
    let controller = controller()
    controller.startReading(from: model)
    return await events(of: controller)
  }
}

/// What a connection does that differs from phone to phone and from device to device.
@Suite(.timeLimit(.minutes(15))) struct `Connections` {
  @Test func `write although the system does not say that it has room`() async {
    let room = Room(.o2Ring)
    room.phone.hidesRoomBeforeFirstWrite = true
    let events = await room.read(.viatomO2Ring)
    #expect(!events.compactMap(\.record).isEmpty)
    #expect(events.last?.error == nil)
  }

  @Test func `say when a request is longer than they carry`() async {
    let room = Room(.o2RingS)
    room.phone.link.mtu = 23
    let error = await room.read(.viatomO2RingS).last?.error
    #expect(error?.code == .communicationFailure)
    #expect(
      error?.message.contains("The connection carries 20 bytes at once, and the device wants ")
        == true)
  }

  @Test func `ask again when the device changes its services`() async {
    let room = Room()
    room.monitor.switchOff()
    let monitor = ChangingMonitor(on: room.device)
    let events = await room.read(.aAndDUA651BLE)
    #expect(events.compactMap(\.record).count == 1)
    #expect(events.last?.error == nil)
    withExtendedLifetime(monitor) {}
  }
}

/// A monitor that replaces its services when it is subscribed to for the first time, as some do when
/// they are paired, and sends its measurement when it is subscribed to again.
private final class ChangingMonitor: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
  // All state is touched on `queue` only.
  private let queue = DispatchQueue(label: "changing-monitor")
  private var manager: CBPeripheralManager?
  private var measurement: CBMutableCharacteristic?
  private var subscriptions = 0

  init(on host: SimulatedHost) {
    super.init()
    queue.sync {
      manager = CBPeripheralManager(delegate: self, queue: queue, options: host.managerOptions)
    }
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    addService(to: peripheral)
    peripheral.startAdvertising([
      CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "1810")],
      CBAdvertisementDataLocalNameKey: "A&D_UA-651BLE_123456",
    ])
  }

  private func addService(to peripheral: CBPeripheralManager) {
    let characteristic = CBMutableCharacteristic(
      type: CBUUID(string: "2A35"), properties: .indicate, value: nil, permissions: .readable)
    let service = CBMutableService(type: CBUUID(string: "1810"), primary: true)
    service.characteristics = [characteristic]
    measurement = characteristic
    peripheral.add(service)
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral,
    didSubscribeTo characteristic: CBCharacteristic
  ) {
    subscriptions += 1
    guard subscriptions > 1, let measurement else {
      peripheral.removeAllServices()
      return addService(to: peripheral)
    }
    peripheral.updateValue(
      Data(BloodPressureFrames.capturedUA651BLE[2]), for: measurement, onSubscribedCentrals: nil)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Bluetooth authorization` {
  @Test func `is known without asking the user`() {
    let room = Room()
    room.phone.askForPermission()
    #expect(room.central.authorization == .notDetermined)
    room.phone.state = .unauthorized
    #expect(room.central.authorization == .denied)
    room.phone.isRestricted = true
    #expect(room.central.authorization == .restricted)
    room.phone.state = .poweredOff
    #expect(room.central.authorization == .allowed)
  }

  @Test(arguments: [
    (CBManagerState.poweredOn, false, BluetoothAuthorization.allowed),
    (.unauthorized, false, .denied), (.unauthorized, true, .restricted),
  ])
  func `is asked for before a reading`(
    answer: CBManagerState, isRestricted: Bool, expected: BluetoothAuthorization
  ) async {
    let room = Room()
    room.phone.askForPermission()
    room.phone.isRestricted = isRestricted
    let (first, second) = (
      Task { await room.central.requestAuthorization() },
      Task { await room.central.requestAuthorization() }
    )
    for _ in 0..<100 { await room.air.advance(by: .seconds(1)) }
    room.phone.state = answer
    let advancing = Task { while !Task.isCancelled { await room.air.advance(by: .seconds(1)) } }
    #expect(await [first.value, second.value] == [expected, expected])
    // It is decided now.
    #expect(await room.central.requestAuthorization() == expected)
    advancing.cancel()
  }

  @Test func `is waited for no longer than the task wants`() async {
    let room = Room()
    room.phone.askForPermission()
    let asking = Task { await room.central.requestAuthorization() }
    await room.air.advance(by: .seconds(1))
    asking.cancel()
    #expect(await asking.value == .notDetermined)
  }

  @Test(arguments: [false, true])
  func `is named when it is missing`(isRestricted: Bool) async {
    let room = Room()
    room.phone.state = .unauthorized
    room.phone.isRestricted = isRestricted
    let error = await room.read(.aAndDUA651BLE).last?.error
    #expect(error?.code == .bluetoothUnavailable)
    #expect(error?.unavailability == (isRestricted ? .restricted : .denied))
  }
}
