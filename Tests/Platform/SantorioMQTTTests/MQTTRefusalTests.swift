// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency
import SantorioMQTT
import TestSupport
import Testing

/// Packets of MQTT 3.1.1 by their first byte.
private enum Packet {
  static let connect: UInt8 = 0x10
  static let publish: UInt8 = 0x32
  static let subscribe: UInt8 = 0x82
  static let accepted: [UInt8] = [0x20, 2, 0, 0]
}

@Suite(.timeLimit(.minutes(15))) struct `MQTT client that is refused` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `tells wrong credentials from right ones`() async throws {
    let line = try MosquittoBroker.passwordFile("anna", "söcret", in: folder)
    let broker = try MosquittoBroker(["allow_anonymous false", line], in: folder)
    var settings = MQTTSettings(broker, "hub")
    #expect(try await MQTTClient.started(settings).failure().code == .credentialsRefused)
    settings.username = "anna"
    settings.password = Array("secret".utf8)
    #expect(try await MQTTClient.started(settings).failure().code == .credentialsRefused)

    settings.password = Array("söcret".utf8)
    let client = MQTTClient.started(settings)

    try await client.connected()
    try await client.publish(MQTTMessage(topic: "a", payload: [1]))
  }

  @Test func `says that a name is unknown`() async throws {
    let settings = MQTTSettings(host: "broker.invalid", clientID: "hub")
    #expect(try await MQTTClient.started(settings).failure().code == .unknownHost)
  }

  @Test func `says that nothing listens`() async throws {
    let broker = try MosquittoBroker(in: folder)
    broker.stop()
    let error = try await MQTTClient.started(MQTTSettings(broker, "hub")).failure()
    #expect(error.code == .unreachable)
    #expect(error.message == "the broker cannot be reached: Connection refused")
  }

  @Test(
    arguments: [
      (1, .protocolRefused), (2, .clientIDRefused), (3, .serverUnavailable),
      (4, .credentialsRefused), (5, .credentialsRefused),
    ] as [(UInt8, MQTTError.Code)])
  func `understands the broker's answer`(_ code: UInt8, _ meaning: MQTTError.Code) async throws {
    let server = try PacketServer { _ in [0x20, 2, 0, code] }
    #expect(
      try await MQTTClient.started(MQTTSettings(port: server.port, "hub")).failure().code == meaning
    )
  }

  // An answer without a body, a packet that MQTT 3.1.1 lacks, and a length without end.
  @Test(arguments: [[0x20, 0], [0xf0, 0], [0x20, 0xff, 0xff, 0xff, 0xff, 0xff]] as [[UInt8]])
  func `says that what answers is no broker`(_ answer: [UInt8]) async throws {
    let server = try PacketServer { _ in answer }
    let error = try await MQTTClient.started(MQTTSettings(port: server.port, "hub")).failure()
    #expect([.protocolRefused, .lost].contains(error.code))
  }

  @Test func `ends the connection to a broker that sends without an end`() async throws {
    // Of 200 MB, according to its header.
    let endless =
      [0x20, 2, 0, 0, 0x30, 0x80, 0x84, 0xaf, 0x5f, 0, 1, 0x61]
      + [UInt8](repeating: 0, count: 4_000_000)
    let server = try PacketServer { _ in endless }
    let error = try await MQTTClient.started(MQTTSettings(port: server.port, "hub")).failure()
    #expect(error.code == .protocolRefused && error.message.contains("256 KiB"))
  }

  @Test func `takes a message of another program, but none of any size`() async throws {
    let folder = try TemporaryFolder()
    let broker = try MosquittoBroker(in: folder)
    let publisher = MQTTClient.started(MQTTSettings(broker, "publisher"))
    try await publisher.connected()
    let watcher = try await Watcher(broker, "a")
    let bytes = [UInt8](repeating: 1, count: 600_000)
    try await publisher.publish(MQTTMessage(topic: "a", payload: Array(bytes.prefix(200_000))))
    #expect(try await watcher.next().payload.count == 200_000)
    try await publisher.publish(MQTTMessage(topic: "a", payload: bytes))
    #expect(try await watcher.failure().code == .protocolRefused)
  }

  @Test(arguments: [nil, MQTTTrust()])
  func `does not wait for an answer for ever`(_ trust: MQTTTrust?) async throws {
    let server = try SilentServer()
    var settings = MQTTSettings(port: Int(server.port), "hub")
    settings.tls = trust
    settings.longestHandshake = .milliseconds(10)
    #expect(try await MQTTClient.started(settings).failure().code == .timedOut)
  }

  @Test func `names the subscriptions that the broker refuses`() async throws {
    let server = try PacketServer { packet in
      guard packet[0] == Packet.subscribe else { return Packet.accepted }
      return [0x90, 3, packet[2], packet[3], packet.last == 1 && packet[6] == 0x62 ? 0x80 : 1]
    }
    var settings = MQTTSettings(port: server.port, "hub")
    settings.subscriptions = ["a", "b"]
    let refused = try await MQTTClient.started(settings).first {
      if case .connected(let refused) = $0 { refused } else { nil }
    }
    #expect(refused == ["b"])
  }

  @Test func `fails a message that was not acknowledged before the end`() async throws {
    let server = try PacketServer { $0[0] == Packet.publish ? nil : Packet.accepted }
    var settings = MQTTSettings(port: server.port, "hub")
    (settings.firstDelay, settings.longestDelay) = (.seconds(3600), .seconds(3600))
    let client = MQTTClient.started(settings)
    try await client.connected()

    let error = await #expect(throws: MQTTError.self) {
      try await client.publish(MQTTMessage(topic: "a", payload: [1]))
    }

    #expect(error?.code == .lost)
  }

  @Test func `does not send again what was not acknowledged`() async throws {
    let packets = Locked<[UInt8]>([])
    let server = try PacketServer { packet in
      let isFirst = packets.withLock { packets in
        // Not the farewell of the client, which is released at the end.
        if packet[0] != 0xe0 { packets.append(packet[0]) }
        return packets.count == 2
      }
      if packet[0] == Packet.connect { return Packet.accepted }
      guard packet[0] == Packet.publish else { return nil }
      // The first message goes under with its connection.
      return isFirst ? nil : [0x40, 2, packet[5], packet[6]]
    }
    let client = MQTTClient.started(MQTTSettings(port: server.port, "hub"))
    try await client.connected()
    await #expect(throws: MQTTError.self) {
      try await client.publish(MQTTMessage(topic: "a", payload: [1]))
    }

    try await client.connected()
    try await client.publish(MQTTMessage(topic: "b", payload: [2]))

    #expect(
      packets.withLock { $0 }
        == [Packet.connect, Packet.publish, Packet.connect, Packet.publish])
  }

  @Test func `stops to wait when the task is cancelled`() async throws {
    let received = AsyncStream.makeStream(of: Void.self)
    let server = try PacketServer { packet in
      guard packet[0] == Packet.publish else { return Packet.accepted }
      received.continuation.yield()
      return []
    }
    let client = MQTTClient.started(MQTTSettings(port: server.port, "hub"))
    try await client.connected()
    let task = Task { try await client.publish(MQTTMessage(topic: "a", payload: [1])) }
    for await _ in received.stream { break }

    task.cancel()

    let error = await #expect(throws: MQTTError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `MQTT client over TLS` {
  let folder: TemporaryFolder
  let server: OpenSSLCertificate

  init() throws {
    folder = try TemporaryFolder()
    server = try OpenSSLCertificate("server", of: "IP:127.0.0.1", in: folder)
  }

  private func broker(
    _ certificate: OpenSSLCertificate? = nil, _ options: [String] = []
  ) throws -> MosquittoBroker {
    let certificate = certificate ?? server
    return try MosquittoBroker(
      [
        "allow_anonymous true", "certfile \(certificate.certificate)", "keyfile \(certificate.key)",
      ] + options, in: folder)
  }

  private func settings(_ broker: MosquittoBroker, _ trust: MQTTTrust) -> MQTTSettings {
    var settings = MQTTSettings(broker, "hub")
    settings.tls = trust
    return settings
  }

  @Test func `publishes to a broker that it trusts`() async throws {
    let broker = try broker()
    let client = MQTTClient.started(settings(broker, MQTTTrust(authorities: server.certificate)))
    try await client.connected()
    try await client.publish(MQTTMessage(topic: "a", payload: [UInt8](repeating: 1, count: 99_999)))
    await client.close()
  }

  @Test func `refuses a broker that the system does not trust`() async throws {
    let broker = try broker()
    #expect(
      try await MQTTClient.started(settings(broker, MQTTTrust())).failure().code == .tlsFailed)
  }

  @Test func `refuses a broker of another authority`() async throws {
    let broker = try broker()
    let other = try OpenSSLCertificate("other", of: "IP:127.0.0.1", in: folder)
    #expect(
      try await MQTTClient.started(settings(broker, MQTTTrust(authorities: other.certificate)))
        .failure()
        .code == .tlsFailed)
  }

  @Test func `refuses a certificate of another name`() async throws {
    let other = try OpenSSLCertificate("other", of: "DNS:broker.example", in: folder)
    let broker = try broker(other)
    #expect(
      try await MQTTClient.started(settings(broker, MQTTTrust(authorities: other.certificate)))
        .failure()
        .code == .tlsFailed)
  }

  @Test func `shows its certificate to a broker that wants one`() async throws {
    let own = try OpenSSLCertificate("client", of: "DNS:hub", in: folder)
    let broker = try broker(nil, ["cafile \(own.certificate)", "require_certificate true"])
    var trust = MQTTTrust(authorities: server.certificate)
    let refusal = try await MQTTClient.started(settings(broker, trust)).failure()
    #expect([.tlsFailed, .lost].contains(refusal.code))

    trust.identity = .init(certificate: own.certificate, key: own.key)
    let client = MQTTClient.started(settings(broker, trust))

    try await client.connected()
  }

  @Test func `names the file that it cannot read`() async throws {
    let broker = try broker()
    let error = try await MQTTClient.started(
      settings(broker, MQTTTrust(authorities: folder.path("missing")))
    ).failure()
    #expect(error.code == .invalidSettings)
    #expect(
      error.message
        == "the file of the authorities' certificates cannot be read: No such file or directory")
  }

  @Test func `does not connect openly to a broker with TLS`() async throws {
    let broker = try broker()
    let error = try await MQTTClient.started(MQTTSettings(broker, "hub")).failure()
    #expect([.lost, .protocolRefused].contains(error.code))
  }
}
