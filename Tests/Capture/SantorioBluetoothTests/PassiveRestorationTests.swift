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

/// A phone whose app is ended by the system, and launched again for a device.
private final class Relaunches {
  let air = SimulatedRadioEnvironment(seed: 1)
  let phone: SimulatedHost
  let host: SimulatedHost
  let device: VirtualDevice
  let model: DeviceModel
  let offline: Offline
  private var launches: [(central: BluetoothCentral, manager: BluetoothPassiveManager)] = []
  let read = Locked<[HealthRecord]>([])
  let sent = Locked<[VirtualDeviceEvent]>([])

  init(_ virtual: VirtualDeviceModel, _ model: DeviceModel) async throws {
    phone = air.makeHost(named: "Phone")
    host = air.makeHost(named: virtual.advertisedName, at: SimulatedPosition(x: 2))
    self.model = model
    device = VirtualDevice(virtual, on: host) { [sent] event in sent.withLock { $0.append(event) } }
    offline = try await Offline()
    device.switchOn()
    device.enterPairingMode()
    launch()
    let pairing = BluetoothPeripheralController(for: manager.receiver, on: central)
    pairing.startPairing(model)
    try await pass { !pairing.operationInProgress }
    try await manager.setPeripherals([model])
    // It sleeps after the pairing.
    await pass(90)
    sent.withLock { $0 = [] }
  }

  var central: BluetoothCentral { launches[launches.count - 1].central }
  var manager: BluetoothPassiveManager { launches[launches.count - 1].manager }

  /// A new process of the app, with what the system and the disk have kept.
  func launch() {
    var options = phone.managerOptions
    options[CBCentralManagerOptionRestoreIdentifierKey] = "readings"
    let central = BluetoothCentral(managerOptions: options)
    var settings = BluetoothSettings()
    settings.clock = air.clock
    settings.now = { Room.now }
    settings.timeZone = { .gmt }
    let manager = BluetoothPassiveManager(
      for: BluetoothReceiver(session: offline.session, settings: settings), on: central)
    let (events, read) = (manager.events, read)
    Task {
      for await event in events {
        if case .read(let records, _, _) = event { read.withLock { $0 += records } }
      }
    }
    launches.append((central, manager))
  }

  func terminate() { phone.application.terminate() }

  /// Launches the app in the background.
  func relaunch() async {
    phone.application.state = .background
    launch()
    _ = await manager.restoreState().value
  }

  func pass(_ seconds: Double) async {
    for _ in 0..<Int(seconds * 20) { await step() }
  }

  /// Lets time pass until something is the case, at most for ten minutes.
  func pass(until isTrue: () async throws -> Bool) async throws {
    for _ in 0..<(20 * 600) {
      if try await isTrue() { return }
      await step()
    }
    Issue.record("It did not happen within ten minutes.")
  }

  private func step() async {
    await air.advance(by: .milliseconds(50), pacedBy: offline.session)
    await central.untilAnswered()
  }

  func pending() async throws -> [HealthRecord] { try await offline.session.pendingRecords() }
}

@Suite(.timeLimit(.minutes(15))) struct `Passive reading, ended by the system` {
  @Test func `goes on with a pending connection, for which the app is launched`() async throws {
    let app = try await Relaunches(.ua651BLE(memory: []), .aAndDUA651BLE)
    app.terminate()
    app.device.remember([frame])
    await app.pass(20)
    #expect(app.phone.application.awaitingRelaunch == ["readings"])
    await app.relaunch()
    try await app.pass { try await !app.pending().isEmpty }
    await app.pass(60)
    #expect(try await app.pending().count == 1)
    #expect(app.read.withLock { $0.count } == 1)
  }

  @Test func `takes what the device sent while the app did not run, and would not send again`()
    async throws
  {
    let app = try await Relaunches(.ua651BLE(memory: []), .aAndDUA651BLE)
    app.host.link.connectionInterval = .seconds(1)
    app.host.link.packetsPerInterval = 1
    app.device.remember([frame])
    try await app.pass { app.sent.withLock { $0.contains(.subscribed) } }
    app.terminate()
    // The system confirms it, and the device forgets it.
    await app.pass(30)
    #expect(try await app.pending().isEmpty)
    #expect(app.phone.application.awaitingRelaunch == ["readings"])
    let connections = app.sent.withLock { $0.filter { $0 == .subscribed }.count }
    await app.relaunch()
    try await app.pass { try await !app.pending().isEmpty }
    #expect(try await app.pending().count == 1)
    // On the same connection: it was not made anew.
    #expect(app.sent.withLock { $0.filter { $0 == .subscribed }.count } == connections)
  }

  @Test(arguments: [0.2, 1.0, 3.0, 5.0])
  func `completes the transfer of a memory that was broken off`(seconds: Double) async throws {
    let app = try await Relaunches(.glucoseMeter, .genericGlucose)
    let before = try await app.pending().count
    app.host.link.connectionInterval = .milliseconds(400)
    app.host.link.packetsPerInterval = 1
    app.device.measure()
    try await app.pass { !app.host.connectedPeers.isEmpty }
    await app.pass(seconds)
    app.terminate()
    await app.pass(10)
    await app.relaunch()
    try await app.pass { try await app.pending().count >= before + 1 }
    await app.pass(120)
    let identifiers = try await app.pending().map(\.logID)
    #expect(Set(identifiers).count == identifiers.count)
    #expect(identifiers.count == 7)
    #expect(app.phone.misuseReports == [])
  }

  @Test func `lets go of a connection that nobody wants any more`() async throws {
    let app = try await Relaunches(.ua651BLE(memory: []), .aAndDUA651BLE)
    app.host.link.connectionInterval = .seconds(1)
    app.device.remember([frame])
    try await app.pass { app.sent.withLock { $0.contains(.subscribed) } }
    app.terminate()
    try await app.manager.setPeripheralIDs(nil)
    app.phone.application.state = .background
    app.launch()
    #expect(await app.manager.restoreState().value == false)
    await app.pass(5)
    #expect(app.phone.pendingPeers.isEmpty && app.phone.connectedPeers.isEmpty)
    #expect(app.phone.misuseReports == [])
  }

  @Test func `does not go on after the user has closed the app, until it is opened`() async throws {
    let app = try await Relaunches(.ua651BLE(memory: []), .aAndDUA651BLE)
    app.phone.application.forceQuit()
    app.device.remember([frame])
    await app.pass(20)
    #expect(app.phone.application.awaitingRelaunch == [])
    app.phone.application.state = .foreground
    app.launch()
    #expect(await app.manager.restoreState().value)
    try await app.pass { try await !app.pending().isEmpty }
  }
}
