// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioJSON
import SantorioMQTT
import TestSupport
import Testing

@testable import Hub

/// A time of the readings of these tests: 2026-03-01T07:30:00+01:00.
let morning = Date(timeIntervalSince1970: 1_772_346_600)

extension HealthRecord {
  /// A reading of a device, received a minute after it was measured.
  init(
    _ id: String = "r1", at time: Date = morning, of metrics: [Metric],
    kind: RecordKind = .measurement,
    received: Date? = nil
  ) {
    let device = SourceDevice(
      id: "SN-4711", manufacturer: "A&D", model: "UA-651BLE", serialNumber: "SN-4711",
      firmwareRevision: "1.2")
    self.init(
      logID: id, kind: kind,
      time: RecordTime(
        start: time, utcOffsetSeconds: 3600, origin: .deviceCorrected,
        received: received ?? time.addingTimeInterval(60)),
      source: RecordSource(type: .bluetooth, device: device), metrics: metrics)
  }
}

extension HomeAssistantSettings {
  /// Settings for a broker of this machine.
  init(_ broker: MosquittoBroker, hub: String = "ward") {
    self.init(hub: hub, host: "127.0.0.1")
    port = broker.port
    usesTLS = false
  }

  /// A client with short waits.
  func makeClient() -> MQTTClient {
    var settings = client
    settings.firstDelay = .milliseconds(5)
    settings.longestDelay = .milliseconds(20)
    return MQTTClient(settings)
  }
}

extension HomeAssistantPublisher {
  convenience init(_ settings: HomeAssistantSettings) {
    self.init(settings.makeClient(), settings)
  }
}

/// A client that sees what Home Assistant sees: the last message of each topic.
final class HomeAssistantView {
  let client: MQTTClient
  private var events: AsyncStream<MQTTEvent>.AsyncIterator
  private(set) var topics: [String: [UInt8]] = [:]
  /// The topics of all messages, in order.
  private(set) var received: [String] = []

  /// Subscribes to what is under both prefixes.
  init(_ broker: MosquittoBroker, id: String = "home-assistant") async throws {
    var settings = MQTTSettings(host: "127.0.0.1", port: broker.port, clientID: id)
    settings.subscriptions = ["santorio/#", "homeassistant/sensor/#", "end/#"]
    settings.firstDelay = .milliseconds(5)
    settings.longestDelay = .milliseconds(20)
    client = MQTTClient(settings)
    events = client.events().makeAsyncIterator()
    client.start()
    try await connected()
  }

  /// Waits for a connection.
  func connected() async throws {
    while let event = await events.next(isolation: nil) {
      // The broker hands out what it has kept before it answers the subscription.
      if case .message(let message) = event { note(message) }
      if case .connected = event { return }
    }
    throw CancellationError()
  }

  /// Reads messages until a topic has a content, which it may have already.
  func wait(for topic: String, _ content: String) async throws {
    guard text(topic) != content else { return }
    while let event = await events.next(isolation: nil) {
      guard case .message(let message) = event else { continue }
      note(message)
      if message.topic == topic, message.payload == Array(content.utf8) { return }
    }
    throw CancellationError()
  }

  /// Reads messages until the topics are as wanted, which they may be already.
  func wait(until isWanted: ([String: [UInt8]]) -> Bool) async throws {
    while !isWanted(topics) {
      guard let event = await events.next(isolation: nil) else { throw CancellationError() }
      if case .message(let message) = event { note(message) }
    }
  }

  private func note(_ message: MQTTMessage) {
    // A retained message without content takes the one before back.
    topics[message.topic] = message.payload.isEmpty ? nil : message.payload
    received.append(message.topic)
  }

  /// Reads all messages that the broker has handed out so far.
  func catchUp() async throws {
    let mark = UUID().uuidString
    try await client.publish(MQTTMessage(topic: "end/mark", payload: Array(mark.utf8)))
    try await wait(for: "end/mark", mark)
  }

  /// Forgets what it has seen.
  func forget() {
    topics = [:]
    received = []
  }

  /// The content of a topic's message.
  func json(_ topic: String) throws -> JSONValue {
    try JSONParser.parse(#require(topics[topic], "nothing under \(topic)"))
  }

  func text(_ topic: String) -> String? {
    topics[topic].map { String(decoding: $0, as: UTF8.self) }
  }
}

extension JSONValue {
  /// The members of an object in their order, their names only.
  var names: [String] {
    guard case .object(let members) = self else { return [] }
    return members.map(\.name)
  }
}
