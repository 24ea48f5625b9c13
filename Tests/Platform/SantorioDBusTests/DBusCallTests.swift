// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SantorioConcurrency
import SantorioDBus
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct `D-Bus call` {
  private static var impossible: [DBusCall] {
    [
      DBusCall("no name", "/", "org.example.Echo", "Echo"),
      DBusCall("", "/", "org.example.Echo", "Echo"),
      DBusCall("org.example", "no/path", "org.example.Echo", "Echo"),
      DBusCall("org.example", "/", "no interface", "Echo"),
      DBusCall("org.example", "/", "org.example.Echo", "no.member"),
      DBusCall("org.example\0", "/", "org.example.Echo", "Echo"),
      DBusCall("org.example", "/", "org.example.Echo", "Echo", .string("a\0b")),
      DBusCall("org.example", "/", "org.example.Echo", "Echo", .objectPath("")),
      DBusCall("org.example", "/", "org.example.Echo", "Echo", .signature("a")),
      DBusCall("org.example", "/", "org.example.Echo", "Echo", .array([.byte(1)], of: "s")),
      DBusCall("org.example", "/", "org.example.Echo", "Echo", .array([], of: "")),
      DBusCall("org.example", "/", "org.example.Echo", "Echo", .array([], of: "s\0")),
      DBusCall("org.example", "/", "org.example.Echo", "Echo", .structure([])),
      DBusCall("org.example", "/", "org.example.Echo", "Echo", .variant(.structure([]))),
      DBusCall(
        "org.example", "/", "org.example.Echo", "Echo",
        .dictionary([.variant(.byte(1)): .byte(1)], key: "v", value: "y")),
      DBusCall(
        "org.example", "/", "org.example.Echo", "Echo",
        .dictionary([.string("a"): .string("b")], key: "s", value: "v")),
      DBusCall(
        "org.example", "/", "org.example.Echo", "Echo",
        (0..<65).reduce(.byte(1)) { value, _ in .variant(value) }),
      DBusCall("org.example", "/", "org.example.Echo", "Echo", .bytes(Data(count: 70 << 20))),
      DBusCall(
        "org.example", "/", "org.example.Echo", "Echo",
        .string(String(repeating: "s", count: 33 << 20))),
      DBusCall(
        "org.example", "/", "org.example.Echo", "Echo",
        .fileDescriptor(DBusFileDescriptor(-1))),
    ]
  }

  @Test func `that cannot be sent fails, and the connection continues`() async throws {
    let daemon = try BusDaemon()
    let client = try await BusClient(daemon)
    for (index, call) in Self.impossible.enumerated() {
      let answer = await client.call(call)
      #expect(answer.errorName != nil, "\(index)")
      #expect(answer.errorName != DBusError.disconnected, "\(index)")
      #expect(answer.errorName != DBusError.serviceUnknown, "\(index)")
      try await client.use { $0.send(call) }
    }
    #expect(try await client.ask("GetId").count == 1)
  }

  @Test func `is answered once, with the first answer`() async throws {
    let daemon = try BusDaemon()
    let (service, client) = try await (BusClient(daemon), BusClient(daemon))
    let registration = try await service.publish(.echo)

    #expect(await client.call(.echo(service, "Twice")) == .success([.string("first")]))
    #expect(
      await client.call(.echo(service, "Fail"))
        == .failure(DBusError(name: "org.example.Error.Full", message: "No room.")))
    #expect(await client.call(.echo(service, "FailBadly")).errorName == DBusError.failed)
    #expect(await client.call(.echo(service, "AnswerBadly")).errorName == DBusError.failed)
    #expect(await client.call(.echo(service, "Forget")).errorName == DBusError.noReply)
    registration.cancel()
  }

  @Test func `ends at its timeout while others continue`() async throws {
    let daemon = try BusDaemon()
    let (service, client) = try await (BusClient(daemon), BusClient(daemon))
    let kept = Locked<[DBusIncomingCall]>([])
    let registration = try await service.publish(
      .echo,
      DBusInterface(
        name: "org.example.Slow", methods: ["Wait": { call in kept.withLock { $0.append(call) } }]))
    let wait = DBusCall(service.connection.uniqueName, "/echo", "org.example.Slow", "Wait")

    async let long = client.call(wait, timeout: .seconds(3_000_000_000_000))
    let short = await client.call(wait, timeout: .milliseconds(20))
    let shortest = await client.call(wait, timeout: .zero)
    let echo = await client.call(.echo(service, "Echo", [.byte(1)]), timeout: .seconds(1000))
    while kept.withLock({ $0.count }) < 3 { _ = try await service.ask("GetId") }
    for call in kept.withLock({ $0 }) { call.reply([.string("at last")]) }

    #expect(short.errorName == DBusError.noReply)
    #expect(shortest.errorName == DBusError.noReply)
    #expect(echo == .success([.byte(1)]))
    #expect(await long == .success([.string("at last")]))
    registration.cancel()
  }

  @Test func `ends at its timeout after an answered call that had less time`() async throws {
    let daemon = try BusDaemon()
    let (service, client) = try await (BusClient(daemon), BusClient(daemon))
    let kept = Locked<[DBusIncomingCall]>([])
    let registration = try await service.publish(
      .echo,
      DBusInterface(
        name: "org.example.Slow", methods: ["Wait": { call in kept.withLock { $0.append(call) } }]))
    let wait = DBusCall(service.connection.uniqueName, "/echo", "org.example.Slow", "Wait")

    _ = await client.call(.echo(service, "Echo", [.byte(1)]), timeout: .milliseconds(30))
    let later = await client.call(wait, timeout: .milliseconds(60))

    #expect(later.errorName == DBusError.noReply)
    registration.cancel()
  }

  @Test func `fails when the service ends during the call`() async throws {
    let daemon = try BusDaemon()
    let (service, client) = try await (BusClient(daemon), BusClient(daemon))
    let connection = service.connection
    let registration = try await service.publish(
      DBusInterface(name: "org.example.Echo", methods: ["Die": { _ in connection.close() }]))

    #expect(await client.call(.echo(service, "Die")).errorName == DBusError.noReply)
    #expect(await client.call(.echo(service, "Die")).errorName == DBusError.nameHasNoOwner)
    registration.cancel()
  }

  @Test func `starts a service only on request`() async throws {
    let daemon = try BusDaemon()
    let client = try await BusClient(daemon)
    var call = DBusCall("org.example.Failing", "/", "org.example.Echo", "Echo")

    #expect(await client.call(call).errorName == DBusError.nameHasNoOwner)
    call.startsService = true
    #expect(
      await client.call(call).errorName == "org.freedesktop.DBus.Error.Spawn.ChildExited")
    call.destination = "org.example.Unknown"
    #expect(await client.call(call).errorName == DBusError.serviceUnknown)
  }

  @Test func `fails when the bus denies it`() async throws {
    let daemon = try BusDaemon()
    let client = try await BusClient(daemon)
    let call = DBusCall(client.connection.uniqueName, "/", "org.example.Forbidden", "Enter")

    #expect(await client.call(call).errorName == DBusError.accessDenied)
  }

  @Test func `is never answered before the method returns`() async throws {
    let daemon = try BusDaemon()
    let client = try await BusClient(daemon)
    let isCalling = Locked(false)
    let (answers, answered) = AsyncStream<Bool>.makeStream()

    try await client.use { bus in
      isCalling.withLock { $0 = true }
      for call in [DBusCall("no name", "/", "a.b", "C"), .echo(client)] {
        bus.call(call) { _ in answered.yield(isCalling.withLock { $0 }) }
      }
      bus.close()
      bus.call(.echo(client)) { _ in answered.yield(isCalling.withLock { $0 }) }
      isCalling.withLock { $0 = false }
    }

    #expect(await answers.first(3) == [false, false, false])
  }
}
