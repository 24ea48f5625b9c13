// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SantorioConcurrency
import SantorioDBus
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct `D-Bus object tree` {
  private static let name = "org.example.Bluetooth"
  private static let adapter = DBusInterface(
    name: "org.bluez.Adapter1", properties: ["Powered": .boolean(true), "Name": .string("a")])
  private static let device = DBusInterface(
    name: "org.bluez.Device1", properties: ["RSSI": .int16(-40)])

  /// A service with one adapter, and its object.
  private func service(
    _ daemon: BusDaemon, _ powered: Bool = true
  ) async throws -> (BusClient, DBusObject, DBusRegistration) {
    let client = try await BusClient(daemon)
    let adapter = DBusObject("/hci0", [Self.adapter])
    let registration = try await client.use { bus in
      adapter.set("Powered", of: "org.bluez.Adapter1", to: .boolean(powered))
      return try bus.publish([adapter], root: "/")
    }
    try await client.own(Self.name)
    return (client, adapter, registration)
  }

  @Test func `lists a running service`() async throws {
    let daemon = try BusDaemon()
    let (service, _, registration) = try await service(daemon)
    let more = try await service.use {
      try $0.publish([DBusObject("/hci0/dev_1", [Self.device])], root: "/")
    }
    let mirror = try await Mirror(daemon, Self.name)

    #expect(await mirror.changes.first(1) == [.appeared])
    let objects = try await mirror.read { $0.objects }
    #expect(
      objects == [
        "/hci0": ["org.bluez.Adapter1": ["Powered": .boolean(true), "Name": .string("a")]],
        "/hci0/dev_1": ["org.bluez.Device1": ["RSSI": .int16(-40)]],
      ])
    #expect(
      try await mirror.read { $0["/hci0/dev_1", "org.bluez.Device1"] } == ["RSSI": .int16(-40)])
    #expect(try await mirror.read { $0["/hci1", "org.bluez.Device1"] } == nil)
    #expect(try await mirror.read { $0.paths(with: "org.bluez.Device1") } == ["/hci0/dev_1"])
    #expect(
      try await mirror.read { $0.paths(with: "org.bluez.Device1", below: "/hci0") }
        == ["/hci0/dev_1"])
    #expect(try await mirror.read { $0.paths(with: "org.bluez.Device1", below: "/hci") } == [])
    more.cancel()
    registration.cancel()
  }

  @Test func `follows added and removed objects`() async throws {
    let daemon = try BusDaemon()
    let (service, _, registration) = try await service(daemon)
    let mirror = try await Mirror(daemon, Self.name)
    #expect(await mirror.changes.first(1) == [.appeared])

    let device = try await service.use {
      try $0.publish([DBusObject("/hci0/dev_1", [Self.device, Self.adapter])], root: "/")
    }
    #expect(
      await mirror.changes.first(2) == [
        .added(path: "/hci0/dev_1", interface: "org.bluez.Adapter1"),
        .added(path: "/hci0/dev_1", interface: "org.bluez.Device1"),
      ])
    #expect(try await mirror.read { $0.objects.keys.sorted() } == ["/hci0", "/hci0/dev_1"])

    device.cancel()
    #expect(
      await mirror.changes.first(2) == [
        .removed(path: "/hci0/dev_1", interface: "org.bluez.Adapter1"),
        .removed(path: "/hci0/dev_1", interface: "org.bluez.Device1"),
      ])
    #expect(try await mirror.read { $0.objects.keys.sorted() } == ["/hci0"])
    registration.cancel()
  }

  @Test func `reports every signal, also of equal values, and what was invalidated`() async throws {
    let daemon = try BusDaemon()
    let (service, adapter, registration) = try await service(daemon)
    let mirror = try await Mirror(daemon, Self.name)
    #expect(await mirror.changes.first(1) == [.appeared])

    try await service.use { bus in
      for _ in 0..<10 { adapter.set("Powered", of: "org.bluez.Adapter1", to: .boolean(false)) }
      bus.emit(
        path: "/hci0", interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
        [.string("org.bluez.Adapter1"), .properties([:]), .strings(["Name"])])
    }

    let change = DBusObjectTree.Change.changed(
      path: "/hci0", interface: "org.bluez.Adapter1", properties: ["Powered": .boolean(false)],
      invalidated: [])
    #expect(await mirror.changes.first(10) == Array(repeating: change, count: 10))
    #expect(
      await mirror.changes.first(1) == [
        .changed(
          path: "/hci0", interface: "org.bluez.Adapter1", properties: [:], invalidated: ["Name"])
      ])
    #expect(
      try await mirror.read { $0["/hci0", "org.bluez.Adapter1"] } == ["Powered": .boolean(false)])
    registration.cancel()
  }

  @Test func `a restart of the service is reported as its end and start`() async throws {
    let daemon = try BusDaemon()
    let mirror = try await Mirror(daemon, Self.name)
    guard case .failed(let error)? = await mirror.changes.first(1).first else {
      Issue.record("It failed not.")
      return
    }
    #expect(error.name == DBusError.serviceUnknown)

    for powered in [true, false, true] {
      let (service, _, registration) = try await service(daemon, powered)
      #expect(await mirror.changes.first(1) == [.appeared])
      #expect(
        try await mirror.read { $0["/hci0", "org.bluez.Adapter1"]?["Powered"]?.bool } == powered)
      try await service.use { $0.close() }
      #expect(await mirror.changes.first(1) == [.vanished])
      #expect(try await mirror.read { $0.objects } == [:])
      registration.cancel()
    }
  }

  @Test func `reports that the service cannot be started`() async throws {
    let daemon = try BusDaemon()
    let mirror = try await Mirror(daemon, "org.example.Failing")
    guard case .failed(let error)? = await mirror.changes.first(1).first else {
      Issue.record("It failed not.")
      return
    }
    #expect(error.name == "org.freedesktop.DBus.Error.Spawn.ChildExited")
  }

  @Test func `subscribes before listing and misses nothing in between`() async throws {
    let daemon = try BusDaemon()
    let service = try await BusClient(daemon)
    let added: [DBusValue] = [
      .objectPath("/hci0"),
      .dictionary(
        [.string("org.bluez.Adapter1"): .properties(["Name": .string("b")])], key: "s",
        value: "a{sv}"),
    ]
    let connection = service.connection
    // An object at the root that answers with nothing and has an adapter the moment after.
    let manager = DBusInterface(
      name: "org.freedesktop.DBus.ObjectManager",
      methods: [
        "GetManagedObjects": { call in
          call.reply([.dictionary([:], key: "o", value: "a{sa{sv}}")])
          connection.queue.async {
            connection.emit(
              path: "/", interface: "org.freedesktop.DBus.ObjectManager",
              member: "InterfacesAdded", added)
          }
        }
      ])
    let registration = try await service.publish(manager, at: "/", root: "/elsewhere")
    try await service.own(Self.name)

    let mirror = try await Mirror(daemon, Self.name)

    #expect(
      await mirror.changes.first(2) == [
        .appeared, .added(path: "/hci0", interface: "org.bluez.Adapter1"),
      ])
    #expect(
      try await mirror.read { $0.objects }
        == ["/hci0": ["org.bluez.Adapter1": ["Name": .string("b")]]])
    registration.cancel()
  }

  @Test func `ignores invalid lists and signals, and those of other senders`() async throws {
    let daemon = try BusDaemon()
    let (service, adapter, registration) = try await service(daemon)
    let stranger = try await BusClient(daemon)
    let mirror = try await Mirror(daemon, Self.name)
    #expect(await mirror.changes.first(1) == [.appeared])
    let (listening, heard) = try await mirror.client.signals(of: "org.example.Done")
    let lies: [(String, String, [DBusValue])] = [
      ("org.freedesktop.DBus.ObjectManager", "InterfacesRemoved", [.objectPath("/hci0")]),
      ("org.freedesktop.DBus.ObjectManager", "InterfacesAdded", [.byte(1), .byte(2)]),
      ("org.freedesktop.DBus.ObjectManager", "InterfacesRemoved", [.byte(1), .strings(["a"])]),
      ("org.freedesktop.DBus.ObjectManager", "Unheard", [.objectPath("/hci0"), .strings(["a"])]),
      ("org.freedesktop.DBus.Properties", "PropertiesChanged", []),
      (
        "org.freedesktop.DBus.Properties", "PropertiesChanged",
        [.string("org.bluez.Adapter1"), .string("all"), .strings([])]
      ),
      (
        "org.freedesktop.DBus.Properties", "PropertiesChanged",
        [.string("org.example.Unknown"), .properties(["A": .byte(1)]), .strings([])]
      ),
    ]

    try await service.use { bus in
      for (interface, member, arguments) in lies {
        bus.emit(path: "/hci0", interface: interface, member: member, arguments)
      }
    }
    try await stranger.use { bus in
      bus.emit(
        path: "/hci0", interface: "org.freedesktop.DBus.ObjectManager",
        member: "InterfacesRemoved", [.objectPath("/hci0"), .strings(["org.bluez.Adapter1"])])
      bus.emit(path: "/", interface: "org.example.Done", member: "Done", [])
    }
    #expect(await heard.first(1).count == 1)
    try await service.use { _ in
      adapter.set("Name", of: "org.bluez.Adapter1", to: .string("c"))
    }

    #expect(
      await mirror.changes.first(1) == [
        .changed(
          path: "/hci0", interface: "org.bluez.Adapter1", properties: ["Name": .string("c")],
          invalidated: [])
      ])
    listening.cancel()
    registration.cancel()
  }
}

/// A tree, its connection, and what it reported.
private final class Mirror: Sendable {
  let client: BusClient
  let changes: AsyncStream<DBusObjectTree.Change>
  private let tree: DBusObjectTree

  init(_ daemon: BusDaemon, _ service: String) async throws {
    let (changes, change) = AsyncStream<DBusObjectTree.Change>.makeStream()
    self.changes = changes
    client = try await BusClient(daemon)
    tree = try await client.use { bus in
      DBusObjectTree(bus, service: service) { change.yield($0) }
    }
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (DBusObjectTree) -> Value
  ) async throws -> Value {
    try await client.queue.perform { [tree] in body(tree) }
  }
}
