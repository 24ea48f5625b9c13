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

private let frame = BloodPressureFrames.capturedUA651BLE[2]
private let serial = "2A25"
private let model = "2A24"

/// A monitor that forgets what it sent, and what it says of who it is.
private struct Bedside {
  let information = InformationScript()
  let room: Room

  init() { room = Room(VirtualDeviceModel.ua651BLE(memory: []).reporting(information)) }

  /// Measures, and reads it: always the same measurement.
  func events(with controller: BluetoothPeripheralController) async -> [BluetoothEvent] {
    room.monitor.remember([frame])
    return await reading(with: controller)
  }

  /// Reads what the monitor keeps.
  func reading(with controller: BluetoothPeripheralController) async -> [BluetoothEvent] {
    controller.startReading(from: .aAndDUA651BLE)
    return await room.events(of: controller)
  }

  /// The identifier of the record by the serial number.
  static func logID() async -> String? {
    let bedside = Bedside()
    let events = await bedside.events(with: bedside.room.controller())
    return events.compactMap(\.record).first?.logID
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Identity of a device` {
  @Test func `is requested again when the device does not answer`() async {
    let bedside = Bedside()
    bedside.information.refuse(serial, times: 2)
    let events = await bedside.events(with: bedside.room.controller())
    let logID = await Bedside.logID()
    #expect(events.compactMap(\.record).map(\.logID) == [logID])
  }

  @Test(arguments: [serial, model, "2A29"])
  func `is required before measurements, which stay on the device until then`(
    fact: String
  ) async throws {
    let bedside = Bedside()
    let offline = try await Offline()
    let controller = bedside.room.controller(session: offline.session)
    bedside.information.refuse(fact, times: 3)
    let events = await bedside.events(with: controller)
    #expect(events.compactMap(\.record) == [])
    let error = try #require(events.compactMap(\.error).first)
    #expect(error.code == .identityUnknown)
    #expect(error.isRetryable)
    #expect(try await offline.session.pendingCount() == 0)

    let later = await bedside.reading(with: controller)
    let logID = await Bedside.logID()
    #expect(later.compactMap(\.record).map(\.logID) == [logID])
    #expect(try await offline.session.pendingCount() == 1)
  }

  @Test func `stays when the device does not report it later`() async throws {
    let bedside = Bedside()
    let offline = try await Offline()
    let first = await bedside.events(with: bedside.room.controller(session: offline.session))
    bedside.information.refuse(serial, times: 1000)
    let later = await bedside.events(with: bedside.room.controller(session: offline.session))
    #expect(later.compactMap(\.error) == [])
    #expect(later.compactMap(\.record).map(\.logID) == first.compactMap(\.record).map(\.logID))
    #expect(later.compactMap(\.record).first?.source.device?.id == "5160400123")
    #expect(try await offline.session.pendingCount() == 1)
  }

  @Test func `stays when new firmware gives the model another name`() async throws {
    let bedside = Bedside()
    let offline = try await Offline()
    let first = await bedside.events(with: bedside.room.controller(session: offline.session))
    bedside.information.rename(model, to: "UA-651BLE Plus")
    let later = await bedside.events(with: bedside.room.controller(session: offline.session))
    #expect(later.compactMap(\.record).map(\.logID) == first.compactMap(\.record).map(\.logID))
    // What it says now is shown.
    #expect(later.compactMap(\.record).first?.source.device?.model == "UA-651BLE Plus")
  }

  @Test func `is this receiver's identifier if there are no facts`() async throws {
    let invention = Invention(driver: { event in
      switch event {
      case .begun: [.subscribe(Invention.values)]
      case .value(_, let bytes): [.deliver(Invention.reading(bytes)), .finish]
      default: []
      }
    }) { input in
      if case .subscribed = input { [.send(Invention.values, [36, 1])] } else { [] }
    }
    let room = Room(invention.model)
    let controller = room.controller()
    controller.startReading(from: invention.peripheral)
    let records = await room.events(of: controller).compactMap(\.record)
    let identifier = room.phone.identifier(of: room.device).uuidString
    #expect(records.map(\.source.device?.id) == [identifier])
  }

  @Test func `has parts that count only together with others`() {
    // Without a serial number it is the System ID that counts, with one it is manufacturer and
    // model.
    for (facts, unread, isLeft) in [
      ([], "2A25", true), ([], "2A23", true), ([], "2A24", false), ([], "2A29", false),
      ([.serialNumber("77")], "2A23", false), ([.serialNumber("77")], "2A24", true),
      ([.serialNumber("77")], "2A29", true),
    ] as [([DeviceInformation], String, Bool)] {
      let outcome = outcome(of: facts, unread: unread)
      #expect((outcome == .identityUnknown) == isLeft, "\(unread) after \(facts)")
    }
  }

  private func outcome(of facts: [DeviceInformation], unread: String) -> BluetoothError.Code? {
    let device = UUID()
    let invention = Invention(driver: { event in
      event == .begun ? facts.map { .fact($0) } + [.unread(GATTAttribute("180A", unread))] : []
    })
    var operation = PeripheralOperation(.read, invention.peripheral, at: .zero)
    for event: PeripheralOperation.Event in [
      .radioChanged(.on), .retrievedConnected([]),
      .discovered(.init(device, name: "Acme", services: ["FFA0"])), .connected(device),
      .servicesDiscovered(["FFA0"]),
      .characteristicsDiscovered(["FFA1", "FFA2"], service: "FFA0"),
      .deviceState(device, DeviceState()),
    ] {
      _ = operation.handle(event, at: .after(1))
    }
    let last = operation.handle(.disconnected(device, nil), at: .after(1)).last
    guard case .report(.ended(.failed(let error)))? = last else { return nil }
    return error.code
  }
}
