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

@Suite(.timeLimit(.minutes(15))) struct `Whose a reading is` {
  private typealias Frames = BloodPressureFrames

  /// A frame of the monitor whose user is another.
  private static func frame(_ user: UInt8) -> [UInt8] {
    var frame = Frames.composedBM54[0]
    frame[frame.count - 3] = user
    // Its second.
    frame[13] = user % 60
    return frame
  }

  private func read(
    _ frames: [[UInt8]], in room: Room, _ session: SantorioSession?, slot: Int? = nil,
    everyUser: Bool = false, delegate: (any BluetoothPeripheralControllerDelegate)? = nil
  ) async -> [BluetoothEvent] {
    room.monitor.remember(frames)
    var settings = room.settings
    settings.takesEveryUser = everyUser
    let controller = BluetoothPeripheralController(
      session: session, settings: settings, on: room.central)
    controller.delegate = delegate
    controller.startReading(from: .genericBloodPressure, userSlot: slot)
    return await room.events(of: controller)
  }

  private func slots(_ records: [HealthRecord]) -> [Int?] { records.map(\.source.device?.userSlot) }

  private func finished(_ events: [BluetoothEvent]) -> [HealthRecord] {
    if case .ended(.finished(let records)) = events.last { records } else { [] }
  }

  @Test func `is the session user's on a device that has shown one user`() async throws {
    let (room, offline) = (Room(.bm54(memory: [])), try await Offline())
    let events = await read([Self.frame(0)], in: room, offline.session)
    #expect(finished(events).count == 1 && events.allSatisfy { $0.undecided == nil })
    #expect(try await offline.session.pendingCount() == 1)
    #expect(try await offline.session.heldCount() == 0)
  }

  @Test func `is not guessed when the first reading shows two users`() async throws {
    let (room, offline) = (Room(.bm54(memory: [])), try await Offline())
    let events = await read([Self.frame(0), Self.frame(1)], in: room, offline.session)
    #expect(events.last == .ended(.nothingNew))
    #expect(Set(slots(events.compactMap(\.undecided))) == [0, 1])
    #expect(try await offline.session.pendingCount() == 0)
    #expect(slots(try await offline.session.heldRecords()) == [0, 1])
  }

  @Test func `is not guessed from the moment that another user shows`() async throws {
    let (room, offline) = (Room(.bm54(memory: [])), try await Offline())
    _ = await read([Self.frame(0)], in: room, offline.session)
    let events = await read([Self.frame(1)], in: room, offline.session)
    #expect(slots(events.compactMap(\.undecided)) == [1])
    #expect(try await offline.session.pendingCount() == 1)
    #expect(slots(try await offline.session.heldRecords()) == [1])
    // And from now on a slot has to be named; the monitor sends all that it has each time.
    let later = await read([], in: room, offline.session)
    #expect(slots(later.compactMap(\.undecided)) == [0, 1])
    #expect(later.last == .ended(.nothingNew))
    // That decides about what was held back, too.
    _ = await read([], in: room, offline.session, slot: 1)
    #expect(slots(try await offline.session.pendingRecords()) == [0, 1])
    #expect(try await offline.session.heldCount() == 0)
  }

  @Test func `is known where a slot is named, which shows the others, too`() async throws {
    let (room, offline) = (Room(.bm54(memory: [])), try await Offline())
    let events = await read([Self.frame(0), Self.frame(1)], in: room, offline.session, slot: 1)
    #expect(slots(finished(events)) == [1])
    #expect(try await offline.session.heldCount() == 0)
    let later = await read([], in: room, offline.session)
    #expect(slots(later.compactMap(\.undecided)) == [0, 1])
  }

  @Test func `is of somebody else where a device that tells its users apart says nothing`()
    async throws
  {
    let (room, offline) = (Room(.bm54(memory: [])), try await Offline())
    // Without the flag for the user; the second differs.
    var silent = Self.frame(0)
    silent[0] &= ~0x08
    silent.remove(at: silent.count - 3)
    silent[13] = 33
    _ = await read([Self.frame(0)], in: room, offline.session)
    let events = await read([silent], in: room, offline.session)
    #expect(slots(events.compactMap(\.undecided)) == [nil])
    #expect(slots(try await offline.session.heldRecords()) == [nil])
  }

  @Test func `is known of a user who was named and is not the one whom the device has shown`()
    async throws
  {
    let (room, offline) = (Room(.bm54(memory: [])), try await Offline())
    _ = await read([Self.frame(1)], in: room, offline.session, slot: 0)
    let events = await read([], in: room, offline.session)
    #expect(slots(events.compactMap(\.undecided)) == [1])
    #expect(try await offline.session.pendingCount() == 0)
  }

  @Test func `stays declined when its slot is named`() async throws {
    let (room, offline) = (Room(.bm54(memory: [])), try await Offline())
    _ = await read([Self.frame(0), Self.frame(1)], in: room, offline.session)
    try await offline.session.declineHeld(try await offline.session.heldRecords())
    let events = await read([], in: room, offline.session, slot: 1)
    #expect(try await offline.session.pendingCount() == 0)
    #expect(try await offline.session.heldCount() == 2)
    // It is neither taken nor to be decided.
    #expect(events.compactMap(\.record) == [])
    #expect(events.last == .ended(.nothingNew))
    for (slot, everyUser) in [(nil, false), (nil, true), (0, false)] {
      let events = await read([], in: room, offline.session, slot: slot, everyUser: everyUser)
      #expect(events.compactMap(\.record) + events.compactMap(\.undecided) == [])
    }
    #expect(try await offline.session.heldCount() == 2)
  }

  @Test(arguments: [nil, 0])
  func `is to be decided where the device does not know it`(slot: Int?) async throws {
    let (room, offline) = (Room(.bm54(memory: [])), try await Offline())
    let events = await read([Self.frame(0xFF)], in: room, offline.session, slot: slot)
    let record = try #require(events.compactMap(\.undecided).first)
    #expect(record.isOfUnknownUser && record.source.device?.userSlot == nil)
    #expect(try await offline.session.pendingCount() == 0)
    #expect(try await offline.session.heldRecords() == [record])
    try await offline.session.releaseHeld([record])
    let released = try #require(try await offline.session.pendingRecords().first)
    let decision = try #require(released.userDecision)
    #expect(decision.decider == "user" && released == record.decided(decision))
    #expect(!released.isOfUnknownUser)
  }

  @Test func `is the session user's in any case if the app wants that`() async throws {
    let (room, offline) = (Room(.bm54(memory: [])), try await Offline())
    let frames = [Self.frame(0), Self.frame(1), Self.frame(0xFF)]
    let events = await read(frames, in: room, offline.session, everyUser: true)
    #expect(slots(finished(events)) == [0, 1, nil] as [Int?])
    #expect(finished(events).allSatisfy { !$0.isOfUnknownUser })
    #expect(
      finished(events).map(\.userDecision?.decider) == [nil, nil, UserDecision.everyUserSetting])
    #expect(try await offline.session.pendingCount() == 3)
  }

  @Test func `does not matter without a session`() async throws {
    let room = Room(.bm54(memory: []))
    let events = await read([Self.frame(0), Self.frame(1), Self.frame(0xFF)], in: room, nil)
    #expect(finished(events).count == 3 && events.allSatisfy { $0.undecided == nil })
  }

  @Test func `is asked of a user who approves of readings, but for other slots`() async throws {
    let (room, offline) = (Room(.bm54(memory: [])), try await Offline())
    let delegate = Asking()
    _ = await read(
      [Self.frame(0), Self.frame(0xFF)], in: room, offline.session, delegate: delegate)
    #expect(try await offline.session.pendingCount() == 2)
    _ = await read([Self.frame(1)], in: room, offline.session, delegate: delegate)
    #expect(delegate.asked.withLock { $0 } == [2, 2])
    #expect(delegate.held.withLock { $0 } == 1)
    #expect(slots(try await offline.session.heldRecords()) == [1])
  }

  @Test func `is decided by the next reading when the first was ended by a kill`() async throws {
    let (room, offline) = (Room(.bm54(memory: [])), try await Offline())
    let device = room.phone.identifier(of: room.device)
    let store = DeviceStore(session: offline.session)
    let record = HealthRecord(
      logID: "left", time: RecordTime(start: Room.now, origin: .device, received: Room.now),
      source: RecordSource(type: .bluetooth, device: SourceDevice(userSlot: 0)),
      metrics: [Metric(.pulse, 60)])
    try await offline.session.hold([record])
    try await store.changeUsers(of: device) { users in
      users.note(0, wanting: nil)
      users.hold(record.logID)
    }
    _ = await read([Self.frame(0)], in: room, offline.session)
    #expect(try await offline.session.heldCount() == 0)
    #expect(try await offline.session.pendingCount() == 2)
    #expect(try await store.users(of: device).undecided.isEmpty)
  }

  private final class Asking: BluetoothPeripheralControllerDelegate, Sendable {
    nonisolated let asked = Locked<[Int]>([])
    nonisolated let held = Locked(0)

    func controller(
      _ controller: BluetoothPeripheralController, shouldSubmit records: [HealthRecord],
      from peripheral: DeviceModel
    ) -> Bool {
      asked.withLock { $0.append(records.count) }
      return true
    }

    func controller(
      _ controller: BluetoothPeripheralController, didHold record: HealthRecord,
      from peripheral: DeviceModel
    ) {
      held.withLock { $0 += 1 }
    }
  }
}
