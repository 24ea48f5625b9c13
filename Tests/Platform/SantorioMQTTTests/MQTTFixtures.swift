// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioMQTT
import TestSupport
import Testing

extension MQTTSettings {
  /// Settings for a broker of this machine, with short waits.
  init(_ broker: MosquittoBroker, _ clientID: String) {
    self.init(port: broker.port, clientID)
  }

  init(port: Int, _ clientID: String) {
    self.init(host: "127.0.0.1", port: port, clientID: clientID)
    firstDelay = .milliseconds(5)
    longestDelay = .milliseconds(20)
  }
}

extension MQTTClient {
  /// Makes a client that connects.
  static func started(_ settings: MQTTSettings) -> MQTTClient {
    let client = MQTTClient(settings)
    client.start()
    return client
  }

  /// Waits for an event that meets a condition, among those from the present state on.
  func first<Value: Sendable>(_ value: @Sendable (MQTTEvent) -> Value?) async throws -> Value {
    for await event in events() {
      if let value = value(event) { return value }
    }
    throw CancellationError()
  }

  /// Waits until there is a connection.
  func connected() async throws {
    _ = try await first { if case .connected = $0 { true } else { nil } }
  }

  /// Waits for the next reason why there is no connection.
  func failure() async throws -> MQTTError {
    try await first { if case .disconnected(let error) = $0 { error } else { nil } }
  }
}

/// A client that takes notes of the messages of some topics.
final class Watcher {
  private let client: MQTTClient
  private var events: AsyncStream<MQTTEvent>.AsyncIterator
  /// What came before the broker's last answer.
  private var early: [MQTTMessage] = []

  /// Connects, and returns when it has subscribed.
  init(_ broker: MosquittoBroker, _ filters: String..., id: String = "watcher") async throws {
    var settings = MQTTSettings(broker, id)
    settings.subscriptions = filters
    client = MQTTClient(settings)
    events = client.events().makeAsyncIterator()
    client.start()
    while let event = await events.next(isolation: nil) {
      if case .connected = event { return }
      if case .message(let message) = event { early.append(message) }
    }
    throw CancellationError()
  }

  /// Waits for the next message.
  func next() async throws -> MQTTMessage {
    guard early.isEmpty else { return early.removeFirst() }
    while let event = await events.next(isolation: nil) {
      if case .message(let message) = event { return message }
    }
    throw CancellationError()
  }

  /// Waits until the connection is lost.
  func failure() async throws -> MQTTError {
    while let event = await events.next(isolation: nil) {
      if case .disconnected(let error) = event { return error }
    }
    throw CancellationError()
  }
}

/// A server that says to each packet what a test wants, on one connection after the other.
final class PacketServer: Sendable {
  let port: Int
  private let listener: Int32

  /// Answers packets, each with its header of two bytes, until `answer` is nil.
  init(_ answer: @escaping @Sendable (_ packet: [UInt8]) -> [UInt8]?) throws {
    let (listener, port) = try FaultServer.listeningSocket()
    (self.listener, self.port) = (listener, Int(port))
    Thread {
      while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
        Self.serve(descriptor, answer)
        close(descriptor)
      }
      close(listener)
    }.start()
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func serve(_ descriptor: Int32, _ answer: ([UInt8]) -> [UInt8]?) {
    while let header = read(descriptor, 2), let body = read(descriptor, Int(header[1])),
      let bytes = answer(header + body)
    {
      _ = unsafe send(descriptor, bytes, bytes.count, 0x4000)
    }
  }

  private static func read(_ descriptor: Int32, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    guard count > 0 else { return bytes }
    return unsafe recv(descriptor, &bytes, count, 0x100) == count ? bytes : nil
  }
}
