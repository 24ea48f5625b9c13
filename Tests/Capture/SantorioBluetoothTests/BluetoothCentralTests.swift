// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthRecords
import SantorioConcurrency
import SantorioCore
import SantorioSQLite
import Testing
import VirtualDevices

@testable import SantorioBluetooth

private let frame = BloodPressureFrames.capturedUA651BLE[2]
private let laterFrame = BloodPressureFrames.capturedUA651BLE[3]

extension Room {
  fileprivate func receiver(_ session: SantorioSession? = nil) -> BluetoothReceiver {
    BluetoothReceiver(session: session, settings: settings)
  }

  /// A receiver whose operations do not end by themselves: its clock stands still.
  fileprivate func patientReceiver(_ session: SantorioSession? = nil) -> BluetoothReceiver {
    var settings = settings
    settings.clock = SimulatedRadioEnvironment().clock
    return BluetoothReceiver(session: session, settings: settings)
  }

  /// Moves the air's clock until a task is over.
  fileprivate func result<Value: Sendable>(
    _ session: SantorioSession? = nil, of body: @escaping @Sendable () async -> Value
  ) async -> Value {
    let air = air
    let moving = Task {
      while !Task.isCancelled { await air.advance(by: .milliseconds(100), pacedBy: session) }
    }
    defer { moving.cancel() }
    return await body()
  }

  /// Moves the air's clock until an operation has sent an event of a kind.
  fileprivate func event(
    of operation: DeviceOperation, where isWanted: @escaping @Sendable (BluetoothEvent) -> Bool
  ) async -> BluetoothEvent? {
    await result { await operation.events.first(where: isWanted) }
  }

  /// One more monitor of the same model, with something to send.
  fileprivate func makeMonitor(_ number: Int) -> VirtualDevice {
    let model = VirtualDeviceModel.ua651BLE(serialNumber: "51604\(10_000 + number)", memory: [])
    let place = SimulatedPosition(x: 1 + Double(number) / 20)
    let monitor = VirtualDevice(model, on: air.makeHost(named: model.advertisedName, at: place))
    monitor.switchOn()
    monitor.remember([frame])
    return monitor
  }
}

/// A delegate that is asked by other means.
@MainActor private final class SilentDelegate: BluetoothPeripheralControllerDelegate {}

extension BluetoothOutcome {
  fileprivate var finished: [HealthRecord]? {
    if case .finished(let records) = self { records } else { nil }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Operations of one central` {
  @Test func `read twenty monitors at once, beside one that stays connected`() async throws {
    let offline = try await Offline()
    let room = Room()
    room.monitor.remember([laterFrame])
    let receiver = room.receiver(offline.session)
    let lasting = room.central.read(
      [.aAndDUA651BLE], only: [room.phone.identifier(of: room.device)],
      for: room.patientReceiver(offline.session))
    #expect(
      await room.event(of: lasting) { $0.record != nil } != nil)

    let monitors = (0..<20).map(room.makeMonitor)
    let operations = monitors.map { _ in room.central.read([.aAndDUA651BLE], for: receiver) }
    let outcomes = await room.result(offline.session) {
      var outcomes: [BluetoothOutcome] = []
      for operation in operations { outcomes.append(await operation.value) }
      return outcomes
    }

    #expect(outcomes.compactMap(\.finished).map(\.count) == Array(repeating: 1, count: 20))
    let stored = try await offline.session.pendingRecords()
    #expect(stored.count == 21)
    #expect(Set(stored.map(\.logID)).count == 21)
    lasting.cancel()
    guard case .cancelled(let records) = await room.result(of: { await lasting.value }) else {
      Issue.record("not cancelled")
      return
    }
    #expect(records.count == 1)
    #expect(room.phone.connectedPeers.isEmpty && room.phone.pendingPeers.isEmpty)
    #expect(room.phone.misuseReports == [])
  }

  /// How long it takes to read five monitors that have something to send now.
  private func time(beside isSilentThere: Bool) async throws -> Duration {
    let room = Room()
    let receiver = room.receiver()
    if isSilentThere {
      // It is connected, and the request that needs a bond is never answered.
      room.device.pairingTime = .seconds(100_000)
      room.monitor.remember([laterFrame])
      let silent = room.central.read(
        [.aAndDUA651BLE], only: [room.phone.identifier(of: room.device)], for: receiver)
      _ = await room.event(of: silent) { if case .found = $0 { true } else { false } }
      await room.air.advance(by: .seconds(5))
    }
    let begin = room.air.clock.now
    let operations = (0..<5).map { _ in room.central.read([.aAndDUA651BLE], for: receiver) }
    let monitors = (0..<5).map(room.makeMonitor)
    let outcomes = await room.result {
      var outcomes: [BluetoothOutcome] = []
      for operation in operations { outcomes.append(await operation.value) }
      return outcomes
    }
    #expect(outcomes.compactMap(\.finished).map(\.count) == [1, 1, 1, 1, 1])
    return withExtendedLifetime(monitors) { begin.duration(to: room.air.clock.now) }
  }

  @Test func `are not delayed by a device that never answers`() async throws {
    let alone = try await time(beside: false)
    let beside = try await time(beside: true)
    #expect(beside - alone <= .seconds(1), "\(alone), \(beside)")
  }

  @Test func `take turns with one device, also those of two controllers`() async throws {
    let room = Room()
    room.monitor.remember([frame])
    let device = room.phone.identifier(of: room.device)
    let first = BluetoothPeripheralController(for: room.patientReceiver(), on: room.central)
    first.startReading(from: .aAndDUA651BLE, only: [device])
    _ = await room.events(of: first) { $0.record != nil }
    let second = BluetoothPeripheralController(for: room.receiver(), on: room.central)

    second.startReading(from: .aAndDUA651BLE, only: [device])

    // On a clock that stands still.
    let waiting = await second.events.first { if case .waiting = $0 { true } else { false } }
    #expect(waiting == .waiting(.aAndDUA651BLE, identifier: device, .otherOperation))
    first.cancel()
    room.monitor.remember([laterFrame])
    // With what the first one did not confirm.
    #expect(await room.events(of: second).compactMap(\.record).count == 2)
    #expect(room.phone.misuseReports == [])
  }

  @Test func `wait for a free link slot`() async throws {
    let room = Room()
    room.monitor.remember([laterFrame])
    let central = BluetoothCentral(managerOptions: room.phone.managerOptions, linkSlots: 1)
    let first = central.read(
      [.aAndDUA651BLE], only: [room.phone.identifier(of: room.device)],
      for: room.patientReceiver())
    _ = await room.event(of: first) { $0.record != nil }
    let monitor = room.makeMonitor(1)

    let second = central.read([.aAndDUA651BLE], for: room.receiver())

    let waiting = await room.event(of: second) { if case .waiting = $0 { true } else { false } }
    guard case .waiting(_, _, .linkSlot)? = waiting else {
      Issue.record("\(String(describing: waiting))")
      return
    }
    #expect(room.phone.connectedPeers.count == 1)
    first.cancel()
    #expect(await room.result { await second.value }.finished?.count == 1)
    withExtendedLifetime(monitor) {}
  }

  @Test func `hear of a device again whose connection failed for another one`() async {
    let room = Room()
    let controller = room.controller()
    room.monitor.remember([frame])
    controller.startReading(from: .aAndDUA651BLE)
    _ = await room.events(of: controller)
    room.device.forgetBonds()
    let scans = room.phone.scansStarted
    // They know of no device, and scan.
    let operations = (0..<2).map { _ in
      room.central.read([.aAndDUA651BLE], for: room.receiver())
    }
    while room.phone.scansStarted < scans + 2 {
      await room.air.advance(by: .milliseconds(100))
      await Task.yield()
    }

    room.monitor.remember([laterFrame])

    let device = room.phone.identifier(of: room.device)
    for operation in operations {
      _ = await room.result { await operation.value }
      var events: [BluetoothEvent] = []
      for await event in operation.events { events.append(event) }
      #expect(events.contains(.found(.aAndDUA651BLE, identifier: device)))
      #expect(events.last?.error?.code == .bondLost)
    }
  }

  @Test func `end all when the radio goes off, and begin again when it is on`() async throws {
    let room = Room()
    room.monitor.remember([laterFrame])
    let receiver = room.patientReceiver()
    let operations = (0..<3).map { _ in room.central.read([.aAndDUA651BLE], for: receiver) }
    // Whichever of them has the device.
    let streams = operations.map(\.events)
    await room.result {
      await withTaskGroup(of: Void.self) { group in
        for events in streams {
          group.addTask { _ = await events.first { $0.record != nil } }
        }
        await group.next()
        group.cancelAll()
      }
    }

    room.phone.state = .poweredOff

    for operation in operations {
      guard case .failed(let error, _) = await room.result(of: { await operation.value }) else {
        Issue.record("not failed")
        return
      }
      #expect(error.code == .bluetoothUnavailable)
    }
    room.phone.state = .poweredOn
    room.monitor.remember([frame])
    let later = room.central.read([.aAndDUA651BLE], for: room.receiver())
    #expect(await room.result { await later.value }.finished?.count == 2)
  }

  @Test func `leave the reading on the device when another user's session has begun`()
    async throws
  {
    let offline = try await Offline()
    let room = Room()
    let receiver = room.receiver(offline.session)
    let operation = room.central.read([.aAndDUA651BLE], for: receiver)
    while room.phone.scansStarted < 1 {
      await room.air.advance(by: .milliseconds(100))
      await Task.yield()
    }
    try await offline.session.start(
      SantorioUser(userID: "next", organizationID: "o", accessToken: "token"))

    room.monitor.remember([frame])

    guard
      case .failed(let error, let records) = await room.result(
        offline.session, of: { await operation.value })
    else {
      Issue.record("not failed")
      return
    }
    #expect(error.code == .noUser)
    #expect(records == [])
    let later = room.central.read([.aAndDUA651BLE], for: receiver)
    #expect(
      await room.result(offline.session) { await later.value }.finished?.count == 1)
  }

  @Test func `can be cancelled before they begin, and touch no radio then`() async {
    let room = Room()
    let operation = room.central.read([.aAndDUA651BLE], for: room.receiver())
    operation.cancel()
    #expect(await operation.value == .cancelled([]))
    #expect(room.phone.scansStarted == 0)
    var events: [BluetoothEvent] = []
    for await event in operation.events { events.append(event) }
    #expect(events == [.ended(.cancelled([]))])
  }

  @Test func `give readings to the user's approval`() async throws {
    let offline = try await Offline()
    let room = Room()
    room.monitor.remember([frame])
    let asked = Locked<[HealthRecord]>([])
    let session = offline.session
    let operation = room.central.read([.aAndDUA651BLE], for: room.receiver(session)) { records, _ in
      asked.withLock { $0 = records }
      return (try? await session.heldRecords()) == records
    }
    let records = await room.result(session) { await operation.value }.finished
    #expect(records?.count == 1 && asked.withLock { $0 } == records)
    #expect(try await session.pendingRecords() == records)
  }

  /// Reads the room's monitor, and gives the question about the readings an answer.
  private func read(
    in room: Room, for receiver: BluetoothReceiver,
    _ answer: @escaping @MainActor @Sendable ([HealthRecord]) -> DeviceOperation.Decision
  ) async -> [BluetoothEvent] {
    let controller = BluetoothPeripheralController(for: receiver, on: room.central)
    let delegate = SilentDelegate()
    controller.delegate = delegate
    #expect(controller.startReading(from: .aAndDUA651BLE, approvedBy: .function(answer)))
    return await room.events(of: controller)
  }

  // The app was killed before its user was asked, or nobody was there.
  @Test(arguments: [true, false])
  func `ask again about readings on which nobody has decided`(isApproved: Bool) async throws {
    let offline = try await Offline()
    let (room, session) = (Room(), offline.session)
    room.monitor.remember([frame])
    _ = await read(in: room, for: room.receiver(session)) { _ in .open }
    let left = try await session.undecidedRecords()
    #expect(left.count == 1)
    #expect(try await session.pendingCount() == 0)

    room.monitor.remember([laterFrame])
    let asked = Locked<[HealthRecord]>([])
    let events = await read(in: room, for: room.receiver(session)) { records in
      asked.withLock { $0 = records }
      return .init(isApproved: isApproved)
    }
    let records = asked.withLock { $0 }
    #expect(records.count == 2 && records.first == left.first)
    #expect(Set(events.compactMap(\.record)) == Set(records))
    #expect(try await session.undecidedRecords().isEmpty)
    #expect(try await session.pendingRecords() == (isApproved ? records : []))
    #expect(try await session.heldRecords() == (isApproved ? [] : records))
  }

  @Test func `do not ask about what another one is asking`() async throws {
    let offline = try await Offline()
    let room = Room()
    let receiver = room.receiver(offline.session)
    room.monitor.remember([frame])
    let (isAsked, answer) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    let first = room.central.read([.aAndDUA651BLE], for: receiver) { _, _ in
      isAsked.continuation.yield()
      for await _ in answer.stream { return true }
      return false
    }
    await room.result(offline.session) { for await _ in isAsked.stream { return } }
    room.monitor.remember([laterFrame])
    let asked = Locked<[HealthRecord]>([])
    _ = await read(in: room, for: receiver) { records in
      asked.withLock { $0 = records }
      return .approved(changed: [])
    }
    #expect(asked.withLock { $0 }.count == 1)
    answer.continuation.yield()
    #expect(await first.value.finished?.count == 1)
    #expect(try await offline.session.pendingCount() == 2)
  }

  @Test func `submit what the user has changed before agreeing`() async throws {
    let offline = try await Offline()
    let (room, session) = (Room(), offline.session)
    room.monitor.remember([frame, laterFrame])
    _ = await read(in: room, for: room.receiver(session)) { records in
      var changed = records.prefix(1)
      changed[0].comment = "after lunch"
      return .approved(changed: Array(changed))
    }
    #expect(try await session.pendingRecords().map(\.comment) == ["after lunch", nil])
    #expect(try await session.heldCount() == 0)
  }

  @Test func `store readings again that were lost while the user was asked`() async throws {
    let offline = try await Offline()
    let room = Room()
    room.monitor.remember([frame])
    let (session, path) = (offline.session, offline.folder.path + "/outbox.sqlite")
    let operation = room.central.read([.aAndDUA651BLE], for: room.receiver(session)) { _, _ in
      (try? SQLiteDatabase(path: path).execute("DELETE FROM q")) != nil
    }
    let records = await room.result(session) { await operation.value }.finished
    #expect(records?.count == 1)
    #expect(try await session.pendingRecords() == records)
  }
}
