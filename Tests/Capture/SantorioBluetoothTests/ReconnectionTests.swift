// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import SantorioSQLite
import Testing
import VirtualDevices

@testable import SantorioBluetooth
import HealthDevices

private let frame = BloodPressureFrames.capturedUA651BLE[2]
private let laterFrame = BloodPressureFrames.capturedUA651BLE[3]

extension Room {
  /// The identifier of the device on the phone.
  fileprivate var identifier: UUID { phone.identifier(of: device) }

  /// Moves the air's clock until something is the case.
  fileprivate func advance(until isTrue: () -> Bool) async {
    while !isTrue() {
      await air.advance(by: .milliseconds(250))
      await Task.yield()
    }
  }

  /// Takes a measurement and reads it with a scan, so that the device is known from then on.
  fileprivate func makeKnown(to controller: BluetoothPeripheralController) async {
    monitor.remember([frame])
    controller.startReading(from: .aAndDUA651BLE)
    #expect(await events(of: controller).compactMap(\.record).count == 1)
  }

  /// Whether the phone is left as an operation must leave it.
  fileprivate var isQuiet: Bool {
    phone.pendingPeers.isEmpty && phone.connectedPeers.isEmpty && phone.misuseReports.isEmpty
  }

  /// One more monitor of the same model.
  fileprivate func makeSecondMonitor(
    serialNumber: String,
    onEvent: @escaping @Sendable (VirtualDeviceEvent) -> Void = { _ in }
  ) -> (host: SimulatedHost, monitor: VirtualDevice) {
    let model = VirtualDeviceModel.ua651BLE(serialNumber: serialNumber, memory: [])
    let host = air.makeHost(named: model.advertisedName, at: SimulatedPosition(x: 1))
    let monitor = VirtualDevice(model, on: host, onEvent: onEvent)
    monitor.switchOn()
    return (host, monitor)
  }
}

/// Another app of the phone, which keeps a connection to a device.
private final class OtherApp: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
  // All state is touched on `queue` only.
  private let queue = DispatchQueue(label: "other-app")
  private let identifier: UUID
  private var manager: CBCentralManager?
  private var peripheral: CBPeripheral?

  init(on phone: SimulatedHost, connecting identifier: UUID) {
    self.identifier = identifier
    super.init()
    manager = CBCentralManager(delegate: self, queue: queue, options: phone.managerOptions)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    peripheral = central.retrievePeripherals(withIdentifiers: [identifier]).first
    if let peripheral { central.connect(peripheral) }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Reconnecting` {
  @Test func `rule 32: a reading reconnects before it scans`() async {
    let room = Room()
    let controller = room.controller()
    await room.makeKnown(to: controller)
    #expect(room.phone.scansStarted == 1)
    room.monitor.remember([laterFrame])
    controller.startReading(from: .aAndDUA651BLE)
    let events = await room.events(of: controller)
    #expect(
      events.prefix(2) == [
        .readyToRead(.aAndDUA651BLE), .found(.aAndDUA651BLE, identifier: room.identifier),
      ])
    #expect(events.compactMap(\.record).map { $0.value(.systolic) } == [134])
    #expect(room.phone.scansStarted == 1)
    #expect(room.isQuiet)
  }

  @Test func `a device that was paired is read without a scan`() async throws {
    let room = Room()
    let controller = room.controller()
    room.monitor.enterPairingMode()
    async let metadata = controller.pair(.aAndDUA651BLE)
    _ = await room.events(of: controller, afterStart: true)
    let identifier = try await metadata.peripheralUUID
    #expect(room.phone.scansStarted == 1)
    room.monitor.remember([frame])
    let newController = room.controller()
    newController.startReading(from: .aAndDUA651BLE, only: [identifier])
    #expect(await room.events(of: newController).compactMap(\.record).count == 1)
    room.monitor.remember([laterFrame])
    controller.startReading(from: .aAndDUA651BLE)
    #expect(await room.events(of: controller).compactMap(\.record).count == 1)
    #expect(room.phone.scansStarted == 1)
    #expect(room.isQuiet)
  }

  @Test func `a device is paired by a scan even if others are known`() async throws {
    let room = Room()
    let controller = room.controller()
    await room.makeKnown(to: controller)
    let (host, monitor) = room.makeSecondMonitor(serialNumber: "5160400777")
    monitor.enterPairingMode()
    async let metadata = controller.pair(.aAndDUA651BLE)
    _ = await room.events(of: controller, afterStart: true)
    #expect(try await metadata.peripheralUUID == room.phone.identifier(of: host))
    #expect(room.isQuiet)
  }

  @Test(arguments: [true, false])
  func `a device connected to another app is used`(isKnown: Bool) async {
    let room = Room()
    let controller = room.controller()
    if isKnown { await room.makeKnown(to: controller) }
    let scans = room.phone.scansStarted
    room.device.advertisesWhileConnected = false
    let other = OtherApp(on: room.phone, connecting: room.identifier)
    room.monitor.remember([laterFrame])
    await room.advance { !room.phone.connectedPeers.isEmpty }
    controller.startReading(from: .aAndDUA651BLE)
    let records = await room.events(of: controller).compactMap(\.record)
    #expect(records.map { $0.value(.systolic) } == [134])
    #expect(room.phone.scansStarted == scans)
    #expect(room.phone.connectedPeers == [room.identifier])
    #expect(room.phone.pendingPeers.isEmpty)
    withExtendedLifetime(other) {}
  }

  @Test(arguments: [true, false])
  func `a device that is asleep is read when it wakes`(isNamed: Bool) async {
    let room = Room()
    let controller = room.controller()
    await room.makeKnown(to: controller)
    controller.startReading(from: .aAndDUA651BLE, only: isNamed ? [room.identifier] : nil)
    await room.advance { room.phone.pendingPeers == [room.identifier] }
    for _ in 0..<240 { await room.air.advance(by: .milliseconds(250)) }
    if !isNamed { await room.advance { room.phone.scansStarted == 2 } }
    #expect(room.phone.pendingPeers == [room.identifier])
    room.monitor.remember([laterFrame])
    #expect(await room.events(of: controller).compactMap(\.record).count == 1)
    #expect(room.phone.scansStarted == (isNamed ? 1 : 2))
    #expect(room.isQuiet)
  }

  @Test func `a device whose identifier has changed is found by the scan`() async {
    let room = Room()
    let controller = room.controller()
    await room.makeKnown(to: controller)
    room.monitor.switchOff()
    let (host, monitor) = room.makeSecondMonitor(serialNumber: "5160400123")
    monitor.remember([laterFrame])
    controller.startReading(from: .aAndDUA651BLE)
    let events = await room.events(of: controller)
    #expect(
      events.dropFirst().first
        == .found(.aAndDUA651BLE, identifier: room.phone.identifier(of: host)))
    #expect(events.compactMap(\.record).count == 1)
    #expect(room.phone.scansStarted == 2)
    #expect(room.isQuiet)
    monitor.remember([frame])
    controller.startReading(from: .aAndDUA651BLE)
    #expect(await room.events(of: controller).compactMap(\.record).count == 1)
    #expect(room.phone.scansStarted == 2)
  }

  @Test func `a device that has lost its bond is reported and forgotten`() async {
    let room = Room()
    let controller = room.controller()
    await room.makeKnown(to: controller)
    room.device.forgetBonds()
    room.monitor.remember([laterFrame])
    controller.startReading(from: .aAndDUA651BLE)
    let events = await room.events(of: controller)
    #expect(
      events.prefix(2) == [
        .readyToRead(.aAndDUA651BLE), .found(.aAndDUA651BLE, identifier: room.identifier),
      ])
    #expect(events.last?.error?.code == .bondLost)
    #expect(room.phone.scansStarted == 1)
    room.phone.forgetBond(with: room.device)
    controller.startReading(from: .aAndDUA651BLE)
    #expect(await room.events(of: controller).compactMap(\.record).count == 1)
    #expect(room.phone.scansStarted == 2)
    #expect(room.isQuiet)
  }

  @Test func `a named device is not confused with another of its model`() async {
    let room = Room()
    let controller = room.controller()
    await room.makeKnown(to: controller)
    let (host, monitor) = room.makeSecondMonitor(serialNumber: "5160400777")
    monitor.remember([frame])
    controller.startReading(from: .aAndDUA651BLE, only: [room.identifier])
    let error = await room.events(of: controller).last?.error
    #expect(error?.code == .connectionTimeout)
    #expect(room.isQuiet)
    room.monitor.remember([laterFrame])
    controller.startReading(from: .aAndDUA651BLE, only: [room.phone.identifier(of: host)])
    let records = await room.events(of: controller).compactMap(\.record)
    #expect(records.map(\.source.device?.serialNumber) == ["5160400777"])
    #expect(room.phone.scansStarted == 1)
  }

  @Test func `of two known devices of a model each is read when it wakes`() async {
    let room = Room()
    let controller = room.controller()
    let (host, monitor) = room.makeSecondMonitor(serialNumber: "5160400777")
    await room.makeKnown(to: controller)
    monitor.remember([frame])
    controller.startReading(from: .aAndDUA651BLE, only: [room.phone.identifier(of: host)])
    _ = await room.events(of: controller)
    for (source, serialNumber) in [(room.monitor, "5160400123"), (monitor, "5160400777")] {
      source.remember([laterFrame])
      controller.startReading(from: .aAndDUA651BLE)
      let records = await room.events(of: controller).compactMap(\.record)
      #expect(records.map(\.source.device?.serialNumber) == [serialNumber])
      #expect(room.isQuiet)
    }
    #expect(room.phone.scansStarted == 1)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Pending connection` {
  /// A room with a known device, which is asleep and waited for.
  private func waiting() async -> (Room, BluetoothPeripheralController) {
    let room = Room()
    let controller = room.controller()
    await room.makeKnown(to: controller)
    controller.startReading(from: .aAndDUA651BLE)
    await room.advance { room.phone.pendingPeers == [room.identifier] }
    return (room, controller)
  }

  /// The device wakes and nobody takes its measurement; the next reading does, without a scan.
  private func expectNothingPends(
    _ room: Room, _ controller: BluetoothPeripheralController
  ) async {
    #expect(room.isQuiet)
    room.monitor.remember([laterFrame])
    await room.air.advance(by: .seconds(10))
    #expect(room.isQuiet)
    let scans = room.phone.scansStarted
    controller.startReading(from: .aAndDUA651BLE)
    #expect(await room.events(of: controller).compactMap(\.record).count == 1)
    #expect(room.phone.scansStarted == scans)
    #expect(room.isQuiet)
  }

  @Test func `ends with a cancelled reading`() async {
    let (room, controller) = await waiting()
    controller.cancel()
    #expect(await room.events(of: controller).last == .ended(.cancelled([])))
    await expectNothingPends(room, controller)
  }

  @Test func `does not disturb a reading started right after`() async {
    let (room, controller) = await waiting()
    controller.cancel()
    _ = await room.events(of: controller)
    controller.startReading(from: .aAndDUA651BLE)
    room.monitor.remember([laterFrame])
    #expect(await room.events(of: controller).compactMap(\.record).count == 1)
    #expect(room.isQuiet)
  }

  @Test func `ends with a reading that times out`() async {
    let (room, controller) = await waiting()
    #expect(await room.events(of: controller).last?.error?.code == .connectionTimeout)
    await expectNothingPends(room, controller)
  }

  @Test func `ends when Bluetooth is switched off`() async {
    let (room, controller) = await waiting()
    room.phone.state = .poweredOff
    let error = await room.events(of: controller).last?.error
    #expect(error?.unavailability == .poweredOff)
    room.phone.state = .poweredOn
    await expectNothingPends(room, controller)
  }

  @Test func `is made again after a reset of the radio`() async {
    let (room, controller) = await waiting()
    room.phone.state = .resetting
    await room.air.advance(by: .seconds(1))
    #expect(room.phone.pendingPeers.isEmpty)
    room.phone.state = .poweredOn
    await room.advance { room.phone.pendingPeers == [room.identifier] }
    let scans = room.phone.scansStarted
    room.monitor.remember([laterFrame])
    #expect(await room.events(of: controller).compactMap(\.record).count == 1)
    #expect(room.phone.scansStarted == scans)
    #expect(room.isQuiet)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Known peripherals of a session` {
  private func controller(_ room: Room, _ offline: Offline) -> BluetoothPeripheralController {
    BluetoothPeripheralController(
      session: offline.session, settings: room.settings, on: room.central)
  }

  @Test func `are reconnected by a later controller`() async throws {
    let offline = try await Offline()
    let room = Room()
    await room.makeKnown(to: controller(room, offline))
    let later = controller(room, offline)
    room.monitor.remember([laterFrame])
    later.startReading(from: .aAndDUA651BLE)
    #expect(await room.events(of: later).compactMap(\.record).count == 1)
    #expect(room.phone.scansStarted == 1)
  }

  @Test func `are searched by a scan when what is known of them is damaged`() async throws {
    let offline = try await Offline()
    let room = Room()
    await room.makeKnown(to: controller(room, offline))
    let path = offline.folder.appendingPathComponent("outbox.sqlite").path
    try SQLiteDatabase(path: path).execute(
      "UPDATE state SET value = zeroblob(40) WHERE key = 'known'")
    let later = controller(room, offline)
    room.monitor.remember([laterFrame])
    later.startReading(from: .aAndDUA651BLE)
    #expect(await room.events(of: later).compactMap(\.record).count == 1)
    #expect(room.phone.scansStarted == 2)
    #expect(
      try await later.receiver.devices.known()
        == [KnownPeripheral(identifier: room.identifier, peripheral: 2, bond: .provisional)])
  }
}

@Suite(.timeLimit(.minutes(15))) struct `End of a reading` {
  @Test func `is reported to the device before the connection ends, unless cancelled`() async {
    let room = Room()
    let controller = room.controller()
    let events = Locked<[VirtualDeviceEvent]>([])
    let (_, monitor) = room.makeSecondMonitor(serialNumber: "5160400777") { event in
      events.withLock { $0.append(event) }
    }
    let told = { (event: VirtualDeviceEvent) in events.withLock { $0.contains(event) } }
    monitor.remember([frame])
    controller.startReading(from: .aAndDUA651BLE)
    await room.advance { told(.subscribed) }
    controller.cancel()
    guard case .ended(.cancelled)? = await room.events(of: controller).last else {
      Issue.record("not cancelled")
      return
    }
    #expect(!told(.transferred(measurements: 1)))
    controller.startReading(from: .aAndDUA651BLE)
    #expect(await room.events(of: controller).compactMap(\.record).count == 1)
    #expect(told(.transferred(measurements: 1)))
    #expect(room.isQuiet)
  }
}
