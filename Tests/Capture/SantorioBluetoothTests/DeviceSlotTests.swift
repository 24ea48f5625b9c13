// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthRecords
import SantorioCore
import SantorioSQLite
import Testing
import VirtualDevices

@testable import SantorioBluetooth

/// A frame of a BM54 whose user is another.
private func frame(_ user: UInt8, second: UInt8 = 0) -> [UInt8] {
  var frame = BloodPressureFrames.composedBM54[0]
  frame[frame.count - 3] = user
  frame[13] = user % 60 + second
  return frame
}

@Suite(.timeLimit(.minutes(15))) struct `The user of a device` {
  private let room = Room(.bm54(memory: []))
  private var device: UUID { room.phone.identifier(of: room.device) }

  private func receiver(_ offline: Offline) -> BluetoothReceiver {
    BluetoothReceiver(session: offline.session, settings: room.settings)
  }

  private func read(
    _ frames: [[UInt8]], for receiver: BluetoothReceiver, slot: Int? = nil
  ) async -> [BluetoothEvent] {
    room.monitor.remember(frames)
    let controller = BluetoothPeripheralController(for: receiver, on: room.central)
    controller.startReading(from: .genericBloodPressure, userSlot: slot)
    return await room.events(of: controller)
  }

  private func pair(_ receiver: BluetoothReceiver, slot: Int? = nil) async -> [BluetoothEvent] {
    room.monitor.enterPairingMode()
    let controller = BluetoothPeripheralController(for: receiver, on: room.central)
    controller.startPairing(.genericBloodPressure, userSlot: slot)
    return await room.events(of: controller)
  }

  private func slots(_ events: [BluetoothEvent]) -> [Int?] {
    events.compactMap(\.record).map(\.source.device?.userSlot)
  }

  @Test func `is kept with the enrolment, and decides each later reading`() async throws {
    let offline = try await Offline()
    let receiver = receiver(offline)
    _ = await pair(receiver)
    _ = await read([frame(0), frame(1)], for: receiver)
    #expect(try await offline.session.heldCount() == 2)
    let known = try await receiver.userSlots(of: device)
    #expect(known == DeviceUserSlots(own: nil, shown: [0, 1], heldCount: 2))

    #expect(try await receiver.setUserSlot(1, of: device) == 1)

    #expect(try await offline.session.pendingRecords().map(\.source.device?.userSlot) == [1])
    let events = await read([frame(1, second: 30)], for: self.receiver(offline))
    #expect(slots(events) == [1, 1])
    #expect(events.compactMap(\.refusal).map(\.reason) == [.otherUser])
    #expect(events.allSatisfy { $0.undecided == nil })
    #expect(try await offline.session.pendingCount() == 2)
  }

  @Test func `can be said when the device is paired`() async throws {
    let offline = try await Offline()
    _ = await pair(receiver(offline), slot: 1)
    #expect(try await receiver(offline).userSlots(of: device).own == 1)
    // Pairing it anew does not change that.
    _ = await pair(receiver(offline))
    #expect(try await receiver(offline).userSlots(of: device).own == 1)
    _ = await read([frame(0), frame(1)], for: receiver(offline))
    #expect(
      try await offline.session.pendingRecords().map(\.source.device?.userSlot) == [1])
    #expect(try await offline.session.heldCount() == 0)
  }

  @Test func `is another one for a reading that names it`() async throws {
    let offline = try await Offline()
    _ = await pair(receiver(offline), slot: 1)
    #expect(slots(await read([frame(0), frame(1)], for: receiver(offline), slot: 0)) == [0])
    #expect(try await receiver(offline).userSlots(of: device).own == 1)
  }

  @Test func `may be said while the device is read`() async throws {
    let offline = try await Offline()
    let receiver = receiver(offline)
    _ = await pair(receiver)
    room.monitor.remember([frame(0), frame(1)])
    let controller = BluetoothPeripheralController(for: receiver, on: room.central)
    controller.startReading(from: .genericBloodPressure)
    _ = await room.events(of: controller) { $0.undecided != nil }
    try await receiver.setUserSlot(1, of: device)
    _ = await room.events(of: controller)
    #expect(try await offline.session.pendingRecords().map(\.source.device?.userSlot) == [1])
    #expect(try await receiver.userSlots(of: device).heldCount == 1)
  }

  @Test func `does not matter where the readings of all are wanted`() async throws {
    let offline = try await Offline()
    _ = await pair(receiver(offline), slot: 1)
    var settings = room.settings
    settings.takesEveryUser = true
    let all = BluetoothReceiver(session: offline.session, settings: settings)
    #expect(slots(await read([frame(0), frame(1)], for: all)) == [0, 1])
  }

  @Test func `was another one: what waits of the earlier one is held back`() async throws {
    let offline = try await Offline()
    let receiver = receiver(offline)
    _ = await pair(receiver, slot: 0)
    _ = await read([frame(0)], for: receiver)
    #expect(try await offline.session.pendingRecords().map(\.source.device?.userSlot) == [0])

    try await receiver.setUserSlot(1, of: device)

    #expect(try await offline.session.pendingRecords().isEmpty)
    #expect(try await receiver.userSlots(of: device).heldCount == 1)
    #expect(try await receiver.setUserSlot(0, of: device) == 1)
    #expect(try await offline.session.pendingRecords().map(\.source.device?.userSlot) == [0])
  }

  @Test func `is not shown by the device because somebody has asked for it`() async throws {
    let offline = try await Offline()
    let receiver = receiver(offline)
    _ = await pair(receiver, slot: 3)
    _ = await read([frame(0)], for: receiver)
    #expect(try await receiver.userSlots(of: device).shown == [0])
    #expect(try await offline.session.pendingRecords().isEmpty)
  }

  @Test func `is not decided by a reading that was interrupted`() async throws {
    let offline = try await Offline()
    let receiver = receiver(offline)
    _ = await pair(receiver)
    room.monitor.remember([frame(0), frame(0, second: 30), frame(1)])
    let controller = BluetoothPeripheralController(for: receiver, on: room.central)
    controller.startReading(from: .genericBloodPressure)
    _ = await room.events(of: controller) { $0.record != nil }
    controller.cancel()
    _ = await room.events(of: controller)
    #expect(try await offline.session.pendingRecords().isEmpty)

    _ = await read([frame(1, second: 40)], for: receiver)

    #expect(try await offline.session.pendingRecords().isEmpty)
    #expect(try await receiver.userSlots(of: device).shown == [0, 1])
  }

  @Test func `can be forgotten`() async throws {
    let offline = try await Offline()
    let receiver = receiver(offline)
    _ = await pair(receiver, slot: 1)
    try await receiver.setUserSlot(nil, of: device)
    #expect(try await receiver.userSlots(of: device).own == nil)
  }

  @Test func `is kept of devices that are paired for the user only`() async throws {
    let offline = try await Offline()
    let receiver = receiver(offline)
    let error = await #expect(throws: BluetoothError.self) {
      try await receiver.setUserSlot(0, of: device)
    }
    #expect(error?.code == .notEnrolled)
    let negative = await #expect(throws: BluetoothError.self) {
      try await receiver.setUserSlot(-1, of: device)
    }
    #expect(negative?.code == .misconfigured)
  }

  @Test func `is each device's own`() async throws {
    let store = DeviceStore(session: nil)
    let (cuff, scale) = (UUID(), UUID())
    let user = DeviceOwner.user(id: "u", organization: "o")
    for (device, slot) in [(cuff, 0), (scale, 2)] {
      try await store.note(device, as: 3000, .paired, by: user, inSlot: slot)
    }
    let known = try await store.known()
    #expect(known.first { $0.identifier == cuff }?.userSlot(of: user) == 0)
    #expect(known.first { $0.identifier == scale }?.userSlot(of: user) == 2)
  }

  @Test func `goes with the enrolment when another user takes the device over`() async throws {
    let store = DeviceStore(session: nil)
    let device = UUID()
    let (alice, bob) = (
      DeviceOwner.user(id: "alice", organization: "o"),
      DeviceOwner.user(id: "bob", organization: "o")
    )
    func slot(of user: DeviceOwner) async throws -> Int? {
      try await store.known().first?.userSlot(of: user)
    }
    try await store.note(device, as: 3000, .paired, by: .unclaimed, inSlot: 1)
    try await store.note(device, as: 3000, .read(needsBond: false), by: alice)
    #expect(try await slot(of: alice) == 1)
    #expect(try await slot(of: bob) == nil)
    #expect(try await !store.setUserSlot(0, of: device, for: bob))
    try await store.note(device, as: 3000, .paired, by: bob)
    #expect(try await slot(of: bob) == nil)
    #expect(try await slot(of: alice) == nil)
  }

  @Test func `is named as the device shows it, or not at all`() throws {
    #expect(try UserChoice.label(1).slot(on: .beurerBM54) == 0)
    #expect(try UserChoice.label(1).slot(on: .genericBloodPressure) == 1)
    #expect(try UserChoice.slot(0).slot(on: .beurerBM54) == 0)
    let error = #expect(throws: BluetoothError.self) {
      try UserChoice.label(0).slot(on: .beurerBM54)
    }
    #expect(error?.message.contains("it labels its users from 1") == true)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `What is held back of a device` {
  private let room = Room(.bm54(memory: []))
  private var device: UUID { room.phone.identifier(of: room.device) }

  private func controller(_ receiver: BluetoothReceiver) -> BluetoothPeripheralController {
    BluetoothPeripheralController(for: receiver, on: room.central)
  }

  /// An operation that is about no device at all.
  private func lookForAnother(_ receiver: BluetoothReceiver) async {
    let controller = controller(receiver)
    controller.startReading(from: .genericWeightScale)
    #expect(await room.events(of: controller).last?.error?.code == .connectionTimeout)
  }

  private func leave(
    _ logID: String, secondsAgo: Double, in offline: Offline, as model: Int = 3000
  ) async throws {
    let store = DeviceStore(session: offline.session)
    let record = HealthRecord(
      logID: logID,
      time: RecordTime(
        start: Room.now, origin: .device, received: Room.now.addingTimeInterval(-secondsAgo)),
      source: RecordSource(type: .bluetooth, device: SourceDevice(userSlot: 0)),
      metrics: [Metric(.pulse, 60)])
    try await offline.session.hold([record])
    try await store.note(
      device, as: model, .read(needsBond: false), by: .user(id: "u", organization: "o"))
    try await store.changeUsers(of: device) { users in
      users.note(0, wanting: nil)
      users.noteEnd()
      users.hold(logID)
    }
  }

  @Test func `is decided by the next operation when the end of the reading could not`()
    async throws
  {
    let offline = try await Offline()
    let receiver = BluetoothReceiver(session: offline.session, settings: room.settings)
    let path = offline.folder.appendingPathComponent("outbox.sqlite").path
    let disk = try SQLiteDatabase(path: path)
    try disk.execute(
      "CREATE TRIGGER broken BEFORE UPDATE ON q BEGIN SELECT RAISE(ABORT, 'no disk'); END;")
    room.monitor.remember([frame(0)])
    let reading = controller(receiver)
    reading.startReading(from: .genericBloodPressure)
    #expect(await room.events(of: reading).last?.error?.code == .submissionFailure)
    #expect(try await offline.session.heldCount() == 1)
    // Nor can the next one; that is no error of its own.
    await lookForAnother(receiver)
    #expect(try await offline.session.heldCount() == 1)
    try disk.execute("DROP TRIGGER broken")

    await lookForAnother(receiver)

    #expect(try await offline.session.heldCount() == 0)
    #expect(try await offline.session.pendingCount() == 1)
  }

  @Test(arguments: [(0.0, 1), (200, 1), (300, 0), (-300, 0)])
  func `is decided in another process once no connection of it can be under way`(
    secondsAgo: Double, held: Int
  ) async throws {
    let offline = try await Offline()
    try await leave("left", secondsAgo: secondsAgo, in: offline)
    await lookForAnother(BluetoothReceiver(session: offline.session, settings: room.settings))
    #expect(try await offline.session.heldCount() == held)
    #expect(try await offline.session.pendingCount() == 1 - held)
  }

  @Test func `waits where the device has shown two users`() async throws {
    let offline = try await Offline()
    try await leave("left", secondsAgo: 1000, in: offline)
    try await DeviceStore(session: offline.session).changeUsers(of: device) {
      $0.note(1, wanting: nil)
    }
    await lookForAnother(BluetoothReceiver(session: offline.session, settings: room.settings))
    #expect(try await offline.session.heldCount() == 1)
  }

  @Test func `is reported as taken when its user is named`() async throws {
    let offline = try await Offline()
    try await leave("left", secondsAgo: 0, in: offline)
    let receiver = BluetoothReceiver(session: offline.session, settings: room.settings)
    room.monitor.remember([frame(1)])
    let reading = controller(receiver)
    reading.startReading(from: .genericBloodPressure, userSlot: 0)
    let events = await room.events(of: reading)
    #expect(events.compactMap(\.record).map(\.logID) == ["left"])
    #expect(try await offline.session.pendingRecords().map(\.logID) == ["left"])
  }

  @Test func `waits for a user who is asked for approval, whichever slot is named later`()
    async throws
  {
    var owners = ReadingOwners(.init(isKept: true, takesEveryUser: false, asksUser: true))
    owners.begin(after: DeviceUsers())
    let record = HealthRecord(
      logID: "asked", time: RecordTime(start: Room.now, origin: .device, received: Room.now),
      source: RecordSource(type: .bluetooth, device: SourceDevice(userSlot: 0)),
      metrics: [Metric(.pulse, 60)])
    _ = owners.event(of: record)
    #expect(owners.undecided == ["asked"] && owners.users.undecided.isEmpty)
  }
}

@Suite struct `Owners of readings` {
  private func record(_ slot: Int?) -> HealthRecord {
    HealthRecord(
      logID: "\(slot ?? -1)",
      time: RecordTime(start: Room.now, origin: .device, received: Room.now),
      source: RecordSource(type: .bluetooth, device: SourceDevice(userSlot: slot)),
      metrics: [Metric(.pulse, 60)])
  }

  @Test(arguments: [false, true])
  func `are not known of readings without a time until the device was read for the new owner`(
    wasRead: Bool
  ) {
    var reading = record(nil)
    reading.time.origin = .received
    var owners = owners(after: DeviceUsers())
    var start = OwnershipStart(Room.now - 60, isChange: true)
    if wasRead { start.noteEnd(at: Room.now - 30, wasAskedForMemory: false) }
    owners.begin(after: DeviceUsers(), start: start)
    #expect(owners.event(of: reading) == (wasRead ? .reading(reading) : .undecided(reading)))
  }

  @Test func `are not the user's of what was measured before the device was`() {
    var reading = record(nil)
    reading.time.start = Room.now - 2 * 86_400
    var owners = owners(after: DeviceUsers())
    owners.begin(after: DeviceUsers(), start: OwnershipStart(Room.now - 60, isChange: false))
    #expect(owners.event(of: reading) == .older(reading))
    #expect(owners.older == [reading.logID] && owners.undecided.isEmpty)
  }

  @Test(arguments: [nil, 0])
  func `are not known of what failed before the change of owner`(slot: Int?) {
    var failed = record(slot)
    failed.time.start = Room.now - 90
    var owners = owners(after: DeviceUsers())
    owners.begin(after: DeviceUsers(), start: OwnershipStart(Room.now - 60, isChange: true))
    slot.map { owners.note(DeviceReading(slot: $0)) }
    owners.holdUnlessOwn(failed)
    #expect(owners.undecided == [failed.logID])
    // A slot does not say when.
    #expect(owners.users.undecided.isEmpty)
    failed.time.start = Room.now - 3600
    failed.logID = "older"
    owners.holdUnlessOwn(failed)
    #expect(owners.older == ["older"])
  }

  private func owners(after earlier: DeviceUsers?, slot: Int? = nil) -> ReadingOwners {
    var owners = ReadingOwners(.init(isKept: true, takesEveryUser: false, asksUser: false))
    owners.begin(after: earlier)
    owners.want(slot)
    return owners
  }

  @Test(arguments: [nil, 0])
  func `are not known while what is kept of the device cannot be read`(slot: Int?) {
    var owners = owners(after: nil)
    let reading = record(slot)
    slot.map { owners.note(DeviceReading(slot: $0)) }
    #expect(owners.event(of: reading) == .reading(reading))
    #expect(owners.undecided == [reading.logID])
    #expect(owners.changedUsers == nil)
    // Now it can: another user is known of it.
    var stored = DeviceUsers()
    stored.note(1, wanting: nil)
    owners.add(stored)
    #expect(owners.isToBeTakenBack(reading))
  }

  @Test func `are known where the slot is named, whatever can be read`() {
    var owners = owners(after: nil, slot: 1)
    owners.note(DeviceReading(slot: 1))
    #expect(owners.event(of: record(1)) == .reading(record(1)))
    #expect(owners.undecided.isEmpty)
  }
}

extension DeviceReading {
  fileprivate init(slot: Int) {
    self.init([.init(.pulse, 60)], payload: [])
    userSlot = slot
  }
}
