// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCore
import Testing
import VirtualDevices

@testable import SantorioBluetooth
import HealthDevices

@Suite(.timeLimit(.minutes(15))) struct `Reading a virtual monitor` {
  @Test func `delivers the frames of a real UA-651BLE`() async throws {
    let room = Room()
    let controller = room.controller()
    room.monitor.remember(BloodPressureFrames.capturedUA651BLE)
    #expect(controller.startReading(from: .aAndDUA651BLE))
    #expect(controller.operationInProgress)
    #expect(!controller.startReading(from: .aAndDUA651BLE))
    let events = await room.events(of: controller)
    guard case .ended(.finished(let records))? = events.last else {
      Issue.record("\(events)")
      return
    }
    #expect(records.map { $0.value(.systolic) } == [125, 134])
    #expect(records.map { $0.value(.diastolic) } == [80, 77])
    #expect(records.map { $0.value(.meanArterialPressure) } == [102, 100])
    #expect(records.map { $0.value(.pulse) } == [64, 61])
    #expect(
      records.map(\.time.start) == [
        Date(timeIntervalSince1970: 1_484_570_394), Date(timeIntervalSince1970: 1_484_571_624),
      ])
    #expect(records.map(\.source.device?.serialNumber) == ["5160400123", "5160400123"])
    #expect(records.map(\.source.device?.batteryPercent) == [90, 90])
    #expect(events.compactMap(\.refusal?.reason) == [.failedMeasurement, .failedMeasurement])
    #expect(room.phone.isBonded(with: room.device))
    #expect(room.phone.connectedPeers.isEmpty)
    #expect(room.phone.misuseReports.isEmpty && room.device.misuseReports.isEmpty)
    #expect(!controller.operationInProgress)
  }

  @Test func `reads a monitor by the generic entry with identical records each time`() async {
    let room = Room(.bm54(memory: []))
    let controller = room.controller()
    var identifiers: [[String]] = []
    for round in 0..<2 {
      room.monitor.remember(round == 0 ? BloodPressureFrames.composedBM54 : [])
      controller.startReading(from: .genericBloodPressure)
      let events = await room.events(of: controller)
      identifiers.append(events.compactMap(\.record?.logID))
    }
    #expect(identifiers[0].count == 3)
    #expect(identifiers[0] == identifiers[1])
  }

  @Test func `sets the clock and corrects the times of a monitor whose clock is wrong`() async {
    // It has begun with 2017.
    let room = Room(clockOffsetSeconds: -86_400 * 365 * 7)
    let controller = room.controller()
    room.monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
    controller.startReading(from: .aAndDUA651BLE)
    let events = await room.events(of: controller)
    let time = events.compactMap(\.record).first?.time
    #expect(time?.origin == .deviceCorrected)
    #expect(time?.clockDriftSeconds == -220_752_000)
    #expect(time?.start == Date(timeIntervalSince1970: 1_484_570_394 + 220_752_000))
  }

  @Test(arguments: 1...40)
  func `loses nothing when the connection breaks`(afterPackets count: Int) async {
    let room = Room()
    let controller = room.controller()
    room.monitor.remember(BloodPressureFrames.capturedUA651BLE)
    room.device.dropLink(afterPackets: count)
    var records: Set<String> = []
    for _ in 0..<2 {
      controller.startReading(from: .aAndDUA651BLE)
      records.formUnion(await room.events(of: controller).compactMap(\.record?.logID))
    }
    #expect(records.count == 2)
  }

  @Test func `ends when the device disconnects`() async {
    let room = Room()
    let controller = room.controller()
    room.monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
    let device = room.device
    controller.startReading(from: .aAndDUA651BLE)
    let events = controller.events
    let hangUp = Task {
      for await event in events {
        if case .reading = event { return device.disconnectAll() }
      }
    }
    guard case .ended(.finished(let records))? = await room.events(of: controller).last else {
      Issue.record("not finished")
      return
    }
    #expect(records.count == 1)
    await hangUp.value
  }

  @Test func `fails in time when there is no device`() async {
    let room = Room()
    let controller = room.controller()
    controller.startReading(from: .aAndDUA651BLE)
    let error = await room.events(of: controller).last?.error
    #expect(error?.code == .connectionTimeout)
  }

  @Test func `fails when Bluetooth is off`() async {
    let room = Room()
    room.phone.state = .poweredOff
    let controller = room.controller()
    controller.startReading(from: .aAndDUA651BLE)
    let error = await room.events(of: controller).last?.error
    #expect(error?.code == .bluetoothUnavailable)
    #expect(error?.unavailability == .poweredOff)
  }

  @Test func `fails with guidance when the device refuses to pair`() async {
    let room = Room()
    room.device.pairing = .reject
    let controller = room.controller()
    room.monitor.remember(BloodPressureFrames.capturedUA651BLE)
    controller.startReading(from: .aAndDUA651BLE)
    let error = await room.events(of: controller).last?.error
    #expect(error.map { [.pairingFailure, .bondLost].contains($0.code) } == true)
    #expect(room.phone.connectedPeers.isEmpty)
  }

  @Test func `fails with guidance when the device has forgotten the bond`() async {
    let room = Room()
    let controller = room.controller()
    room.monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
    controller.startReading(from: .aAndDUA651BLE)
    _ = await room.events(of: controller)
    room.device.forgetBonds()
    room.monitor.remember([BloodPressureFrames.capturedUA651BLE[3]])
    controller.startReading(from: .aAndDUA651BLE)
    #expect(await room.events(of: controller).last?.error?.code == .bondLost)
  }

  @Test func `is cancelled, and can be started again`() async {
    let room = Room()
    let controller = room.controller()
    controller.startReading(from: .aAndDUA651BLE)
    controller.cancel()
    #expect(await room.events(of: controller).last == .ended(.cancelled([])))
    room.monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
    controller.startReading(from: .aAndDUA651BLE)
    #expect(await room.events(of: controller).compactMap(\.record).count == 1)
  }

  @Test func `does not start without a model to look for`() {
    let controller = Room().controller()
    #expect(!controller.startReading(fromFirstOf: []))
    #expect(!controller.operationInProgress)
  }

  @Test func `is restricted to the named devices`() async {
    let room = Room()
    let controller = room.controller()
    room.monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
    controller.startReading(from: .aAndDUA651BLE, only: [UUID()])
    #expect(await room.events(of: controller).last?.error?.code == .connectionTimeout)
    let identifier = room.phone.identifier(of: room.device)
    controller.startReading(from: .aAndDUA651BLE, only: [identifier])
    #expect(await room.events(of: controller).compactMap(\.record).count == 1)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Pairing a virtual monitor` {
  @Test func `creates the bond, sets the clock and returns the device`() async throws {
    let room = Room(clockOffsetSeconds: 5000)
    let controller = room.controller()
    room.monitor.enterPairingMode()
    async let metadata = controller.pair(.aAndDUA651BLE)
    _ = await room.events(of: controller, afterStart: true)
    #expect(try await metadata.peripheralUUID == room.phone.identifier(of: room.device))
    #expect(room.phone.isBonded(with: room.device))
    room.monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
    controller.startReading(from: .aAndDUA651BLE)
    let time = await room.events(of: controller).compactMap(\.record).first?.time
    #expect(time?.clockDriftSeconds == 0)
  }

  @Test func `takes over another user's device only on request`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = SantorioSession(
      SantorioSession.Configuration(
        directory: folder, endpoint: try #require(URL(string: "http://127.0.0.1:9"))))
    let room = Room(.ua651BLE(memory: BloodPressureFrames.capturedUA651BLE))
    func pair(takingOver: Bool = false) async throws -> BluetoothOutcome? {
      var settings = room.settings
      settings.takesDevicesOver = takingOver
      let controller = BluetoothPeripheralController(
        session: session, settings: settings, on: room.central)
      room.monitor.enterPairingMode()
      controller.startPairing(.aAndDUA651BLE)
      let events = await room.events(of: controller)
      return events.compactMap { event in
        if case .ended(let outcome) = event { outcome } else { nil }
      }.last
    }
    try await session.start(SantorioUser(userID: "alice", organizationID: "acme", accessToken: "a"))
    guard case .finished = try await pair() else {
      Issue.record("not paired")
      return
    }
    try await session.start(SantorioUser(userID: "bob", organizationID: "acme", accessToken: "b"))

    guard case .failed(let error, let records) = try await pair() else {
      Issue.record("taken over")
      return
    }
    #expect(error.code == .enrolledForAnother)
    #expect(records == [])
    #expect(try await session.pendingCount() == 0)
    let controller = room.controller(session: session)
    #expect(try await controller.receiver.enrolledDevices() == [])
    #expect(try await controller.receiver.devicesOfOthers().count == 1)

    // Nor is it read when the model alone is asked for.
    room.monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
    controller.startReading(from: .aAndDUA651BLE)
    #expect(await room.events(of: controller).last?.error?.code == .connectionTimeout)
    #expect(try await session.pendingCount() == 0)

    guard case .finished = try await pair(takingOver: true) else {
      Issue.record("not taken over")
      return
    }
    #expect(try await controller.receiver.enrolledDevices().count == 1)
  }
}

/// Writes down every call.
private final class RecordingDelegate: BluetoothPeripheralControllerDelegate {
  let calls = Locked<[String]>([])
  let answer: Bool

  private let ends = AsyncStream<Void>.makeStream()

  nonisolated init(answer: Bool = true) { self.answer = answer }

  private func note(_ call: String, isLast: Bool = false) {
    calls.withLock { $0.append(call) }
    if isLast { ends.continuation.yield() }
  }

  /// Waits for the call that ends an operation: it comes some time after the last event.
  func end() async {
    for await _ in ends.stream { return }
  }

  func controller(
    _ controller: BluetoothPeripheralController, didPair peripheral: DeviceModel,
    metadata: PairingMetadata
  ) {
    let isBusy = controller.operationInProgress
    note("didPair \(peripheral.id)\(isBusy ? " too early" : "")", isLast: true)
  }

  func controller(
    _ controller: BluetoothPeripheralController, didNotPair peripheral: DeviceModel,
    error: BluetoothError
  ) { note("didNotPair \(error.code.name)", isLast: true) }

  func controller(
    _ controller: BluetoothPeripheralController, isReadyToReadFrom peripheral: DeviceModel
  ) { note("ready") }

  func controller(
    _ controller: BluetoothPeripheralController, didReject refused: RejectedReading,
    from peripheral: DeviceModel
  ) { note("refused \(refused.reason.rawValue)") }

  func controller(
    _ controller: BluetoothPeripheralController, shouldSubmit records: [HealthRecord],
    from peripheral: DeviceModel
  ) -> Bool {
    note("shouldSubmit \(records.count)")
    return answer
  }

  func controller(
    _ controller: BluetoothPeripheralController, didRead records: [HealthRecord],
    from peripheral: DeviceModel
  ) { note("didRead \(records.count)", isLast: true) }

  func controller(
    _ controller: BluetoothPeripheralController, foundNothingNewOn peripheral: DeviceModel
  ) { note("nothing new \(peripheral.id)", isLast: true) }

  func controller(
    _ controller: BluetoothPeripheralController, didCancel peripheral: DeviceModel
  ) { note("didCancel", isLast: true) }

  func controller(
    _ controller: BluetoothPeripheralController, readingFailedFor peripheral: DeviceModel,
    error: BluetoothError
  ) { note("failed \(error.code.name)", isLast: true) }
}

@Suite(.timeLimit(.minutes(15))) struct `Delegate and events` {
  private func calls(
    of delegate: RecordingDelegate, in room: Room, _ start: (BluetoothPeripheralController) -> Void
  ) async -> [String] {
    let controller = room.controller()
    controller.delegate = delegate
    start(controller)
    _ = await room.events(of: controller)
    await delegate.end()
    return delegate.calls.withLock { $0 }
  }

  @Test func `report a reading in the same order`() async {
    let room = Room()
    room.monitor.remember(BloodPressureFrames.capturedUA651BLE)
    let calls = await calls(of: RecordingDelegate(), in: room) {
      $0.startReading(from: .aAndDUA651BLE)
    }
    #expect(
      calls == ["ready", "refused failedMeasurement", "refused failedMeasurement", "didRead 2"])
  }

  @Test func `report a pairing`() async {
    let room = Room()
    room.monitor.enterPairingMode()
    let calls = await calls(of: RecordingDelegate(), in: room) { $0.startPairing(.aAndDUA651BLE) }
    #expect(calls == ["didPair 2"])
  }

  @Test func `report a failed pairing`() async {
    let room = Room()
    room.device.pairing = .reject
    room.monitor.enterPairingMode()
    let calls = await calls(of: RecordingDelegate(), in: room) { $0.startPairing(.aAndDUA651BLE) }
    #expect(calls == ["didNotPair pairingFailure"])
  }

  @Test func `report a failure and a cancellation`() async {
    let failed = await calls(of: RecordingDelegate(), in: Room()) {
      $0.startReading(from: .aAndDUA651BLE)
    }
    #expect(failed == ["ready", "failed connectionTimeout"])
    let cancelled = await calls(of: RecordingDelegate(), in: Room()) {
      $0.startReading(from: .aAndDUA651BLE)
      $0.cancel()
    }
    #expect(cancelled == ["didCancel"])
  }

  @Test func `report a meter that has nothing new`() async {
    let room = Room(.accuChekGuide)
    var calls = await calls(of: RecordingDelegate(), in: room) { $0.startPairing(.accuChekGuide) }
    #expect(calls == ["didPair 29"])
    let receiver = BluetoothReceiver(settings: room.settings)
    for expected in [["ready", "refused control", "didRead 4"], ["ready", "nothing new 29"]] {
      room.monitor.enterPairingMode()
      let delegate = RecordingDelegate()
      let controller = BluetoothPeripheralController(
        for: receiver, on: room.central)
      controller.delegate = delegate
      controller.startReading(from: .accuChekGuide)
      _ = await room.events(of: controller)
      await delegate.end()
      calls = delegate.calls.withLock { $0 }
      #expect(calls == expected)
    }
  }

  @Test func `replay the last operation to a late subscriber`() async {
    let room = Room()
    room.monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
    let controller = room.controller()
    controller.startReading(from: .aAndDUA651BLE)
    let live = await room.events(of: controller)
    let replayed = await room.events(of: controller)
    #expect(live == replayed)
    #expect(live.count == 4)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Settings of a reading` {
  @Test func `lets the user think about the permission as long as it takes`() async {
    let room = Room()
    room.monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
    room.phone.askForPermission()
    let controller = room.controller()
    controller.startReading(from: .aAndDUA651BLE)
    for _ in 0..<4000 { await room.air.advance(by: .milliseconds(250)) }
    #expect(controller.operationInProgress)

    room.phone.state = .poweredOn

    #expect(await room.events(of: controller).compactMap(\.record).count == 1)
  }

  @Test func `takes a device that is near, once it is`() async {
    let room = Room()
    room.device.position = SimulatedPosition(x: 9)
    room.monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
    var settings = room.settings
    settings.minimumRSSI = -70
    let controller = BluetoothPeripheralController(settings: settings, on: room.central)
    controller.startReading(from: .aAndDUA651BLE)
    for _ in 0..<80 { await room.air.advance(by: .milliseconds(250)) }
    #expect(room.phone.pendingPeers.isEmpty && room.phone.connectedPeers.isEmpty)
    room.device.position = SimulatedPosition(x: 1)
    #expect(await room.events(of: controller).compactMap(\.record).count == 1)
  }

  @Test func `keeps how far the device's clock was off`() async throws {
    let offline = try await Offline()
    let room = Room(clockOffsetSeconds: -90)
    room.monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
    let controller = room.controller(session: offline.session)
    let device = room.phone.identifier(of: room.device)
    #expect(try await controller.receiver.clock(of: device) == nil)
    controller.startReading(from: .aAndDUA651BLE)
    _ = await room.events(of: controller)
    let later = BluetoothReceiver(session: offline.session, settings: room.settings)
    let clock = try await later.clock(of: device)
    #expect(clock?.date == Room.now && clock?.since == Room.now && clock?.isSetRight == true)
    #expect(clock.map { abs($0.driftSeconds + 90) <= 1 } == true, "\(String(describing: clock))")
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Readings and the session` {
  private func controller(_ room: Room, _ session: SantorioSession) -> BluetoothPeripheralController
  {
    BluetoothPeripheralController(
      session: session, settings: room.settings, on: room.central)
  }

  @Test func `are in the queue before they are reported`() async throws {
    let offline = try await Offline()
    let session = offline.session
    let room = Room()
    let controller = controller(room, session)
    room.monitor.remember(BloodPressureFrames.capturedUA651BLE)
    let events = controller.events
    let counts = Task {
      var counts: [Int] = []
      for await event in events {
        if case .reading = event { counts.append(try await session.pendingCount()) }
        if case .ended = event { break }
      }
      return counts
    }
    controller.startReading(from: .aAndDUA651BLE)
    let records = await room.events(of: controller).compactMap(\.record)
    let seen = try await counts.value
    #expect(seen.count == 2 && zip(seen, 1...2).allSatisfy { $0 >= $1 })
    #expect(try await session.pendingRecords().filter { $0.kind != .rejected } == records)
  }

  @Test func `are stored with what is none, which has time, device and bytes`() async throws {
    let offline = try await Offline()
    let room = Room()
    let controller = controller(room, offline.session)
    room.monitor.remember(BloodPressureFrames.capturedUA651BLE)
    controller.startReading(from: .aAndDUA651BLE)
    let events = await room.events(of: controller)
    let rejection = try #require(events.compactMap(\.refusal).first)

    let kept = try await offline.session.pendingRecords().filter { $0.kind == .rejected }
    #expect(kept.count == events.compactMap(\.refusal).count)
    let record = try #require(kept.first)
    #expect(record.tags.first == RecordTag(name: "rejected", value: rejection.reason.rawValue))
    #expect(record.extras["message"] == .text(rejection.message))
    let bytes = rejection.frame.map { String(format: "%02x", $0) }.joined()
    #expect(record.extras["payload"] == .text(bytes))
    #expect(record.source.device?.peripheralID == DeviceModel.aAndDUA651BLE.id)
    #expect(record.metrics.isEmpty)

    // The same frame, read again, is the same record.
    room.monitor.remember(BloodPressureFrames.capturedUA651BLE)
    controller.startReading(from: .aAndDUA651BLE)
    _ = await room.events(of: controller)
    #expect(
      try await offline.session.pendingRecords().filter { $0.kind == .rejected }.map(\.logID)
        == kept.map(\.logID))
  }

  @Test func `are held until the delegate agrees`() async throws {
    let offline = try await Offline()
    let room = Room()
    let delegate = RecordingDelegate(answer: true)
    let controller = controller(room, offline.session)
    controller.delegate = delegate
    room.monitor.remember(BloodPressureFrames.capturedUA651BLE)
    controller.startReading(from: .aAndDUA651BLE)
    let records = await room.events(of: controller).compactMap(\.record)
    let pending = try await offline.session.pendingRecords()
    #expect(pending.filter { $0.kind != .rejected } == records)
    #expect(pending.count > records.count)
    #expect(try await offline.session.heldRecords().isEmpty)
    #expect(delegate.calls.withLock { $0 }.contains("shouldSubmit 2"))
  }

  @Test func `stay held when the delegate does not agree, until the app decides`() async throws {
    let offline = try await Offline()
    let room = Room()
    let delegate = RecordingDelegate(answer: false)
    let controller = controller(room, offline.session)
    controller.delegate = delegate
    room.monitor.remember(BloodPressureFrames.capturedUA651BLE)
    controller.startReading(from: .aAndDUA651BLE)
    let records = await room.events(of: controller).compactMap(\.record)
    #expect(try await offline.session.pendingCount() == 0)
    let held = try await offline.session.heldRecords()
    #expect(held.filter { $0.kind != .rejected } == records)
    try await offline.session.submit([records[0]])
    try await offline.session.discardHeld(held)
    #expect(try await offline.session.pendingRecords() == [records[0]])
    #expect(try await offline.session.heldRecords().isEmpty)
  }

  @Test func `are offered to the delegate even when the reading failed later`() async throws {
    let offline = try await Offline()
    let room = Room()
    let delegate = RecordingDelegate()
    // On a clock that stands still the reading does not end by itself.
    var settings = room.settings
    settings.clock = SimulatedRadioEnvironment().clock
    let controller = BluetoothPeripheralController(
      session: offline.session, settings: settings, on: room.central)
    controller.delegate = delegate
    room.monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
    controller.startReading(from: .aAndDUA651BLE)
    while try await offline.session.heldRecords().isEmpty {
      await room.air.advance(by: .milliseconds(100))
    }
    room.phone.state = .poweredOff
    let last = await room.events(of: controller).last
    #expect(last?.error?.code == .bluetoothUnavailable)
    #expect(try await offline.session.pendingCount() == 1)
  }

  @Test func `are stored again at the end after a failure`() async throws {
    let offline = try await Offline(maximumBytes: 1 << 20)
    let filling = try await offline.fill()
    let room = Room()
    // On a clock that stands still the reading does not end by itself.
    var settings = room.settings
    settings.clock = SimulatedRadioEnvironment().clock
    let controller = BluetoothPeripheralController(
      session: offline.session, settings: settings, on: room.central)
    room.monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
    controller.startReading(from: .aAndDUA651BLE)
    _ = await room.events(of: controller) { $0.record != nil }
    #expect(try await offline.session.pendingCount() == 0)
    try await offline.session.discardHeld(filling)

    controller.cancel()

    let last = await room.events(of: controller).last
    #expect(try await offline.session.pendingCount() == 1)
    guard case .ended(.cancelled(let records))? = last else {
      Issue.record("\(String(describing: last))")
      return
    }
    #expect(try await offline.session.pendingRecords() == records)
  }

  @Test(arguments: [true, false])
  func `are left on the device without a user`(isPairing: Bool) async throws {
    let offline = try await Offline(withUser: false)
    let room = Room()
    let controller = controller(room, offline.session)
    room.monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
    if isPairing {
      controller.startPairing(.aAndDUA651BLE)
    } else {
      controller.startReading(from: .aAndDUA651BLE)
    }

    let events = await room.events(of: controller)

    guard events.count == 1, case .ended(.failed(let error, []))? = events.last else {
      Issue.record("\(events)")
      return
    }
    #expect(error.code == .noUser)
    #expect(room.phone.scansStarted == 0)
  }
}
