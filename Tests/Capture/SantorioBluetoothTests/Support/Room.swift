// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import CoreBluetoothSimulation
import Foundation
import HealthGATT
import HealthRecords
import SantorioCore
import Testing
import VirtualDevices

@testable import SantorioBluetooth

/// A phone and a device in one room, on a clock that the test moves.
struct Room: Sendable {
  static let now = Date(timeIntervalSince1970: 1_718_466_000)

  let air = SimulatedRadioEnvironment(seed: 1)
  let phone: SimulatedHost
  let device: SimulatedHost
  let monitor: VirtualDevice
  /// The central of the phone.
  let central: BluetoothCentral

  /// A monitor that has nothing to send, unless another device is asked for.
  init(
    _ model: VirtualDeviceModel = .ua651BLE(memory: []), clockOffsetSeconds: Double = 0,
    onEvent: @escaping @Sendable (VirtualDeviceEvent) -> Void = { _ in }
  ) {
    phone = air.makeHost(named: "Phone")
    central = BluetoothCentral(managerOptions: phone.managerOptions)
    device = air.makeHost(named: model.advertisedName, at: SimulatedPosition(x: 2))
    monitor = VirtualDevice(
      model, on: device, clockOffsetSeconds: clockOffsetSeconds, onEvent: onEvent)
    monitor.switchOn()
  }

  var settings: BluetoothSettings {
    var settings = BluetoothSettings()
    settings.clock = air.clock
    settings.now = { Self.now }
    settings.timeZone = { .gmt }
    settings.catalogue = .withInventions
    return settings
  }

  func controller(
    session: SantorioSession? = nil, credentials: (any CredentialStoring)? = nil
  ) -> BluetoothPeripheralController {
    var settings = settings
    settings.credentials = credentials
    return BluetoothPeripheralController(
      session: session, settings: settings, on: central)
  }

  /// Moves the air's clock until the controller's operation is over, and returns its events.
  func events(of controller: BluetoothPeripheralController) async -> [BluetoothEvent] {
    await events(of: controller) { if case .ended = $0 { true } else { false } }
  }

  /// Moves the air's clock until an event of a kind, and returns the controller's events.
  func events(
    of controller: BluetoothPeripheralController,
    until isLast: @escaping @Sendable (BluetoothEvent) -> Bool
  ) async -> [BluetoothEvent] {
    let events = controller.events
    return await withTaskGroup(of: [BluetoothEvent].self) { group in
      group.addTask {
        var all: [BluetoothEvent] = []
        for await event in events {
          all.append(event)
          if isLast(event) { break }
        }
        return all
      }
      group.addTask {
        while !Task.isCancelled {
          await air.advance(by: .milliseconds(250), pacedBy: controller.receiver.session)
          await controller.central.untilAnswered()
        }
        return []
      }
      let all = await group.next() ?? []
      group.cancelAll()
      return all
    }
  }

  /// As ``events(of:)``, for an operation that another task is about to start.
  func events(
    of controller: BluetoothPeripheralController, afterStart: Bool
  ) async -> [BluetoothEvent] {
    while !controller.operationInProgress { await Task.yield() }
    return await events(of: controller)
  }
}

extension SimulatedRadioEnvironment {
  /// Moves the clock, and lets the session do what it was asked before: on a busy machine devices
  /// must not grow tired of waiting for the disk.
  func advance(by duration: Duration, pacedBy session: SantorioSession?) async {
    await advance(by: duration)
    _ = try? await session?.heldCount()
    await Task.yield()
  }
}

extension BluetoothCentral {
  /// Returns when no operation waits for the disk.
  func untilAnswered() async { while awaitsAnswers { await Task.yield() } }
}

extension VirtualDevice {
  /// A device on a simulated host, at the time of the room.
  convenience init(
    _ model: VirtualDeviceModel, on host: SimulatedHost, clockOffsetSeconds: Double = 0,
    onEvent: @escaping @Sendable (VirtualDeviceEvent) -> Void = { _ in }
  ) {
    var settings = Settings()
    settings.clockOffsetSeconds = clockOffsetSeconds
    settings.zone = { .gmt }
    settings.now = { Room.now }
    settings.clock = host.air.clock
    settings.isConnected = { host.connectedPeers.contains($0) }
    settings.broadcast = { services, manufacturer in
      host.serviceData = Dictionary(
        services.map { (CBUUID(string: $0.key), $0.value) }, uniquingKeysWith: { $1 })
      host.manufacturerData = manufacturer.isEmpty ? nil : manufacturer
    }
    self.init(model, settings: settings, managerOptions: host.managerOptions, onEvent: onEvent)
  }
}

extension DriverTime {
  /// Some seconds after the room's time, in its zone.
  static func after(_ seconds: Double) -> DriverTime {
    DriverTime(
      elapsed: .seconds(seconds), secondsSince1970: 1_718_466_000 + seconds, utcOffsetSeconds: 0)
  }
}

extension BluetoothEvent {
  var record: HealthRecord? {
    if case .reading(let record) = self { record } else { nil }
  }
  var undecided: HealthRecord? {
    if case .undecided(let record) = self { record } else { nil }
  }
  var refusal: RejectedReading? {
    if case .rejected(let refused) = self { refused } else { nil }
  }
  var error: BluetoothError? {
    if case .ended(.failed(let error, _)) = self { error } else { nil }
  }
}

/// A session without a server, in a folder of its own.
final class Offline: Sendable {
  let session: SantorioSession
  let folder: URL
  /// Where its events are posted.
  let center = NotificationCenter()

  init(withUser: Bool = true, maximumBytes: Int? = nil) async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let endpoint = try #require(URL(string: "http://127.0.0.1:9"))
    var configuration = SantorioSession.Configuration(directory: folder, endpoint: endpoint)
    if let maximumBytes { configuration.maximumBytes = maximumBytes }
    configuration.notificationCenter = center
    session = SantorioSession(configuration)
    guard withUser else { return }
    try await session.start(SantorioUser(userID: "u", organizationID: "o", accessToken: "token"))
  }

  /// Fills the queue with records that are held back, until no other has room.
  func fill() async throws -> [HealthRecord] {
    let records = (0..<3_000).map(Self.filling)
    for record in records {
      do throws(SessionError) {
        try await session.hold([record])
      } catch {
        guard error.code == .outboxFull else { throw error }
        break
      }
    }
    return records
  }

  private static func filling(_ number: Int) -> HealthRecord {
    var record = HealthRecord(
      logID: "filling-\(number)",
      time: RecordTime(start: Room.now, origin: .device, received: Room.now),
      source: RecordSource(type: .bluetooth), metrics: [Metric(.systolic, 120)])
    record.comment = String(repeating: "x", count: 500)
    return record
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
