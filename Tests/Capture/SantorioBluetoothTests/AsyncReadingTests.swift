// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import HealthDevices
import HealthGATT
import HealthRecords
import Testing
import VirtualDevices

@testable import SantorioBluetooth

@Suite(.timeLimit(.minutes(15))) struct `Async readings` {
  @Test func `arrive one by one and end with the transfer`() async throws {
    let room = Room()
    room.monitor.remember(BloodPressureFrames.capturedUA651BLE)
    let controller = room.controller()
    let readings = controller.readings(from: .aAndDUA651BLE)
    async let moved = room.events(of: controller)
    var systolic: [Double?] = []
    for try await reading in readings { systolic.append(reading.value(.systolic)) }
    #expect(systolic == [125, 134])
    _ = await moved
  }

  @Test func `throw the error of the reading`() async {
    let room = Room()
    let controller = room.controller()
    let readings = controller.readings(from: .aAndDUA651BLE)
    async let moved = room.events(of: controller)
    let error = await #expect(throws: BluetoothError.self) {
      for try await _ in readings {}
    }
    #expect(error?.code == .connectionTimeout)
    _ = await moved
  }

  @Test func `of no device at all are refused`() async {
    let controller = Room().controller()
    let error = await #expect(throws: BluetoothError.self) {
      for try await _ in controller.readings(fromFirstOf: []) {}
    }
    #expect(error?.code == .unsupportedDevice)
    #expect(!controller.operationInProgress)
  }

  @Test func `of an entry at which Core Bluetooth would trap are refused`() async {
    func entry(_ service: String) -> DeviceModel {
      DeviceModel(
        id: DeviceCatalogue.firstFreeNumber, type: .thermometer, manufacturer: "Acme", model: "T1",
        instructions: "Measure.", connectTimeout: .seconds(30), readTimeout: .seconds(30),
        advertisementFilter: AdvertisementFilter(services: [service]),
        drivers: [.thermometerProfile])
    }
    var settings = BluetoothSettings()
    #expect(throws: Never.self) { try settings.catalogue.register(entry("FFA0")) }
    let controller = BluetoothPeripheralController(
      settings: settings, on: BluetoothCentral(managerOptions: Room().phone.managerOptions))
    let error = await #expect(throws: BluetoothError.self) {
      for try await _ in controller.readings(from: entry("thermometer")) {}
    }
    #expect(error?.code == .unsupportedDevice)
    #expect(error?.description.contains("\"THERMOMETER\" is not a UUID") == true)
  }

  @Test func `go by the number of the entry and not by what the app made of it`() throws {
    let settings = BluetoothSettings()
    let copy = DeviceModel(
      id: 2, type: .thermometer, manufacturer: "Acme", model: "T1", instructions: "Measure.",
      connectTimeout: .seconds(30), readTimeout: .seconds(30),
      advertisementFilter: AdvertisementFilter(services: ["FFA0"]), drivers: [.thermometerProfile])
    #expect(try settings.readable(copy) == .aAndDUA651BLE)
  }

  @Test func `are over for a second loop`() async throws {
    let room = Room()
    room.monitor.remember(BloodPressureFrames.capturedUA651BLE)
    let controller = room.controller()
    let readings = controller.readings(from: .aAndDUA651BLE)
    async let moved = room.events(of: controller)
    for try await _ in readings {}
    _ = await moved
    var count = 0
    for try await _ in readings { count += 1 }
    #expect(count == 0)
  }

  @Test func `are never those of an operation that began later`() async throws {
    let room = Room()
    room.monitor.remember([BloodPressureFrames.capturedUA651BLE[2]])
    let controller = room.controller()
    let earlier = controller.begin(.init(purpose: .pair, models: [.aAndDUA651BLE]))
    controller.cancel()
    _ = await room.events(of: controller)
    #expect(controller.startReading(from: .aAndDUA651BLE))
    var events: [BluetoothEvent] = []
    for await event in try #require(earlier).events { events.append(event) }
    #expect(events == [.ended(.cancelled([]))])
    #expect(await room.events(of: controller).compactMap(\.record).count == 1)
  }

  @Test func `that are over cancel nothing when they are released`() async throws {
    let room = Room()
    let controller = room.controller()
    var readings = controller.readings(from: .aAndDUA651BLE)
    for frame in BloodPressureFrames.capturedUA651BLE.suffix(2) {
      room.monitor.remember([frame])
      async let moved = room.events(of: controller)
      var count = 0
      for try await _ in readings { count += 1 }
      #expect(count == 1)
      _ = await moved
      // Releases those before, as a view does that keeps the present ones.
      readings = controller.readings(from: .aAndDUA651BLE)
    }
    controller.cancel()
    #expect(await room.events(of: controller).last == .ended(.cancelled([])))
  }

  @Test func `are refused while another operation runs`() async {
    let room = Room()
    let controller = room.controller()
    controller.startReading(from: .aAndDUA651BLE)
    let error = await #expect(throws: BluetoothError.self) {
      for try await _ in controller.readings(from: .aAndDUA651BLE) {}
    }
    #expect(error?.code == .operationInProgress)
    controller.cancel()
    _ = await room.events(of: controller)
  }

  @Test func `cancel the reading when their task is cancelled`() async {
    let room = Room()
    let controller = room.controller()
    let readings = controller.readings(from: .aAndDUA651BLE)
    let task = Task { for try await _ in readings {} }
    task.cancel()
    #expect(await room.events(of: controller).last == .ended(.cancelled([])))
    _ = await task.result
  }
}
