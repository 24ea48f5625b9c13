// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SantorioConcurrency
import SantorioDBus
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct `Life of a D-Bus connection` {
  /// An interface that keeps what it is asked, and never answers.
  private static func silent(_ calls: Locked<[DBusIncomingCall]>) -> DBusInterface {
    DBusInterface(
      name: "org.example.Echo",
      methods: ["Wait": { call in calls.withLock { $0.append(call) } }])
  }

  @Test func `fails all calls, then reports that the bus was lost`() async throws {
    let daemon = try BusDaemon()
    let (service, client) = try await (BusClient(daemon), BusClient(daemon))
    let registration = try await service.publish(Self.silent(Locked([])))
    let (events, event) = AsyncStream<String>.makeStream()
    let address = daemon.address
    let other = try await client.queue.perform { [queue = client.queue] in
      try DBusConnection.open(address, queue: queue) { event.yield("closed") }
    }
    try await client.use { _ in
      for number in 0..<3 {
        other.call(.echo(service, "Wait")) { event.yield("\(number) \($0.errorName ?? "")") }
      }
    }
    _ = try await client.ask("GetId")

    daemon.kill()

    let disconnected = "org.freedesktop.DBus.Error.Disconnected"
    #expect(
      await events.first(4) == [
        "0 " + disconnected, "1 " + disconnected, "2 " + disconnected, "closed",
      ])
    #expect(await client.closures.first(1).count == 1)
    #expect(await client.call(.echo(service)).errorName == DBusError.disconnected)
    try await client.use { _ in other.close() }
    registration.cancel()
    #expect(throws: DBusError.self) {
      try client.queue.sync {
        _ = try DBusConnection.open(address, queue: client.queue) {}
      }
    }
  }

  @Test func `closing it fails its calls without calling the close handler`() async throws {
    let daemon = try BusDaemon()
    let (service, client) = try await (BusClient(daemon), BusClient(daemon))
    let registration = try await service.publish(Self.silent(Locked([])))
    let (events, event) = AsyncStream<String>.makeStream()
    let (address, queue) = (daemon.address, client.queue)

    try await queue.perform {
      let connection = try DBusConnection.open(address, queue: queue) { event.yield("closed") }
      connection.call(.echo(service, "Wait")) { event.yield($0.errorName ?? "") }
      connection.close()
      connection.close()
    }
    daemon.kill()
    #expect(await client.closures.first(1).count == 1)
    try await queue.perform { event.finish() }

    #expect(await events.first(2) == [DBusError.disconnected])
    registration.cancel()
  }

  @Test func `a released connection is closed, and its calls fail`() async throws {
    let daemon = try BusDaemon()
    let client = try await BusClient(daemon)
    let registration = try await client.publish(Self.silent(Locked([])))
    let (address, queue) = (daemon.address, DispatchQueue(label: "test.forgotten"))
    let (watching, owners) = try await client.signals(
      of: "org.freedesktop.DBus", member: "NameOwnerChanged")
    let (answers, answer) = AsyncStream<String>.makeStream()

    let name = try await queue.perform {
      let connection = try DBusConnection.open(address, queue: queue) {}
      connection.call(.echo(client, "Wait")) { answer.yield($0.errorName ?? "") }
      return connection.uniqueName
    }

    #expect(await answers.first(1) == [DBusError.disconnected])
    #expect(
      await owners.first(2).map { $0.arguments.compactMap(\.string) } == [
        [name, "", name], [name, name, ""],
      ])
    watching.cancel()
    registration.cancel()
  }

  @Test func `opens and closes any number of times`() async throws {
    let daemon = try BusDaemon()
    let watcher = try await BusClient(daemon)
    let before = try await watcher.ask("ListNames").first?.strings?.sorted()
    let (watching, owners) = try await watcher.signals(
      of: "org.freedesktop.DBus", member: "NameOwnerChanged")

    for _ in 0..<50 {
      let client = try await BusClient(daemon)
      let registration = try await client.publish(.echo)
      let match = try await client.use { $0.match(path: "/echo") { _ in } }
      #expect(await client.call(.echo(client, "Echo", [.byte(1)])) == .success([.byte(1)]))
      try await client.use { $0.close() }
      match.cancel()
      registration.cancel()
    }

    #expect(await owners.first(100).count == 100)
    #expect(try await watcher.ask("ListNames").first?.strings?.sorted() == before)
    watching.cancel()
  }

  @Test func `closes from within its own handlers`() async throws {
    let daemon = try BusDaemon()
    let client = try await BusClient(daemon)
    let connection = client.connection
    let (answers, answer) = AsyncStream<String>.makeStream()
    let registrations = try await client.use { bus in
      [
        bus.match(interface: "org.example.Flood") { _ in connection.close() },
        bus.match(interface: "org.example.Flood", member: "Drop") { _ in connection.close() },
      ]
    }

    try await client.use { bus in
      bus.emit(path: "/", interface: "org.example.Flood", member: "Drop", [])
      bus.call(.echo(client)) { answer.yield($0.errorName ?? "") }
    }

    #expect(await answers.first(1).count == 1)
    #expect(await client.call(.echo(client)).errorName == DBusError.disconnected)
    for registration in registrations { registration.cancel() }
  }

  @Test func `reports why an address is invalid`() async throws {
    let queue = DispatchQueue(label: "test.nowhere")
    for address in ["unix:path=/nowhere/bus", "nonsense", "", "unix:path=\0"] {
      await #expect(throws: DBusError.self) {
        try await queue.perform { _ = try DBusConnection.open(.address(address), queue: queue) {} }
      }
    }
  }
}
