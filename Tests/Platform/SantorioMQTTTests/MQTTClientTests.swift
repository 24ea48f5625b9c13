// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency
import SantorioMQTT
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct `MQTT client` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `publishes a message that a later subscriber reads`() async throws {
    let broker = try MosquittoBroker(in: folder)
    let client = MQTTClient.started(MQTTSettings(broker, "publisher"))
    try await client.connected()

    let message = MQTTMessage(topic: "a/b", payload: [0, 255, 10], isRetained: true)
    try await client.publish(message)
    try await client.publish(MQTTMessage(topic: "a/c", payload: [1]))

    let watcher = try await Watcher(broker, "a/#")
    #expect(try await watcher.next() == message)
  }

  @Test func `delivers messages as they come, with QoS 1`() async throws {
    let broker = try MosquittoBroker(in: folder)
    let watcher = try await Watcher(broker, "x/+")
    let client = MQTTClient.started(MQTTSettings(broker, "publisher"))
    try await client.connected()

    for number in UInt8(0)..<50 {
      try await client.publish(MQTTMessage(topic: "x/\(number)", payload: [number]))
    }

    for number in UInt8(0)..<50 {
      #expect(
        try await watcher.next() == MQTTMessage(topic: "x/\(number)", payload: [number]))
    }
    #expect(broker.logText.contains("Received PUBLISH from publisher (d0, q1, r0, m1, 'x/0'"))
  }

  @Test func `acknowledges many messages at once`() async throws {
    let broker = try MosquittoBroker(in: folder)
    let client = MQTTClient.started(MQTTSettings(broker, "publisher"))
    try await client.connected()

    try await withThrowingTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          try await client.publish(
            MQTTMessage(topic: "many/\(number)", payload: [1], isRetained: true))
        }
      }
      try await group.waitForAll()
    }

    let watcher = try await Watcher(broker, "many/+")
    var topics: Set<String> = []
    for _ in 0..<200 { topics.insert(try await watcher.next().topic) }
    #expect(topics.count == 200)
  }

  @Test(arguments: ["", "a/+", "#", "a\0b", String(repeating: "a", count: 65_536)])
  func `refuses a topic that none can have`(_ topic: String) async throws {
    let broker = try MosquittoBroker(in: folder)
    let client = MQTTClient.started(MQTTSettings(broker, "publisher"))
    try await client.connected()

    let error = await #expect(throws: MQTTError.self) {
      try await client.publish(MQTTMessage(topic: topic, payload: []))
    }

    #expect(error?.code == .invalidMessage)
    try await client.publish(MQTTMessage(topic: "good", payload: []))
  }

  @Test func `says that it is online, and offline when it is closed`() async throws {
    let broker = try MosquittoBroker(in: folder)
    let watcher = try await Watcher(broker, "presence")
    var settings = MQTTSettings(broker, "hub")
    settings.presence = MQTTPresence(topic: "presence")
    let client = MQTTClient.started(settings)
    #expect(try await watcher.next().payload == Array("online".utf8))

    await client.close()

    #expect(try await watcher.next().payload == Array("offline".utf8))
    let late = try await Watcher(broker, "presence", id: "late")
    #expect(
      try await late.next()
        == MQTTMessage(topic: "presence", payload: Array("offline".utf8), isRetained: true))
    #expect(broker.logText.contains("Received DISCONNECT from hub"))
    let error = await #expect(throws: MQTTError.self) {
      try await client.publish(MQTTMessage(topic: "a", payload: []))
    }
    #expect(error?.code == .closed)
    // The stream of a closed client ends.
    for await _ in client.events() {}
  }

  @Test func `ends in good order when it is released`() async throws {
    let broker = try MosquittoBroker(in: folder)
    let watcher = try await Watcher(broker, "presence")
    var settings = MQTTSettings(broker, "hub")
    settings.presence = MQTTPresence(topic: "presence")
    do {
      let client = MQTTClient.started(settings)
      try await client.connected()
      #expect(try await watcher.next().payload == Array("online".utf8))
    }
    #expect(try await watcher.next().payload == Array("offline".utf8))
  }

  @Test func `leaves its last will when the connection is lost`() async throws {
    let broker = try MosquittoBroker(in: folder)
    let watcher = try await Watcher(broker, "presence")
    var settings = MQTTSettings(broker, "hub")
    settings.presence = MQTTPresence(topic: "presence")
    (settings.firstDelay, settings.longestDelay) = (.seconds(3600), .seconds(3600))
    let client = MQTTClient.started(settings)
    #expect(try await watcher.next().payload == Array("online".utf8))
    try await client.connected()

    // The broker ends the connection of the first client of a name when a second one comes.
    let other = MQTTClient.started(MQTTSettings(broker, "hub"))
    try await other.connected()

    #expect(try await watcher.next().payload == Array("offline".utf8))
    #expect(try await client.failure().code == .lost)
  }

  @Test func `connects again after the broker was killed`() async throws {
    let broker = try MosquittoBroker(in: folder)
    var settings = MQTTSettings(broker, "hub")
    settings.presence = MQTTPresence(topic: "presence")
    settings.subscriptions = ["news"]
    let client = MQTTClient.started(settings)
    try await client.connected()

    broker.stop()
    #expect([.lost, .unreachable].contains(try await client.failure().code))
    try broker.restart()
    try await client.connected()

    let watcher = try await Watcher(broker, "presence")
    #expect(try await watcher.next().payload == Array("online".utf8))
    let events = client.events()
    try await client.publish(MQTTMessage(topic: "news", payload: [7]))
    for await event in events {
      guard case .message(let message) = event else { continue }
      #expect(message == MQTTMessage(topic: "news", payload: [7]))
      break
    }
  }

  @Test func `is closed at once when it was not started`() async throws {
    let client = MQTTClient(MQTTSettings(port: 1, "hub"))
    let events = client.events()
    await client.close()
    for await _ in events {}
    client.start()
    await #expect(throws: MQTTError.self) {
      try await client.publish(MQTTMessage(topic: "a", payload: []))
    }
  }

  @Test func `publishes nothing without a connection`() async throws {
    let broker = try MosquittoBroker(in: folder)
    let client = MQTTClient.started(MQTTSettings(broker, "hub"))
    try await client.connected()
    broker.stop()
    _ = try await client.failure()

    let error = await #expect(throws: MQTTError.self) {
      try await client.publish(MQTTMessage(topic: "a", payload: []))
    }

    #expect(error?.code == .notConnected)
    await client.close()
  }
}
