// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthRecords
import SantorioBluetooth
import SantorioConcurrency
import SantorioCore
import VirtualDevices

/// A phone that reads passively what is beside it: a meter, a monitor that erases what was accepted,
/// and a scale that erases what was transferred and is switched on only later.
///
/// The app pairs them and says what is to be read, where that was not done by an earlier process.
struct PassiveBedside {
  /// How many measurements are made with the monitor and with the scale.
  static let (pressures, weights) = (6, 3)
  /// After how long the scale is switched on.
  private static let scaleDelay = Duration.seconds(10)
  /// How long it goes on when all was read: what is stored twice is stored then.
  private static let rest = Duration.seconds(40)
  /// How long it goes on when something is missing.
  private static let limit = Duration.seconds(300)

  private let bedside: Bedside
  private let monitor: Bedside.Device
  private let scale: Bedside.Device
  private let world: World
  private let expected: Int

  init(_ bedside: Bedside, _ file: URL) {
    self.bedside = bedside
    let world = World(file)
    self.world = world
    // The meter has some of its model's own.
    expected = bedside.meterCount + Self.pressures + Self.weights
    monitor = Bedside.add(.monitor(in: world), to: bedside.air)
    scale = Bedside.add(.scale(in: world), to: bedside.air)
    for (model, device) in devices where world.notes("bonded \(model.id)") {
      bedside.phone.bond(with: device.host)
    }
    monitor.device.switchOn()
  }

  private var devices: [(model: DeviceModel, device: Bedside.Device)] {
    [
      (.genericGlucose, bedside.meter), (.welchAllynRPMBP100, monitor), (.aAndDUC352BLE, scale),
    ]
  }

  /// Moves the clock until all was read, and for a while more.
  ///
  /// - Returns: How many steps it took.
  func run(_ session: SantorioSession, endingAt step: Int?) async -> Int {
    let receiver = BluetoothReceiver(session: session, settings: bedside.settings)
    let manager = BluetoothPassiveManager(for: receiver, on: bedside.central)
    let events = manager.events
    let reporting = Task { for await event in events { event.report() } }
    let isSet = Locked(false)
    let setting = Task {
      do {
        try await set(manager)
      } catch {
        report("FAILED \(error)")
      }
      isSet.withLock { $0 = true }
    }
    let steps = await pass(session, endingAt: step) { isSet.withLock { $0 } }
    await setting.value
    await reportKept(by: manager)
    reporting.cancel()
    return steps
  }

  private func pass(
    _ session: SantorioSession, endingAt step: Int?, isSet: () -> Bool
  ) async -> Int {
    var (switchOn, end): (Duration?, Duration?)
    return await bedside.pass(pacedBy: session, endingAt: step) { pending in
      let now = bedside.air.clock.now.elapsed
      noteBonds()
      if switchOn == nil, isSet() {
        switchOn = now + Self.scaleDelay
        measurePressures()
      }
      if let due = switchOn, now >= due {
        switchOnScale()
        switchOn = Self.limit * 2
      }
      if end == nil, pending >= expected { end = now + Self.rest }
      return now >= end ?? Self.limit
    }
  }

  /// The phone's system keeps its bonds, whatever becomes of the app.
  private func noteBonds() {
    for (model, device) in devices where bedside.phone.isBonded(with: device.host) {
      world.note("bonded \(model.id)")
    }
  }

  private func measurePressures() {
    let left = VirtualDeviceModel.pressures.dropFirst(world.erased(by: .welchAllynRPMBP100))
    monitor.device.remember(Array(left))
  }

  private func switchOnScale() {
    let left = VirtualDeviceModel.weights.dropFirst(world.erased(by: .aAndDUC352BLE))
    guard !left.isEmpty else { return }
    scale.device.switchOn()
    scale.device.remember(Array(left))
  }

  // MARK: - The app

  /// Goes on with what was set, and does what is left to do of setting it.
  private func set(_ manager: BluetoothPassiveManager) async throws {
    let models = devices.map(\.model)
    _ = await manager.restoreState().value
    // What is kept is one of the two that are set below, as a whole.
    if ![[], [models[0].id], models.map(\.id)].contains(manager.peripheralIDs) {
      report("FORGOTTEN set")
    }
    let known = try await manager.receiver.enrolledDevices()
    for (model, device) in devices {
      let isPaired = known.contains(bedside.phone.identifier(of: device.host))
      if world.notes("paired \(model.id)"), !isPaired { report("FORGOTTEN \(model.id)") }
      if !isPaired { await pair(model, device, for: manager.receiver) }
      // At first the meter alone, then all.
      if manager.peripheralIDs.isEmpty { try await set([models[0]], in: manager) }
    }
    if manager.peripheralIDs != models.map(\.id) { try await set(models, in: manager) }
  }

  private func set(_ models: [DeviceModel], in manager: BluetoothPassiveManager) async throws {
    let name = "set \(models.count)"
    if world.notes(name) { report("FORGOTTEN \(name)") }
    try await manager.setPeripherals(models)
    world.note(name)
  }

  private func pair(
    _ model: DeviceModel, _ device: Bedside.Device, for receiver: BluetoothReceiver
  ) async {
    device.device.switchOn()
    device.device.enterPairingMode()
    let operation = bedside.central.pair([model], for: receiver)
    let reporting = Task { await reportEvents(of: operation) }
    for await event in operation.events {
      if case .paired = event { world.note("paired \(model.id)") }
    }
    await reporting.value
    if model == .aAndDUC352BLE { device.device.switchOff() }
  }

  /// Reports what the next process would go on with.
  private func reportKept(by manager: BluetoothPassiveManager) async {
    await manager.pause()
    let next = BluetoothPassiveManager(for: manager.receiver, on: bedside.central)
    _ = await next.restoreState().value
    report("KEPT \(next.peripheralIDs.map(String.init).joined(separator: ","))")
    await next.pause()
  }
}

extension PassiveEvent {
  fileprivate func report() {
    let report = TransferChild.report
    switch self {
    case .read(let records, _, _): for record in records { report("READ \(record.logID)") }
    case .rejected: report("REJECTED")
    case .failed(let error, let model, _): report("FAILED \(model.id) \(error)")
    case .undecided: report("UNDECIDED")
    case .readyToRead, .stateChanged: break
    }
  }
}

extension VirtualDeviceModel {
  /// The monitor before its first measurement.
  ///
  /// It gives out its password when it is paired: its serial number does not tell it.
  fileprivate static func monitor(in world: World) -> VirtualDeviceModel {
    rpmBP100.reporting(
      .transtekMeasurement, erases: .whenAccepted,
      erased: { world.noteErased($0, by: .welchAllynRPMBP100) }
    ) { clock in
      VirtualTranstekMonitor(
        serialNumber: "8899AABBCCDD", password: TranstekWord(rawValue: 0x1234_5678), memory: [],
        clock: clock)
    }
  }

  /// The scale before its first measurement.
  fileprivate static func scale(in world: World) -> VirtualDeviceModel {
    uc352BLE.reporting(
      .weightMeasurement, erases: .whenTransferred,
      erased: { world.noteErased($0, by: .aAndDUC352BLE) }
    ) { clock in
      var logic = uc352BLE.make(clock)
      logic.eraseMeasurements()
      return logic
    }
  }

  /// What is measured with the monitor.
  fileprivate static let pressures = (0..<PassiveBedside.pressures).map { number -> [UInt8] in
    // HD SYSS DIAS ---- TIME     PULS -- FL -- FL
    [
      0x34, 0x78 + UInt8(number), 0, 0x50, 0, 0, 0, UInt8(number), 0x41, 0x8A, 0x1E, 0x46, 0, 0,
      0, 0, 1,
    ]
  }

  /// What is measured with the scale.
  fileprivate static let weights = (0..<PassiveBedside.weights).map { number -> [UInt8] in
    // FL  WGHT  YEAR MO DA HH MM SS
    [0x02, 0x3E + UInt8(number), 0x08, 0xE8, 0x07, 0x03, 0x09, 0x07, 0x1E + UInt8(number), 0x00]
  }
}
