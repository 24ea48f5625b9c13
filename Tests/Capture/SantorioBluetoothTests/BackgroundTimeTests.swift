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

/// Time that a system grants, and withdraws when the test says so.
private final class GrantedTime: Sendable {
  private struct State {
    var granted = 0
    var returned = 0
    var expired: (@Sendable () -> Void)?
  }

  private let state = Locked(State())
  private let onReturn: @Sendable () -> Void

  /// - Parameter onReturn: Called before time is given back.
  init(onReturn: @escaping @Sendable () -> Void = {}) { self.onReturn = onReturn }

  var granted: Int { state.withLock { $0.granted } }
  var returned: Int { state.withLock { $0.returned } }
  /// Whether the process is kept from being suspended.
  var isHeld: Bool { state.withLock { $0.granted > $0.returned } }

  func expire() { state.withLock { $0.expired }?() }

  func settings(of room: Room, wakesForDevices: Bool) -> BluetoothSettings {
    var settings = room.settings
    settings.backgroundTime = BackgroundTime(wakesForDevices: wakesForDevices) { expired in
      self.state.withLock { ($0.granted, $0.expired) = ($0.granted + 1, expired) }
      return {
        self.onReturn()
        self.state.withLock { $0.returned += 1 }
      }
    }
    return settings
  }
}

private let frames = BloodPressureFrames.capturedUA651BLE

@Suite(.timeLimit(.minutes(15))) struct `Background time` {
  private let room = Room()

  private func controller(
    _ time: GrantedTime, wakesForDevices: Bool = true, session: SantorioSession? = nil
  ) -> BluetoothPeripheralController {
    BluetoothPeripheralController(
      session: session, settings: time.settings(of: room, wakesForDevices: wakesForDevices),
      on: room.central)
  }

  private func advance(until isTrue: () -> Bool) async {
    while !isTrue() {
      await room.air.advance(by: .milliseconds(10))
      await Task.yield()
    }
  }

  @Test func `is asked for once there is a connection`() async {
    let time = GrantedTime()
    room.monitor.switchOff()
    let controller = controller(time)
    controller.startReading(from: .aAndDUA651BLE)
    for _ in 0..<100 { await room.air.advance(by: .milliseconds(100)) }
    #expect(time.granted == 0)
    room.monitor.switchOn()
    room.monitor.remember(frames)
    _ = await room.events(of: controller)
    #expect(time.granted == 1)
    await advance { !time.isHeld }
  }

  @Test func `is held until everything is on disk`() async throws {
    let offline = try await Offline()
    let path = offline.folder.appendingPathComponent("outbox.sqlite").path
    let onDisk = Locked<[Int64]>([])
    let time = GrantedTime {
      let rows = try? SQLiteDatabase(path: path).integer("SELECT count(*) FROM q")
      onDisk.withLock { $0.append(rows ?? -1) }
    }
    let controller = controller(time, session: offline.session)
    room.monitor.remember(frames)
    controller.startReading(from: .aAndDUA651BLE)
    let records = await room.events(of: controller).compactMap(\.record)
    #expect(records.count == 2)
    await advance { !time.isHeld }
    // With what the monitor has sent that is no reading.
    #expect(onDisk.withLock { $0 } == [4])
  }

  @Test func `is given back while the user is asked whether to submit`() async throws {
    let offline = try await Offline()
    let time = GrantedTime()
    let asked = Locked<CheckedContinuation<Bool, Never>?>(nil)
    let receiver = BluetoothReceiver(
      session: offline.session, settings: time.settings(of: room, wakesForDevices: true))
    room.monitor.remember(frames)
    let reading = room.central.read([.aAndDUA651BLE], for: receiver) { _, _ in
      await withCheckedContinuation { answer in asked.withLock { $0 = answer } }
    }
    await advance { asked.withLock { $0 != nil } && !time.isHeld }
    #expect(try await offline.session.heldRecords().count == 4)
    asked.withLock { $0 }?.resume(returning: true)
    _ = await reading.value
    #expect(try await offline.session.pendingCount() == 4)
    #expect(time.granted == 1)
  }

  @Test func `is asked for anew when the system wakes the app for the device`() async {
    let time = GrantedTime()
    let controller = controller(time)
    room.device.link.connectionInterval = .seconds(1)
    room.device.link.packetsPerInterval = 1
    room.monitor.remember(frames)
    controller.startReading(from: .aAndDUA651BLE)
    await advance { time.isHeld }
    time.expire()
    await advance { time.returned == 1 }
    let events = await room.events(of: controller)
    #expect(events.compactMap(\.record).count == 2)
    #expect(events.last?.error == nil)
    await advance { !time.isHeld }
    #expect(time.granted == 2)
  }

  @Test func `ends a reading in good order when the app is not woken`() async throws {
    let offline = try await Offline()
    let time = GrantedTime()
    let room = Room(.glucoseMeter)
    room.device.link.connectionInterval = .seconds(1)
    room.device.link.packetsPerInterval = 1
    let controller = BluetoothPeripheralController(
      session: offline.session, settings: time.settings(of: room, wakesForDevices: false),
      on: room.central)
    controller.startReading(from: .genericGlucose)
    _ = await room.events(of: controller) { if case .readyToRead = $0 { true } else { false } }
    time.expire()
    let last = await room.events(of: controller).last
    #expect(last?.error?.code == .interrupted)
    #expect(last?.error?.isRetryable == true)
    #expect(room.phone.connectedPeers.isEmpty)
    for _ in 0..<1000 where time.isHeld { await Task.yield() }
    // What it has sent is stored, and it sends the rest another time.
    let first = try await offline.session.pendingCount()
    #expect(first < 6)
    time.expire()  // Too late, and for nobody.
    controller.startReading(from: .genericGlucose)
    #expect(await room.events(of: controller).last?.error == nil)
    #expect(try await offline.session.pendingRecords().count { $0.kind != .rejected } == 4)
  }

  @Test func `ends a reading that has what it wanted as finished`() async {
    let time = GrantedTime()
    let controller = controller(time, wakesForDevices: false)
    room.device.link.connectionInterval = .seconds(1)
    room.monitor.remember(frames)
    controller.startReading(from: .aAndDUA651BLE)
    _ = await room.events(of: controller) { $0.record != nil }
    time.expire()
    let events = await room.events(of: controller)
    #expect(events.last == .ended(.finished(events.compactMap(\.record))))
  }

  @Test func `does not count as silence of a device whose readings the system keeps back`()
    async throws
  {
    let time = GrantedTime()
    let center = NotificationCenter()
    var settings = time.settings(of: room, wakesForDevices: false)
    settings.notificationCenter = center
    let controller = BluetoothPeripheralController(settings: settings, on: room.central)
    let app = room.phone.application
    app.backgroundModes = []
    room.device.link.connectionInterval = .milliseconds(500)
    room.device.link.packetsPerInterval = 1
    for _ in 0..<4 { room.monitor.measure() }
    let records = Locked(0)
    let ended = Locked<BluetoothOutcome?>(nil)
    let events = controller.events
    Task {
      for await event in events {
        if event.record != nil { records.withLock { $0 += 1 } }
        if case .ended(let outcome) = event { ended.withLock { $0 = outcome } }
      }
    }
    controller.startReading(from: .aAndDUA651BLE)
    await advance { records.withLock { $0 } > 0 }

    app.state = .background
    center.post(name: .appEnteredBackground, object: nil)
    for _ in 0..<250 { await room.air.advance(by: .milliseconds(100)) }
    #expect(ended.withLock { $0 } == nil)
    time.expire()
    await advance { !time.isHeld }

    app.state = .foreground
    center.post(name: .appEntersForeground, object: nil)
    await advance { ended.withLock { $0 } != nil }
    #expect(records.withLock { $0 } == 4)
  }

  @Test func `is given back within a second when the end takes longer`() async {
    let time = GrantedTime()
    let controller = controller(time, wakesForDevices: false)
    room.monitor.remember(frames)
    room.device.link.answerTime = .seconds(8)
    controller.startReading(from: .aAndDUA651BLE)
    await advance { time.isHeld }
    time.expire()
    for _ in 0..<110 { await room.air.advance(by: .milliseconds(10)) }
    await advance { !time.isHeld }
    let error = await room.events(of: controller).last?.error
    #expect(error?.code == .interrupted)
    #expect(time.granted == 1)
  }

  @Test func `is given back when the user cancels`() async {
    let time = GrantedTime()
    let controller = controller(time)
    room.monitor.remember(frames)
    controller.startReading(from: .aAndDUA651BLE)
    await advance { time.isHeld }
    controller.cancel()
    _ = await room.events(of: controller)
    await advance { !time.isHeld }
  }
}
