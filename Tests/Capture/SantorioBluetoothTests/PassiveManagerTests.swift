// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthRecords
import SantorioConcurrency
import SantorioCore
import Testing
import VirtualDevices

@testable import SantorioBluetooth

private let frame = BloodPressureFrames.capturedUA651BLE[2]
private let laterFrame = BloodPressureFrames.capturedUA651BLE[3]

/// A phone that reads passively, and what it tells.
private final class PassiveRoom: Sendable {
  let room: Room
  let offline: Offline
  let manager: BluetoothPassiveManager
  private let heard: Task<Void, Never>
  private let log: Locked<[PassiveEvent]>

  init(
    _ model: VirtualDeviceModel = .ua651BLE(memory: []), offline: Offline? = nil,
    onEvent: @escaping @Sendable (VirtualDeviceEvent) -> Void = { _ in }
  ) async throws {
    room = Room(model, onEvent: onEvent)
    self.offline = if let offline { offline } else { try await Offline() }
    manager = BluetoothPassiveManager(
      for: BluetoothReceiver(session: self.offline.session, settings: room.settings),
      on: room.central)
    let (events, log) = (manager.events, Locked<[PassiveEvent]>([]))
    self.log = log
    heard = Task { for await event in events { log.withLock { $0.append(event) } } }
  }

  deinit { heard.cancel() }

  var session: SantorioSession { offline.session }
  var air: SimulatedRadioEnvironment { room.air }
  var events: [PassiveEvent] { log.withLock { $0 } }
  var identifier: UUID { room.phone.identifier(of: room.device) }

  /// The readings that were reported.
  var reported: [HealthRecord] { events.flatMap(\.records) }

  /// A controller for the same user.
  func controller() -> BluetoothPeripheralController {
    BluetoothPeripheralController(for: manager.receiver, on: room.central)
  }

  func pair(_ model: DeviceModel = .aAndDUA651BLE) async {
    let controller = controller()
    room.monitor.enterPairingMode()
    controller.startPairing(model)
    _ = await room.events(of: controller)
  }

  /// Lets time pass in the air, not faster than the disk.
  func advance(by seconds: Int) async {
    for _ in 0..<(seconds * 4) { await step() }
  }

  func step() async {
    await air.advance(by: .milliseconds(250), pacedBy: session)
    await room.central.untilAnswered()
  }

  /// Lets time pass until something is the case; false when it is not within an hour.
  func advance(until isTrue: () -> Bool) async -> Bool {
    for _ in 0..<(4 * 3600) {
      if isTrue() { return true }
      await step()
    }
    return isTrue()
  }

  func status() async -> PassiveStatus { await manager.status() }

  /// The identifiers of what waits for the server.
  func pending() async throws -> [String] { try await session.pendingRecords().map(\.logID) }
}

extension PassiveEvent {
  fileprivate var records: [HealthRecord] {
    if case .read(let records, _, _) = self { records } else { [] }
  }
  fileprivate var error: BluetoothError? {
    if case .failed(let error, _, _) = self { error } else { nil }
  }
  fileprivate var isReady: Bool { if case .readyToRead = self { true } else { false } }
}

@Suite(.timeLimit(.minutes(15))) struct `The passive manager` {
  // MARK: - What can be set

  @Test func `needs a session`() async throws {
    let room = Room()
    let manager = BluetoothPassiveManager(
      for: BluetoothReceiver(settings: room.settings), on: room.central)
    let error = await #expect(throws: BluetoothError.self) {
      try await manager.setPeripheralIDs([2])
    }
    #expect(error?.code == .noUser)
    #expect(manager.peripheralIDs == [])
    #expect(await manager.status().obstacle == .noSession)
  }

  @Test func `refuses the default user`() async throws {
    let offline = try await Offline(withUser: false)
    try await offline.session.start(.default)
    let passive = try await PassiveRoom(offline: offline)
    let error = await #expect(throws: BluetoothError.self) {
      try await passive.manager.setPeripheralIDs([2])
    }
    #expect(error?.code == .noUser)
    #expect(error?.message.contains("user of the server") == true)
    #expect(await passive.status().obstacle == .defaultUser)
    #expect(passive.room.phone.scansStarted == 0)
  }

  @Test(arguments: [7777, 26])
  func `refuses what cannot be read, and changes nothing`(id: Int) async throws {
    let passive = try await PassiveRoom()
    try await passive.manager.setPeripheralIDs([13])
    let error = await #expect(throws: BluetoothError.self) {
      try await passive.manager.setPeripheralIDs([2, id])
    }
    #expect(error?.code == .unsupportedDevice)
    #expect(passive.manager.peripheralIDs == [13])
    #expect(await passive.status().peripheralIDs == [13])
  }

  @Test func `refuses a device whose key file is missing`() async throws {
    let passive = try await PassiveRoom()
    let error = await #expect(throws: BluetoothError.self) {
      try await passive.manager.setPeripheralIDs([32])
    }
    #expect(error?.code == .notAuthorized || error?.code == .unsupportedDevice)
  }

  // MARK: - Reading

  @Test func `reads a paired device by itself, without a scan, and tells of it`() async throws {
    let passive = try await PassiveRoom()
    await passive.pair()
    let posted = Locked<[Notification]>([])
    let center = passive.offline.center
    let watch = center.addObserver(
      forName: BluetoothPassiveManager.didReadNotification, object: nil, queue: nil
    ) { notification in posted.withLock { $0.append(notification) } }
    defer { center.removeObserver(watch) }
    try await passive.manager.setPeripheralIDs([2])
    #expect(passive.manager.peripheralIDs == [2])
    await passive.advance(by: 20)
    #expect(passive.room.phone.pendingPeers.count == 1)
    // All scans since were for the end of its broadcasting after the pairing.
    await passive.advance(by: 60)
    let later = passive.room.phone.scansStarted
    await passive.advance(by: 60)
    #expect(passive.room.phone.scansStarted == later)
    passive.room.monitor.remember([frame])
    #expect(await passive.advance { !posted.withLock { $0.isEmpty } && !passive.reported.isEmpty })
    #expect(try await passive.pending() == passive.reported.map(\.logID))
    let notification = try #require(posted.withLock { $0.first })
    #expect(notification.userInfo?["peripheralID"] as? Int == 2)
    #expect(notification.userInfo?["peripheralUUID"] as? UUID == passive.identifier)
    #expect((notification.object as? [HealthRecord]) == passive.reported)
    #expect(PassiveEvent(notification).map(\.records) == passive.reported)
    #expect(passive.events.filter(\.isReady).isEmpty)
  }

  @Test func `reads the next measurement after the device was off, and none twice`() async throws {
    let passive = try await PassiveRoom()
    await passive.pair()
    try await passive.manager.setPeripheralIDs([2])
    await passive.advance(by: 20)
    passive.room.monitor.remember([frame])
    #expect(await passive.advance { passive.reported.count == 1 })
    await passive.advance(by: 180)
    passive.room.monitor.remember([laterFrame])
    #expect(await passive.advance { passive.reported.count == 2 })
    await passive.advance(by: 180)
    #expect(passive.reported.count == 2)
    #expect(try await Set(passive.pending()).count == 2)
  }

  @Test func `has a reading on the disk as soon as an interactive operation has it`() async throws {
    let (passive, interactive) = (try await latencies(true), try await latencies(false))
    #expect(
      passive.reduce(0, +) <= interactive.reduce(0, +) + 0.1, "\(passive) \(interactive)")
  }

  /// The seconds from the first advertisement to the stored reading, of several measurements.
  private func latencies(_ isPassive: Bool) async throws -> [Double] {
    let passive = try await PassiveRoom()
    await passive.pair()
    if isPassive { try await passive.manager.setPeripheralIDs([2]) }
    await passive.advance(by: 40)
    var all: [Double] = []
    for number in 0..<3 {
      if !isPassive { passive.controller().startReading(from: .aAndDUA651BLE) }
      await passive.advance(by: 5 + number)
      let begin = passive.air.clock.now
      passive.room.monitor.measure(
        VirtualMeasurement(.bloodPressure(systolic: 120 + number, diastolic: 80, pulse: 70)))
      while try await passive.pending().count == number {
        await passive.air.advance(by: .milliseconds(25), pacedBy: passive.session)
        await passive.room.central.untilAnswered()
      }
      all.append((passive.air.clock.now.elapsed - begin.elapsed) / .seconds(1))
      await passive.advance(by: 40)
    }
    return all
  }

  @Test func `reads a device that was never used, if it needs no pairing`() async throws {
    let passive = try await PassiveRoom(.nonin3230)
    try await passive.manager.setPeripheralIDs([13])
    passive.room.monitor.measure()
    #expect(await passive.advance { !passive.reported.isEmpty })
  }

  @Test func `leaves such a device alone when only paired ones are read`() async throws {
    let passive = try await PassiveRoom(.nonin3230)
    try await passive.manager.setPeripheralIDs([13], devices: .enrolled)
    passive.room.monitor.measure()
    await passive.advance(by: 60)
    #expect(passive.reported.isEmpty)
    #expect(passive.room.phone.scansStarted == 0)
    await passive.pair(.nonin3230)
    await passive.advance(by: 20)
    passive.room.monitor.measure()
    #expect(await passive.advance { !passive.reported.isEmpty })
  }

  @Test func `is off when nothing is set any more`() async throws {
    let passive = try await PassiveRoom()
    await passive.pair()
    try await passive.manager.setPeripheralIDs([2])
    await passive.advance(by: 20)
    try await passive.manager.setPeripheralIDs(nil)
    #expect(await passive.status().obstacle == .notSet)
    passive.room.monitor.remember([frame])
    await passive.advance(by: 60)
    #expect(passive.reported.isEmpty)
    #expect(passive.room.phone.pendingPeers.isEmpty)
  }

  // MARK: - Beside others

  @Test func `stands still while a controller reads, and goes on after that`() async throws {
    let passive = try await PassiveRoom()
    await passive.pair()
    try await passive.manager.setPeripheralIDs([2])
    await passive.advance(by: 20)
    let controller = passive.controller()
    controller.startReading(from: .nonin3230)
    await passive.advance(by: 2)
    #expect(await passive.status().obstacle == .interactiveOperation)
    passive.room.monitor.remember([frame])
    await passive.advance(by: 20)
    #expect(passive.reported.isEmpty)
    controller.cancel()
    #expect(await passive.advance { !passive.reported.isEmpty })
    #expect(await passive.status().isOn)
  }

  @Test func `goes on after a pause during which a controller has read`() async throws {
    let passive = try await PassiveRoom()
    await passive.pair()
    try await passive.manager.setPeripheralIDs([2])
    await passive.advance(by: 20)
    let controller = passive.controller()
    controller.startReading(from: .nonin3230)
    await passive.advance(by: 2)
    await passive.manager.pause()
    controller.cancel()
    await passive.advance(by: 2)
    #expect(await passive.manager.restoreState().value)
    #expect(await passive.status().isOn)
    passive.room.monitor.remember([frame])
    #expect(await passive.advance { !passive.reported.isEmpty })
  }

  @Test func `leaves a device that a controller wants to the controller`() async throws {
    let passive = try await PassiveRoom()
    await passive.pair()
    try await passive.manager.setPeripheralIDs([2])
    await passive.advance(by: 20)
    let controller = passive.controller()
    controller.startReading(from: .aAndDUA651BLE)
    await passive.advance(by: 2)
    passive.room.monitor.remember([frame])
    let events = await passive.room.events(of: controller)
    #expect(events.compactMap(\.record).count == 1)
    await passive.advance(by: 60)
    #expect(passive.reported.isEmpty)
    #expect(try await passive.pending().count == 1)
  }

  @Test func `goes on after Bluetooth was switched off`() async throws {
    let passive = try await PassiveRoom()
    await passive.pair()
    try await passive.manager.setPeripheralIDs([2])
    await passive.advance(by: 20)
    passive.room.phone.state = .poweredOff
    await passive.advance(by: 2)
    #expect(await passive.status().obstacle == .bluetooth(.poweredOff))
    passive.room.phone.state = .poweredOn
    passive.room.monitor.remember([frame])
    #expect(await passive.advance { !passive.reported.isEmpty })
  }

  // MARK: - Sessions

  @Test func `ends with the session, and does not go on with the next one`() async throws {
    let passive = try await PassiveRoom()
    await passive.pair()
    try await passive.manager.setPeripheralIDs([2])
    await passive.advance(by: 20)
    try await passive.session.start(
      SantorioUser(userID: "other", organizationID: "o", accessToken: "token"))
    await passive.advance(by: 2)
    #expect(passive.room.phone.pendingPeers.isEmpty)
    #expect(passive.manager.peripheralIDs == [])
    passive.room.monitor.remember([frame])
    await passive.advance(by: 60)
    #expect(passive.reported.isEmpty)
    #expect(try await passive.pending() == [])
    #expect(await passive.manager.restoreState().value == false)
  }

  @Test func `goes on in the next launch, for the same session`() async throws {
    let first = try await PassiveRoom()
    await first.pair()
    try await first.manager.setPeripheralIDs([2])
    await first.advance(by: 20)
    await first.manager.pause()
    #expect(first.manager.peripheralIDs == [])
    #expect(await first.manager.restoreState().value)
    #expect(first.manager.peripheralIDs == [2])
    first.room.monitor.remember([frame])
    #expect(await first.advance { !first.reported.isEmpty })
  }

  // MARK: - Status

  @Test func `says when a device was seen and read, and what it waits for`() async throws {
    let passive = try await PassiveRoom()
    await passive.pair()
    try await passive.manager.setPeripheralIDs([2, 13, 25, 6])
    await passive.advance(by: 20)
    var status = await passive.status()
    #expect(status.devices.map(\.state) == [.waiting])
    #expect(status.devices.first?.lastRead == nil)
    passive.room.monitor.remember([frame])
    #expect(await passive.advance { !passive.reported.isEmpty })
    status = await passive.status()
    #expect(status.devices.map(\.state) == [.quiet])
    #expect(status.devices.first?.lastRead == Room.now)
    #expect(status.devices.first?.nextTry != nil)
    #expect(status.isOn)
  }

  @Test func `says what makes it read less than it could`() async throws {
    let passive = try await PassiveRoom()
    await passive.pair()
    // The cuff is paired; the oximeter needs no pairing, the meter does.
    try await passive.manager.setPeripherals([.aAndDUA651BLE, .nonin3230, .genericGlucose])
    let limits = await passive.status().limits
    #expect(limits == [.notPaired(.genericGlucose)])
    #expect(limits.first?.description.contains("Pair it") == true)
  }

  @Test func `tells of a device that waits for a measurement, and of no other`() async throws {
    let passive = try await PassiveRoom(.ut201BLE)
    await passive.pair(.aAndDUT201BLE)
    await passive.advance(by: 60)
    try await passive.manager.setPeripherals([.aAndDUT201BLE])
    await passive.advance(by: 20)
    passive.room.monitor.measure()
    #expect(await passive.advance { !passive.reported.isEmpty })
    #expect(passive.events.filter(\.isReady).isEmpty)
    let oximeter = try await PassiveRoom(.nonin3230)
    try await oximeter.manager.setPeripherals([.nonin3230])
    #expect(await oximeter.advance { !oximeter.reported.isEmpty })
    #expect(oximeter.events.filter(\.isReady).count == 1)
  }

  @Test func `does not let a device that fails keep another from being read`() async throws {
    let passive = try await PassiveRoom()
    await passive.pair()
    try await passive.manager.setPeripherals([.aAndDUA651BLE, .nonin3230])
    await passive.advance(by: 20)
    // It is so slow that no reading comes to its end.
    passive.room.device.link.connectionInterval = .seconds(40)
    passive.room.monitor.remember([frame])
    let host = passive.air.makeHost(named: "Nonin3230_1", at: SimulatedPosition(x: 1))
    let oximeter = VirtualDevice(.nonin3230, on: host)
    oximeter.switchOn()
    oximeter.measure()
    #expect(await passive.advance { !passive.reported.isEmpty })
    passive.room.device.link.connectionInterval = .milliseconds(30)
    #expect(await passive.advance { passive.reported.contains { $0.value(.systolic) != nil } })
  }
}
