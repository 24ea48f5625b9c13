// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioJSON
import TestSupport
import Testing
import VirtualDevices

@testable import Hub

private let cuff = 2

@Suite(.timeLimit(.minutes(15))) struct `A gateway that shows readings in Home Assistant` {
  let room: HubRoom
  let storage: TemporaryFolder
  let broker: MosquittoBroker

  init() throws {
    room = try HubRoom()
    storage = try TemporaryFolder()
    let passwords = try MosquittoBroker.passwordFile("hub", "right", in: storage)
    broker = try MosquittoBroker(["allow_anonymous true", passwords], in: storage)
  }

  /// The member of the configuration for the broker.
  private func mqtt(_ more: String = "") -> String {
    ", \"mqtt\": {\"server\": \"mqtt://127.0.0.1:\(broker.port)\"\(more)}"
  }

  private func started(_ text: String) async throws -> HubGateway {
    let gateway = try room.gateway(text)
    await gateway.start()
    await gateway.connectBroker()
    return gateway
  }

  /// Measures once, and waits until it is shown of the first patient.
  private func show(
    _ device: RoomDevice, in gateway: HubGateway, _ view: HomeAssistantView
  ) async throws {
    device.device.measure(
      VirtualMeasurement(.bloodPressure(systolic: 121, diastolic: 80, pulse: 70)))
    #expect(
      try await room.advance(gateway) {
        try await view.catchUp()
        return isShown(view.topics)
      })
  }

  private func isShown(_ topics: [String: [UInt8]]) -> Bool {
    topics.keys.contains { $0.contains("bed-1") }
  }

  @Test func `shows what a device sends while it is paired`() async throws {
    let device = room.device(.ua651BLE())
    let view = try await HomeAssistantView(broker)
    let gateway = try await started(room.text(more: mqtt()))
    try await room.enroll(device, for: "bed-1", takingMemory: true, in: gateway)
    #expect(await gateway.publisher?.flush() == true)
    try await view.catchUp()
    #expect(isShown(view.topics))
    await room.stop(gateway)
  }

  @Test func `takes back what it shows of a device that was forgotten without a broker`()
    async throws
  {
    let device = room.device(.ua651BLE(memory: []))
    let view = try await HomeAssistantView(broker)
    var gateway = try await started(room.text(more: mqtt()))
    try await room.enroll(device, for: "bed-1", in: gateway)
    try await show(device, in: gateway, view)
    await room.stop(gateway)

    gateway = try await started(room.text())
    #expect(
      await gateway.ask(.forget(device.identifier, patient: nil))
        == .forgotten(patients: ["bed-1"]))
    await room.stop(gateway)
    try await view.catchUp()
    #expect(isShown(view.topics))

    gateway = try await started(room.text(more: mqtt()))
    try await view.wait(until: { !isShown($0) })
    await room.stop(gateway)
  }

  @Test func `takes back what it shows of a device that is another patient's now`() async throws {
    let device = room.device(.ua651BLE(memory: []))
    let view = try await HomeAssistantView(broker)
    let gateway = try await started(
      room.text([("bed-1", device.entry(cuff)), ("bed-2", "")], more: mqtt()))
    try await room.enroll(device, for: "bed-1", in: gateway)
    try await show(device, in: gateway, view)

    try room.write(room.text([("bed-1", ""), ("bed-2", device.entry(cuff))], more: mqtt()))
    let reload = try await room.whilePassing(gateway) { await gateway.reload() }
    #expect(reload.isInUse, "\(reload.findings)")
    try await view.wait(until: { !isShown($0) })
    await room.advance(gateway, by: 20)
    try await view.catchUp()
    #expect(!isShown(view.topics))
    await room.stop(gateway)
  }

  @Test func `takes back what it shows under another topic`() async throws {
    let device = room.device(.ua651BLE(memory: []))
    let view = try await HomeAssistantView(broker)
    let gateway = try await started(room.text(more: mqtt()))
    try await room.enroll(device, for: "bed-1", in: gateway)
    try await show(device, in: gateway, view)

    try room.write(room.text(more: mqtt(", \"topic\": \"santorio/new\"")))
    let reload = try await room.whilePassing(gateway) { await gateway.reload() }
    #expect(reload.changes == ["changed: mqtt"])
    try await view.wait(for: "santorio/new/test/availability", "online")
    #expect(!isShown(view.topics))
    await room.stop(gateway)
  }

  @Test func `shows two devices of a patient apart that say the same of who they are`()
    async throws
  {
    let devices = [room.device(.ua651BLE(memory: [])), room.device(.ua651BLE(memory: []))]
    let view = try await HomeAssistantView(broker)
    var gateway = try await started(room.text(more: mqtt()))
    for device in devices { try await room.enroll(device, for: "bed-1", in: gateway) }
    for round in 0..<2 {
      for (index, device) in devices.enumerated() {
        let value = 121 + 10 * round + index
        device.device.measure(pressure(value))
        #expect(
          try await room.advance(gateway) {
            try await view.catchUp()
            return try shown(view).values.contains(Double(value))
          })
      }
      #expect(try shown(view).values.sorted() == [121, 122].map { $0 + 10 * Double(round) })
      await room.stop(gateway)
      if round == 0 { gateway = try await started(room.text(more: mqtt())) }
    }
  }

  @Test func `says that another hub of its name is at the broker`() async throws {
    let view = try await HomeAssistantView(broker)
    let gateway = try await started(room.text(more: mqtt()))
    try await view.wait(for: "santorio/test/availability", "online")
    #expect(gateway.memory.current.installation != nil)
    var settings = HomeAssistantSettings(broker, hub: "test")
    settings.installation = "another"
    let other = HomeAssistantPublisher(settings)
    while await gateway.publisher?.hasNamesake != true { try await view.catchUp() }
    let part = await gateway.status().mqtt
    #expect(part?.works == false)
    #expect(part?.text.hasPrefix("another hub has this name") == true)
    await gateway.update()
    #expect(await gateway.isNamesakeWarned)
    await other.close()
    await room.stop(gateway)
  }

  /// The systolic pressures, by the identifiers of the devices.
  private func shown(_ view: HomeAssistantView) throws -> [String: Double] {
    var shown: [String: Double] = [:]
    for topic in view.topics.keys where topic.hasSuffix("/systolic/config") {
      let config = try view.json(topic)
      guard case .array(let identifiers)? = config["device"]?["identifiers"],
        case .string(let identifier)? = identifiers.first,
        case .string(let state)? = config["state_topic"], view.topics[state] != nil,
        case .number(let value)? = try view.json(state)["value"]
      else { continue }
      shown[identifier] = value
    }
    return shown
  }

  @Test(arguments: [nil, "wrong"])
  func `connects with a password that was replaced`(_ first: String?) async throws {
    let path = room.folder.path("broker.password")
    if let first { try HubRoom.write(first, to: path) }
    let view = try await HomeAssistantView(broker)
    let gateway = try await started(
      room.text(more: mqtt(", \"user\": \"hub\", \"password\": {\"file\": \"\(path)\"}")))
    #expect(await gateway.status().mqtt?.works == false)
    try HubRoom.write("right", to: path)

    let reload = try await room.whilePassing(gateway) { await gateway.reload() }

    try #require(reload.changes == ["mqtt: connects anew, with the password that is there now"])
    try await view.wait(for: "santorio/test/availability", "online")
    let again = try await room.whilePassing(gateway) { await gateway.reload() }
    #expect(again.changes.isEmpty)
    await room.stop(gateway)
  }
}
