// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import CoreBluetoothSimulation
import Foundation
import HealthGATT
import LicensedMeters
import HealthRecords
import SantorioCore
public import Testing
public import VirtualDevices

@testable import SantorioBluetooth

extension VirtualDeviceModel: CustomTestStringConvertible {
  /// The name on the command line.
  public var testDescription: String { id }
}

/// A phone and one virtual device in one room, on a clock that the test moves.
private struct Bedside: Sendable {
  static let start = Date(timeIntervalSince1970: 1_774_785_600)  // 2026-03-29T12:00:00Z

  let air = SimulatedRadioEnvironment(seed: 1)
  let device: VirtualDevice
  let controller: BluetoothPeripheralController
  private let files: StandInFiles

  init(_ model: VirtualDeviceModel, session: SantorioSession? = nil) throws {
    let phone = air.makeHost(named: "Phone")
    let host = air.makeHost(named: model.advertisedName, at: SimulatedPosition(x: 2))
    let clock = air.clock
    let begin = clock.now
    let now: @Sendable () -> Date = {
      Self.start.addingTimeInterval(begin.duration(to: clock.now) / .seconds(1))
    }
    var world = VirtualDevice.Settings()
    world.clock = clock
    world.now = now
    world.zone = { .gmt }
    world.isConnected = { host.connectedPeers.contains($0) }
    world.broadcast = { services, manufacturer in
      host.serviceData = Dictionary(
        services.map { (CBUUID(string: $0.key), $0.value) }, uniquingKeysWith: { $1 })
      host.manufacturerData = manufacturer.isEmpty ? nil : manufacturer
    }
    device = VirtualDevice(model, settings: world, managerOptions: host.managerOptions)
    var settings = BluetoothSettings()
    settings.clock = clock
    settings.now = now
    settings.timeZone = { .gmt }
    files = try StandInFiles()
    // All that a device has is of the one user, under any of its numbers.
    settings.takesEveryUser = true
    files.apply(to: &settings)
    controller = BluetoothPeripheralController(
      session: session, settings: settings,
      on: BluetoothCentral(managerOptions: phone.managerOptions))
    device.switchOn()
    device.enterPairingMode()
  }

  /// What came of an operation.
  struct Outcome: Sendable {
    var identifier: UUID?
    var records: [HealthRecord] = []
    var error: BluetoothError?
    /// How many readings there were when the user was told to use the device; once for each time.
    var ready: [Int] = []
  }

  /// Moves the air's clock until the controller's operation is over, and returns what came of it.
  func outcome() async -> Outcome {
    let events = controller.events
    return await withTaskGroup(of: Outcome?.self) { group in
      group.addTask {
        var outcome = Outcome()
        for await event in events {
          switch event {
          case .found(_, let identifier): outcome.identifier = identifier
          case .reading(let record): outcome.records.append(record)
          case .readyToRead: outcome.ready.append(outcome.records.count)
          case .ended(.failed(let error, _)):
            outcome.error = error
            return outcome
          case .ended: return outcome
          default: break
          }
        }
        return outcome
      }
      group.addTask {
        while !Task.isCancelled {
          await air.advance(by: .milliseconds(250))
          await controller.central.untilAnswered()
          await Task.yield()
        }
        return nil
      }
      let outcome = await group.next() ?? nil
      group.cancelAll()
      return outcome ?? Outcome()
    }
  }

  /// Reads the device as the user does who has chosen its entry.
  func read(as entry: DeviceModel) async -> Outcome {
    #expect(controller.startReading(from: entry))
    return await outcome()
  }

  /// Reads whichever device of the catalogue is there.
  func read() async -> Outcome {
    #expect(controller.startReading(fromFirstOf: DeviceCatalogue.withLicensedMeters.supported))
    return await outcome()
  }
}

extension VirtualDeviceModel {
  /// The key of its own without which it is not read.
  fileprivate var storedKey: (key: PeripheralDataKey, bytes: [UInt8])? {
    switch id {
    case "inr-stand-in": (.encryptionKey, StandInCryptography.exampleKey)
    case "xiaomi-s400": (.bindKey, Self.s400Secret)
    default: nil
    }
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Every virtual device` {
  @Test(arguments: VirtualDeviceModel.allAndLicensed)
  func `is recognised, paired where it needs that, and read to the last measurement`(
    model: VirtualDeviceModel
  ) async throws {
    let entry = try #require(
      DeviceCatalogue.withLicensedMeters.entry(id: model.peripheralID))
    let room = try Bedside(model)
    var records: [String: HealthRecord] = [:]
    if entry.requiresPairing {
      #expect(room.controller.startPairing(entry))
      let paired = await room.outcome()
      #expect(paired.error == nil)
      for record in paired.records { records[record.logID] = record }
      try store(model, in: room, for: paired)
    } else if model.storedKey != nil {
      let first = await room.read()
      #expect(first.error?.code == .notAuthorized)
      #expect(first.records.isEmpty)
      try store(model, in: room, for: first)
    }
    if records.count < model.readingCount {
      let read = await room.read()
      #expect(read.error == nil)
      for record in read.records { records[record.logID] = record }
    }
    #expect(records.count == model.readingCount)
    for record in records.values {
      #expect(record.source.device?.peripheralID == entry.id)
      #expect(record.metrics.allSatisfy { $0.isPlausible })
      _ = try record.informJSON()
    }
  }

  @Test(arguments: VirtualDeviceModel.allAndLicensed)
  func `is read passively to the last measurement, each once`(
    model: VirtualDeviceModel
  ) async throws {
    let entry = try #require(
      DeviceCatalogue.withLicensedMeters.entry(id: model.peripheralID))
    let offline = try await Offline()
    let room = try Bedside(model, session: offline.session)
    if entry.requiresPairing {
      #expect(room.controller.startPairing(entry))
      try store(model, in: room, for: await room.outcome())
    } else if model.storedKey != nil {
      try store(model, in: room, for: await room.read())
    }
    let manager = BluetoothPassiveManager(
      for: room.controller.receiver, on: room.controller.central)
    try await manager.setPeripherals([entry])
    var arrived: [String] = []
    // The slowest of them, a thermometer that is worn, measures once in a while.
    for _ in 0..<(4 * 900) where arrived.count < model.readingCount {
      await room.air.advance(by: .milliseconds(250), pacedBy: offline.session)
      await room.controller.central.untilAnswered()
      arrived = try await offline.session.pendingRecords().filter { $0.kind != .rejected }
        .map(\.logID)
    }
    #expect(arrived.count == model.readingCount)
    #expect(Set(arrived).count == arrived.count)
  }

  @Test(arguments: VirtualDeviceModel.allAndLicensed)
  func `is reported ready once, before its first reading`(model: VirtualDeviceModel) async throws {
    let entry = try #require(
      DeviceCatalogue.withLicensedMeters.entry(id: model.peripheralID))
    let room = try Bedside(model)
    if entry.requiresPairing {
      #expect(room.controller.startPairing(entry))
      let paired = await room.outcome()
      #expect(paired.ready == [])
      try store(model, in: room, for: paired)
    } else if model.storedKey != nil {
      let refused = await room.read()
      try store(model, in: room, for: refused)
    }
    room.device.measure()
    #expect(await room.read(as: entry).ready == [0])
  }

  private func store(
    _ model: VirtualDeviceModel, in room: Bedside, for outcome: Bedside.Outcome
  ) throws {
    guard let (key, bytes) = model.storedKey else { return }
    let identifier = try #require(outcome.identifier)
    try room.controller.receiver.setSecret(bytes.hexadecimal, key, for: identifier)
  }

  @Test func `has a unique name`() {
    let names = VirtualDeviceModel.allAndLicensed.map(\.id)
    #expect(Set(names).count == names.count)
  }
}

@Suite struct `Drivers of the catalogue` {
  @Test func `have unique names`() {
    let drivers = DeviceCatalogue.withLicensedMeters.entries.flatMap(\.drivers)
    let byName = Dictionary(grouping: drivers, by: \.id).mapValues { Set($0.map(\.name)) }
    #expect(byName.values.allSatisfy { $0.count == 1 })
  }

  @Test func `belong to an entry that can be read`() {
    let numbers = DeviceCatalogue.withLicensedMeters.entries.map(\.id)
    #expect(Set(numbers).count == numbers.count)
    for entry in DeviceCatalogue.withLicensedMeters.entries where entry.drivers.isEmpty {
      #expect(entry.broadcast != nil || entry.isDisabled, "\(entry.name)")
    }
  }
}
