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
    // Most readings of these tests are of one morning.
    expiry = 100 * 365 * 86_400
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
  convenience init(
    _ settings: HomeAssistantSettings, patients: [String: ShownPatient]? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(settings.makeClient(), settings, patients: patients, clock: clock, now: now)
  }
}

/// Waits until the broker has acknowledged all, over the connection that has yet to come.
func sent(_ publisher: HomeAssistantPublisher) async throws {
  for _ in 0..<100_000 where await publisher.flush() { return }
  Issue.record("not all was sent")
}

/// A broker that accepts a client and its subscriptions, and acknowledges nothing.
final class HungBroker: Sendable {
  let port: Int
  private let listener: Int32
  private let arrived = AsyncStream<String>.makeStream()

  init() throws {
    let (listener, port) = try FaultServer.listeningSocket()
    (self.listener, self.port) = (listener, Int(port))
    let arrived = arrived.continuation
    Thread {
      while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
        Self.serve(descriptor, arrived)
        close(descriptor)
      }
      close(listener)
    }.start()
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Waits until a client has published to a topic.
  func receives(_ topic: String) async {
    for await text in arrived.stream where text.contains(topic) { return }
  }

  /// Answers packets until the client says that it is offline; then a real wait would begin.
  private static func serve(
    _ descriptor: Int32, _ arrived: AsyncStream<String>.Continuation
  ) {
    while let first = read(descriptor, 1)?.first, let length = readLength(descriptor),
      let body = read(descriptor, length)
    {
      var answer: [UInt8] = []
      if first == 0x10 { answer = [0x20, 2, 0, 0] }
      if first == 0x82 { answer = [0x90, 3, body[0], body[1], 1] }
      if first & 0xf0 == 0x30 {
        let text = String(decoding: body, as: UTF8.self)
        arrived.yield(text)
        if text.hasSuffix("offline") { return }
      }
      _ = unsafe send(descriptor, answer, answer.count, 0x4000)
    }
  }

  private static func readLength(_ descriptor: Int32) -> Int? {
    var (length, shift) = (0, 0)
    while let byte = read(descriptor, 1)?.first, shift <= 21 {
      length |= Int(byte & 0x7f) << shift
      if byte & 0x80 == 0 { return length }
      shift += 7
    }
    return nil
  }

  private static func read(_ descriptor: Int32, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    guard count > 0 else { return bytes }
    return unsafe recv(descriptor, &bytes, count, 0x100) == count ? bytes : nil
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
