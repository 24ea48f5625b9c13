// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioJSON
import TestSupport
import Testing

@testable import Hub
@testable import SantorioMQTT

/// A patient with some devices.
private func anna(_ devices: String...) -> [String: ShownPatient] {
  ["anna": ShownPatient("ward/u1", devices: Set(devices))]
}

private let record = HealthRecord(of: [Metric(.systolic, 120), Metric(.pulse, 60)])
private let folder = "santorio/ward/anna/cuff"
private let node = "homeassistant/sensor/santorio--ward--anna--cuff"

@Suite(.timeLimit(.minutes(15))) struct `What is shown of devices in Home Assistant` {
  let storage: TemporaryFolder
  let broker: MosquittoBroker

  init() throws {
    storage = try TemporaryFolder()
    broker = try MosquittoBroker(in: storage)
  }

  /// Leaves with the broker what a run shows that has these patients.
  private func leave(_ patients: [String: ShownPatient]) async throws {
    let publisher = HomeAssistantPublisher(HomeAssistantSettings(broker), patients: patients)
    for (alias, patient) in patients {
      for device in patient.devices { publisher.publish(record, patient: alias, device: device) }
    }
    try await sent(publisher)
    await publisher.close()
  }

  private func isShown(_ device: String, in topics: [String: [UInt8]]) -> Bool {
    topics.keys.contains { $0.contains("anna/\(device)/") || $0.contains("anna--\(device)/") }
  }

  // MARK: - Devices that are a patient's no more

  @Test func `is taken back by the next run when a device was forgotten in between`() async throws {
    try await leave(anna("cuff", "scale"))
    let view = try await HomeAssistantView(broker)
    try await view.catchUp()
    #expect(isShown("cuff", in: view.topics) && isShown("scale", in: view.topics))

    let next = HomeAssistantPublisher(HomeAssistantSettings(broker), patients: anna("scale"))
    try await view.wait(until: { !isShown("cuff", in: $0) })
    try await sent(next)
    try await view.catchUp()
    #expect(isShown("scale", in: view.topics))
    #expect(view.text("santorio/ward/anna/scale/availability") == "online")
  }

  @Test func `is taken back when a device is forgotten before the first connection`() async throws {
    try await leave(anna("cuff", "scale"))
    let view = try await HomeAssistantView(broker)
    try await view.catchUp()
    let next = HomeAssistantPublisher(
      HomeAssistantSettings(broker), patients: anna("cuff", "scale"))
    next.setAssignments(anna("scale"))
    try await view.wait(until: { !isShown("cuff", in: $0) })
    try await sent(next)
  }

  @Test func `moves with a device to another patient`() async throws {
    var patients = anna("cuff")
    patients["bert"] = ShownPatient("ward/u2", devices: [])
    let publisher = HomeAssistantPublisher(HomeAssistantSettings(broker), patients: patients)
    #expect(publisher.publish(record, patient: "anna", device: "cuff") == .shown(values: 2))
    publisher.setAssignments([
      "anna": ShownPatient("ward/u1", devices: []),
      "bert": ShownPatient("ward/u2", devices: ["cuff"]),
    ])
    // One that arrives late of the former patient does not come back.
    #expect(publisher.publish(record, patient: "anna", device: "cuff") == .withheld)
    #expect(
      publisher.publish(batteryPercent: 9, of: SensorDevice(name: "cuff"), patient: "anna")
        == .withheld)
    publisher.setAvailability(true, of: "cuff", patient: "anna")
    #expect(publisher.publish(record, patient: "bert", device: "cuff") == .shown(values: 2))
    try await sent(publisher)

    let view = try await HomeAssistantView(broker)
    try await view.catchUp()
    #expect(!isShown("cuff", in: view.topics))
    #expect(view.topics.keys.contains("santorio/ward/bert/cuff/pulse/state"))
    #expect(view.text("santorio/ward/bert/cuff/availability") == "online")
  }

  @Test func `has no availability without a value`() async throws {
    try await leave(anna("cuff"))
    let view = try await HomeAssistantView(broker)
    let left = ["anna/scale", "anna/gone", "nobody/cuff"].map { "santorio/ward/\($0)/availability" }
    for topic in left {
      try await view.client.publish(
        MQTTMessage(topic: topic, payload: Array("online".utf8), isRetained: true))
    }
    try await view.catchUp()
    #expect(view.topics.keys.filter { left.contains($0) }.count == 3)

    let next = HomeAssistantPublisher(
      HomeAssistantSettings(broker), patients: anna("cuff", "scale"))
    try await view.wait(until: { $0.keys.allSatisfy { !left.contains($0) } })
    try await sent(next)
    try await view.catchUp()
    #expect(view.text("\(folder)/availability") == "online")
    #expect(view.text("santorio/ward/availability") == "online")
  }

  // MARK: - The order, and how much

  /// Takes all that is to be sent, as acknowledged.
  private func drain(_ outgoing: OutgoingTopics, _ place: DevicePlace) -> [String] {
    outgoing.update(place) { retained, _ in
      var topics: [String] = []
      while let next = retained.next() {
        topics.append("\(next.topic)\(next.payload.isEmpty ? " withdrawn" : "")")
        retained.settle(next.topic, change: next.change)
      }
      return topics
    } ?? []
  }

  @Test(arguments: [true, false])
  func `goes before the state by which it is found`(isSent: Bool) {
    let settings = HomeAssistantSettings(hub: "ward", host: "x")
    let topics = HomeAssistantTopics(settings)
    let (place, other) = (
      DevicePlace("cuff", patient: "anna"), DevicePlace("cuff", patient: "bert")
    )
    let places = ["anna", "bert"].map { ($0, ShownPlaces(owner: "o", devices: ["cuff"])) }
    let outgoing = OutgoingTopics(Dictionary(uniqueKeysWithValues: places))
    let state = RetainedTopics.Content.state(milliseconds: 1, record: nil, owner: "o")
    _ = outgoing.update(place) { retained, _ in
      // Also where the state was to be sent before what follows it.
      _ = retained.set("\(folder)/pulse/state", state, [0x31])
      _ = retained.set(topics.availability(place), .availability, [0x31])
      _ = retained.set("\(node)/pulse/config", .discovery, [0x31])
    }
    if isSent { _ = drain(outgoing, other) }
    outgoing.setPlaces(["bert": places[1].1], topics)
    #expect(
      drain(outgoing, other) == [
        "\(node)/pulse/config withdrawn", "\(folder)/availability withdrawn",
        "\(folder)/pulse/state withdrawn",
      ])
  }

  @Test func `keeps the rest of a device of which one value is another patient's`() {
    let topics = HomeAssistantTopics(HomeAssistantSettings(hub: "ward", host: "x"))
    let place = DevicePlace("cuff", patient: "anna")
    let outgoing = OutgoingTopics(["anna": ShownPlaces(owner: "o", devices: ["cuff"])])
    for (metric, owner) in [("systolic", "former"), ("pulse", "o")] {
      let text = #"{"time":"2026-03-01T07:30:00+01:00","owner":"\#(owner)"}"#
      outgoing.handle(
        .message(
          MQTTMessage(
            topic: "\(folder)/\(metric)/state", payload: Array(text.utf8), isRetained: true)),
        topics)
    }
    outgoing.handle(
      .message(
        MQTTMessage(
          topic: "\(folder)/availability", payload: Array("online".utf8), isRetained: true)),
      topics)
    #expect(
      drain(outgoing, place) == [
        "\(node)/systolic/config withdrawn", "\(folder)/systolic/state withdrawn",
      ])
  }

  @Test func `does not grow by what others leave with the broker`() {
    let topics = HomeAssistantTopics(HomeAssistantSettings(hub: "ward", host: "x"))
    let place = DevicePlace("cuff", patient: "anna")
    let outgoing = OutgoingTopics(["anna": ShownPlaces(owner: "o", devices: ["cuff"])])
    let payload = Array(#"{"time":"2026-03-01T07:30:00+01:00","owner":"o"}"#.utf8)
    func receive(_ topic: String) {
      outgoing.handle(
        .message(MQTTMessage(topic: topic, payload: payload, isRetained: true)), topics)
    }
    for number in 0..<100 { receive("\(folder)/m\(number)/state") }
    // As many as a device may have are taken over, the others are taken back.
    let known = outgoing.update(place) { retained, _ in retained.states.count }
    #expect(known == OutgoingTopics.adoptedPerDevice)
    for number in 0..<20_000 { receive("santorio/ward/x\(number)/y/z/state") }
    let count = outgoing.update(place) { retained, _ in retained.count } ?? .max
    #expect(count <= OutgoingTopics.withdrawnAtOnce + OutgoingTopics.adoptedPerDevice + 2)
    // What was left is taken back when it is handed out the next time.
    #expect(drain(outgoing, place).count > 15_000)
    receive("santorio/ward/x19999/y/z/state")
    #expect(drain(outgoing, place).last == "santorio/ward/x19999/y/z/state withdrawn")
  }

  // MARK: - The end

  @Test func `does not wait for long for a broker that hangs`() async throws {
    let hung = try HungBroker()
    var settings = HomeAssistantSettings(hub: "ward", host: "127.0.0.1")
    (settings.port, settings.usesTLS, settings.expiry) = (hung.port, false, .max)
    let clock = ManualClock()
    let publisher = HomeAssistantPublisher(settings, clock: clock)
    publisher.publish(record, patient: "anna", device: "cuff")
    await hung.receives("\(node)/systolic/config")

    async let isSent = publisher.close()
    #expect(await clock.sleepBegins { $0 == .seconds(5) } != nil)
    clock.advance(by: .seconds(5))

    #expect(await isSent == false)
    #expect(await publisher.flush() == false)
  }

  @Test func `is all taken back when the hub leaves the broker`() async throws {
    let publisher = HomeAssistantPublisher(HomeAssistantSettings(broker))
    publisher.publish(record, patient: "anna", device: "cuff")
    try await sent(publisher)
    let view = try await HomeAssistantView(broker)
    try await view.catchUp()
    #expect(view.topics.count == 7)
    #expect(await publisher.close(isLeaving: true))
    try await view.catchUp()
    #expect(Set(view.topics.keys) == ["end/mark", "santorio/ward/availability"])
    #expect(view.text("santorio/ward/availability") == "offline")
  }

  @Test func `is at another place with another broker or other topics only`() {
    let settings = HomeAssistantSettings(hub: "ward", host: "x")
    var other = settings
    (other.username, other.password, other.caFile) = ("u", [1], "/ca")
    #expect(settings.hasSameTopics(as: other) && settings != other)
    for change in [\HomeAssistantSettings.host, \.prefix, \.discoveryPrefix, \.hub] {
      var other = settings
      other[keyPath: change] = "other"
      #expect(!settings.hasSameTopics(as: other))
    }
    other.port = 1883
    #expect(!settings.hasSameTopics(as: other))
  }

  // MARK: - What is said of the broker

  @Test func `is told of once when the broker is lost`() {
    let lost = MQTTError(.lost, "the connection was lost: The connection was lost.")
    let refused = MQTTError(.unreachable, "the broker cannot be reached: Connection refused")
    var part = HubStatus.Part.awaitedBroker
    #expect(part.note(.disconnected(refused)) == .unreachable(reason: "unreachable"))
    #expect(part.text == "the broker cannot be reached: Connection refused")
    #expect(part.note(.disconnected(refused)) == nil)
    #expect(part.note(.connected(refusedSubscriptions: [])) == .connected)
    #expect(part == HubStatus.Part(works: true, "connected"))
    #expect(part.note(.message(MQTTMessage(topic: "a", payload: []))) == nil)
    #expect(part.note(.disconnected(lost)) == .lost(reason: "lost"))
    #expect(part == HubStatus.Part(works: false, "the connection was lost"))
    #expect(part.note(.disconnected(refused)) == nil)
    #expect(part.note(.connected(refusedSubscriptions: [])) == .connected)
    #expect(part.note(.disconnected(lost)) == .lost(reason: "lost"))
    _ = part.note(.connected(refusedSubscriptions: []))
    #expect(part.note(.disconnected(MQTTError(.closed, "the client was closed"))) == nil)
  }
}
