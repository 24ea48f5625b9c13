// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothSimulation
import Foundation
import HealthDevices
import HealthRecords
import SantorioCore
import TestSupport
import Testing
import VirtualDevices

@testable import SantorioBluetooth
@testable import SantorioUI

/// A phone with the app and a device in one room, on a clock that the test moves, and a session in a
/// folder of its own.
@MainActor final class Stage {
  nonisolated static let now = Date(timeIntervalSince1970: 1_718_466_000)

  let air = SimulatedRadioEnvironment(seed: 1)
  let phone: SimulatedHost
  let device: SimulatedHost
  let virtual: VirtualDevice
  let central: BluetoothCentral
  let folder: TemporaryFolder
  private(set) var session: SantorioSession
  private var folders: [TemporaryFolder] = []
  let decisions = PendingDecisions()

  init(
    _ model: VirtualDeviceModel = .ua651BLE(memory: []), clockOffsetSeconds: Double = 0,
    withUser: Bool = true
  ) async throws {
    phone = air.makeHost(named: "Phone")
    central = BluetoothCentral(managerOptions: phone.managerOptions)
    let device = air.makeHost(named: model.advertisedName, at: SimulatedPosition(x: 2))
    self.device = device
    var settings = VirtualDevice.Settings()
    settings.clockOffsetSeconds = clockOffsetSeconds
    settings.zone = { .gmt }
    settings.now = { Self.now }
    settings.clock = air.clock
    settings.isConnected = { device.connectedPeers.contains($0) }
    settings.broadcast = { services, manufacturer in
      device.serviceData = Dictionary(
        services.map { (CBUUID(string: $0.key), $0.value) }, uniquingKeysWith: { $1 })
      device.manufacturerData = manufacturer.isEmpty ? nil : manufacturer
    }
    virtual = VirtualDevice(
      model, settings: settings, managerOptions: device.managerOptions, onEvent: { _ in })
    virtual.switchOn()
    folder = try TemporaryFolder()
    session = try Self.session(in: folder)
    if withUser { try await session.start(Self.user) }
  }

  static let user = SantorioUser(userID: "u", organizationID: "o", accessToken: "token")

  private static func session(in folder: TemporaryFolder) throws -> SantorioSession {
    let endpoint = try #require(URL(string: "http://127.0.0.1:9"))
    return SantorioSession(
      SantorioSession.Configuration(
        directory: folder.url.appendingPathComponent("session"), endpoint: endpoint))
  }

  /// Starts the app with the files of the session as they are now, as after the process was killed.
  func relaunch() throws {
    let killed = try TemporaryFolder()
    let name = "session"
    try FileManager.default.copyItem(
      at: folder.url.appendingPathComponent(name), to: killed.url.appendingPathComponent(name))
    folders.append(killed)
    session = try Self.session(in: killed)
  }

  /// A session whose folder cannot be made, since a file is in its place.
  func sessionWithoutFolder() throws -> SantorioSession {
    let place = try TemporaryFolder()
    folders.append(place)
    try Data().write(to: place.url.appendingPathComponent("session"))
    return try Self.session(in: place)
  }

  var settings: BluetoothSettings {
    var settings = BluetoothSettings()
    settings.clock = air.clock
    settings.now = { Self.now }
    settings.timeZone = { .gmt }
    return settings
  }

  var receiver: BluetoothReceiver { BluetoothReceiver(session: session, settings: settings) }

  var context: CaptureContext {
    var context = CaptureContext(
      session: session, receiver: receiver, central: central,
      units: UnitPreferences(locale: Locale(identifier: "en_US")))
    context.now = { Self.now }
    return context
  }

  func reading(of device: DeviceModel = .aAndDUA651BLE) -> ReadingModel {
    ReadingModel(device, context, decisions)
  }

  func review() -> ReviewModel { ReviewModel(context, decisions) }

  /// Lets time pass in the air until something is the case, not faster than the disk.
  func advance(_ minutes: Int = 30, until isTrue: @MainActor () -> Bool) async -> Bool {
    for _ in 0..<(minutes * 240) {
      if isTrue() { return true }
      await air.advance(by: .milliseconds(250))
      _ = try? await session.heldCount()
      while central.awaitsAnswers { await Task.yield() }
      await Task.yield()
    }
    return isTrue()
  }

  /// Writes down what a model shows, from now on.
  static func watch<State>(_ model: ViewModel<State>) -> StateLog<State> { StateLog(model) }
}

/// All that a model has shown.
@MainActor final class StateLog<State: Hashable & Sendable> {
  private(set) var states: [State] = []
  private var task: Task<Void, Never>?

  init(_ model: ViewModel<State>) {
    let states = model.states
    task = Task { [weak self] in for await state in states { self?.states.append(state) } }
  }

  deinit { task?.cancel() }

  /// Waits until the last state has been written down.
  func all(upTo last: State) async -> [State] {
    while states.last != last { await Task.yield() }
    return states
  }
}

/// The frames of a real UA-651BLE that hold readings.
enum Frames {
  static let first = BloodPressureFrames.capturedUA651BLE[2]
  static let second = BloodPressureFrames.capturedUA651BLE[3]
}

extension HealthRecord {
  static func sample(
    _ logID: String, _ metrics: [Metric], time: RecordTime? = nil, tags: [RecordTag] = []
  ) -> HealthRecord {
    var record = HealthRecord(
      logID: logID,
      time: time ?? RecordTime(start: Stage.now, origin: .device, received: Stage.now),
      source: RecordSource(type: .bluetooth), metrics: metrics)
    record.tags = tags
    return record
  }
}
