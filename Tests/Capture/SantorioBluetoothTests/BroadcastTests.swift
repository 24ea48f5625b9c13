// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import CoreBluetoothSimulation
import Foundation
import HealthGATT
import HealthRecords
import Testing
import VirtualDevices

@testable import SantorioBluetooth

/// A scale that is never connected: while a person stands on it, it broadcasts what it shows.
private struct VirtualScale: VirtualDeviceLogic {
  /// Tenths of a kilogram, and whether the pointer rests.
  private var shown: (tenths: UInt16, rests: Bool) = (0, false)

  var services: [VirtualService] { [] }
  var isAdvertising: Bool { true }

  var broadcast: VirtualBroadcast? {
    VirtualBroadcast(
      serviceData: [
        "181D": [shown.rests ? 1 : 0, UInt8(shown.tenths & 0xFF), UInt8(shown.tenths >> 8)]
      ],
      manufacturerData: [0xFF, 0xFF, 0x2A])
  }

  mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number): shown = (UInt16(800 + number), true)
    case .remember: shown = (799, false)  // The pointer swings.
    default: break
    }
    return []
  }
}

/// Takes the first weight at which the pointer rests.
private struct ScaleDriver: BroadcastDriver {
  mutating func handle(_ advertisement: Advertisement, at time: DriverTime) -> [DriverAction] {
    guard let bytes = advertisement.serviceData["181D"], bytes.count == 3 else { return [] }
    guard bytes[0] == 1 else { return [.ready] }
    let kilograms = Double(UInt16(bytes[1]) | UInt16(bytes[2]) << 8) / 10
    return [
      .fact(.serialNumber("S-1")),
      .deliver(DeviceReading([.init(.bodyWeight, kilograms)], payload: bytes)), .finish,
    ]
  }
}

/// Holds a weight back for a rest that never comes.
private struct HoldingDriver: BroadcastDriver {
  private var held: DeviceReading?

  mutating func handle(_ advertisement: Advertisement, at time: DriverTime) -> [DriverAction] {
    held = DeviceReading([.init(.bodyWeight, 79.9)], payload: [0x4F])
    return [.ready]
  }

  mutating func ended(at time: DriverTime) -> [DriverAction] {
    defer { held = nil }
    return held.map { [.deliver($0)] } ?? []
  }
}

extension DeviceModel {
  fileprivate static let holdingScale = DeviceModel(
    id: Invention.number + 1, type: .weightScale, manufacturer: "Acme", model: "Scale",
    instructions: "Step on the scale.", connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: ["181D"], companies: [0xFFFF]),
    broadcast: BroadcastModel(
      id: "test-holding-scale", name: "Scale of the tests", confidence: .documented, sources: [],
      matches: { $0.serviceData["181D"]?.count == 3 }, make: { _ in HoldingDriver() }))

  fileprivate static let scale = DeviceModel(
    id: Invention.number + 1, type: .weightScale, manufacturer: "Acme", model: "Scale",
    instructions: "Step on the scale.", connectTimeout: .seconds(60), readTimeout: .seconds(60),
    advertisementFilter: AdvertisementFilter(services: ["181D"], companies: [0xFFFF]),
    broadcast: BroadcastModel(
      id: "test-scale", name: "Scale of the tests", confidence: .documented, sources: [],
      matches: { $0.serviceData["181D"]?.count == 3 }, make: { _ in ScaleDriver() }))
}

private let model = VirtualDeviceModel(
  id: "test-scale", summary: "A scale of the tests.", peripheralID: Invention.number + 1,
  advertisedName: "Scale", advertisedServices: ["181D"], readingCount: 0
) { _ in VirtualScale() }

@Suite(.timeLimit(.minutes(15))) struct `Device that only broadcasts` {
  @Test func `is read from its changing advertisements`() async throws {
    let room = Room(model)
    let controller = room.controller()
    controller.startReading(from: .scale)
    let (events, scale) = (controller.events, room.monitor)
    let person = Task {
      for await event in events {
        if case .readyToRead = event { return scale.measure() }
        if case .ended = event { return }
      }
    }
    let all = await room.events(of: controller)
    await person.value

    let record = try #require(all.compactMap(\.record).first)
    #expect(record.metrics == [Metric(.bodyWeight, 80.1)])
    #expect(record.source.device?.serialNumber == "S-1")
    #expect(record.time.origin == .received)
    #expect(all.first == .found(.scale, identifier: room.phone.identifier(of: room.device)))
    #expect(all.last == .ended(.finished([record])))
    #expect(room.phone.connectedPeers.isEmpty && room.phone.pendingPeers.isEmpty)
    #expect(room.phone.scansStarted == 1)
    #expect(room.phone.misuseReports.isEmpty)
  }

  @Test func `is listened to by one operation at a time`() async {
    let room = Room(model)
    var settings = room.settings
    // On a clock that stands still no operation ends by itself.
    settings.clock = SimulatedRadioEnvironment().clock
    let receiver = BluetoothReceiver(settings: settings)
    let moving = Task {
      while !Task.isCancelled { await room.air.advance(by: .milliseconds(250), pacedBy: nil) }
    }
    let first = room.central.read([.scale], for: receiver)
    _ = await first.events.first { if case .readyToRead = $0 { true } else { false } }
    moving.cancel()
    await moving.value

    let second = room.central.read([.scale], for: receiver)
    while room.phone.scansStarted < 2 { await Task.yield() }
    for _ in 0..<40 { await room.air.advance(by: .milliseconds(250)) }
    second.cancel()

    var events: [BluetoothEvent] = []
    for await event in second.events { events.append(event) }
    #expect(events == [.ended(.cancelled([]))])
    first.cancel()
    _ = await first.value
  }

  @Test func `is not confused with another device with the same advertisement`() async {
    let room = Room(model)
    room.monitor.measure()
    room.monitor.switchOff()
    let other = room.air.makeHost(named: "Other")
    let thermometer = VirtualDevice(
      VirtualDeviceModel(
        id: "other", summary: "A device of the tests.", peripheralID: 0, advertisedName: "Other",
        advertisedServices: ["181D"], readingCount: 0
      ) { _ in Silent() }, on: other)
    thermometer.switchOn()
    let controller = room.controller()
    controller.startReading(from: .scale)
    #expect(await room.events(of: controller).last?.error?.code == .connectionTimeout)
    withExtendedLifetime(thermometer) {}
  }

  @Test func `that never settles times out`() async {
    let room = Room(model)
    let controller = room.controller()
    controller.startReading(from: .scale)
    let events = await room.events(of: controller)
    #expect(events.last?.error?.code == .readingTimeout)
    #expect(events.compactMap(\.record).isEmpty)
  }

  @Test func `is paired when it has been received`() async throws {
    let room = Room(model)
    let controller = room.controller()
    async let metadata = controller.pair(.scale)
    _ = await room.events(of: controller, afterStart: true)
    #expect(try await metadata.peripheralUUID == room.phone.identifier(of: room.device))
    #expect(room.phone.connectedPeers.isEmpty)
    room.monitor.measure()
    controller.startReading(from: .scale, only: [room.phone.identifier(of: room.device)])
    #expect(await room.events(of: controller).compactMap(\.record).count == 1)
  }

  @Test func `is read at the time limit if it held something back`() async {
    let room = Room(model)
    let controller = room.controller()
    controller.startReading(from: .holdingScale)
    let events = await room.events(of: controller)
    let records = events.compactMap(\.record)
    #expect(records.map(\.metrics) == [[Metric(.bodyWeight, 79.9)]])
    #expect(events.last == .ended(.finished(records)))
  }

  @Test func `keeps what was held back when it is cancelled`() async {
    let room = Room(model)
    let controller = room.controller()
    controller.startReading(from: .holdingScale)
    let events = controller.events
    let person = Task {
      for await event in events {
        if case .readyToRead = event { return controller.cancel() }
        if case .ended = event { return }
      }
    }
    let all = await room.events(of: controller)
    #expect(all.last == .ended(.cancelled(all.compactMap(\.record))))
    #expect(all.compactMap(\.record).count == 1)
    await person.value
  }

  @Test func `can be cancelled while it is received`() async {
    let room = Room(model)
    let controller = room.controller()
    controller.startReading(from: .scale)
    let events = controller.events
    let person = Task {
      for await event in events {
        if case .readyToRead = event { return controller.cancel() }
        if case .ended = event { return }
      }
    }
    #expect(await room.events(of: controller).last == .ended(.cancelled([])))
    await person.value
  }
}

private struct Silent: VirtualDeviceLogic {
  var services: [VirtualService] { [] }
  var isAdvertising: Bool { true }

  mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] { [] }
}

@Suite struct `Operation with a device that only broadcasts` {
  private let device = UUID()

  private func discovered(_ bytes: [UInt8]) -> PeripheralOperation.DiscoveredDevice {
    .init(
      device,
      Advertisement(name: "Scale", serviceData: ["181d": bytes], manufacturerData: [0xFF, 0xFF]))
  }

  @Test func `receives only that device`() {
    var operation = PeripheralOperation(.read, .scale, at: .zero)
    _ = operation.handle(.radioChanged(.on), at: .after(0))
    #expect(
      operation.handle(.retrievedConnected([]), at: .after(0))
        == [.scan(services: ["181D"], allowsDuplicates: true)])
    #expect(operation.handle(.discovered(discovered([1])), at: .after(1)) == [])
    #expect(
      operation.handle(.discovered(discovered([0, 1, 2])), at: .after(1))
        == [.report(.found(.scale, device)), .retrieveDeviceState(device)])
    #expect(
      operation.handle(.deviceState(device, DeviceState()), at: .after(1)) == [
        .report(.readyToRead)
      ])
    #expect(operation.deadline == .seconds(61))
    let other = PeripheralOperation.DiscoveredDevice(
      UUID(), Advertisement(serviceData: ["181D": [1, 0x20, 3]], manufacturerData: [0xFF, 0xFF]))
    #expect(operation.handle(.discovered(other), at: .after(2)) == [])
    #expect(
      operation.handle(.discovered(discovered([1, 0x20, 3])), at: .after(3)) == [
        .report(.fact(.serialNumber("S-1"))),
        .report(
          .reading(DeviceReading([.init(.bodyWeight, 80)], payload: [1, 0x20, 3]))),
        .stopScan, .report(.ended(.finished)),
      ])
  }

  @Test func `ends when the radio goes off`() {
    var operation = PeripheralOperation(.read, .scale, at: .zero)
    _ = operation.handle(.radioChanged(.on), at: .after(0))
    _ = operation.handle(.retrievedConnected([]), at: .after(0))
    _ = operation.handle(.discovered(discovered([0, 1, 2])), at: .after(1))
    _ = operation.handle(.deviceState(device, DeviceState()), at: .after(1))
    guard
      case .report(.ended(.failed(let error)))? = operation.handle(
        .radioChanged(.unavailable(.poweredOff)), at: .after(2)
      ).last
    else {
      Issue.record("not ended")
      return
    }
    #expect(error.code == .bluetoothUnavailable)
  }
}
