// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioDBus
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct `D-Bus object` {
  private static let service = DBusInterface(
    name: "org.bluez.GattService1",
    properties: ["UUID": .string("1810"), "Primary": .boolean(true)])
  private static let characteristic = DBusInterface(
    name: "org.bluez.GattCharacteristic1",
    properties: ["Service": .objectPath("/app/service0"), "Value": .bytes(Data([1, 2]))],
    methods: ["ReadValue": { $0.reply([.bytes(Data([3, 4]))]) }])

  private func publish(on client: BusClient) async throws -> (DBusObject, DBusRegistration) {
    let object = DBusObject("/app/service0/char0", [Self.characteristic])
    let registration = try await client.use {
      try $0.publish([DBusObject("/app/service0", [Self.service]), object], root: "/app")
    }
    return (object, registration)
  }

  /// Runs libdbus's command, a client that shares nothing with sd-bus.
  private func dbusSend(
    _ daemon: BusDaemon, _ client: BusClient, _ path: String, _ member: String,
    _ arguments: String...
  ) async throws -> String {
    try await output(
      of: [
        "dbus-send", "--bus=" + daemon.addressText, "--print-reply=literal",
        "--dest=" + client.connection.uniqueName, path, member,
      ] + arguments)
  }

  private func output(of command: [String]) async throws -> String {
    let (process, pipe) = (Process(), Pipe.make())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = pipe
    process.standardError = pipe
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do { try process.start() } catch { continuation.resume(throwing: error) }
    }
    try pipe.fileHandleForWriting.close()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func `is understood by an independent client`() async throws {
    let daemon = try BusDaemon()
    let client = try await BusClient(daemon)
    let (_, registration) = try await publish(on: client)
    let (properties, manager) = (
      "org.freedesktop.DBus.Properties", "org.freedesktop.DBus.ObjectManager"
    )

    let all = try await dbusSend(
      daemon, client, "/app/service0", properties + ".GetAll", "string:org.bluez.GattService1")
    #expect(all.contains("UUID variant 1810"))
    #expect(all.contains("Primary variant boolean true"))

    let one = try await dbusSend(
      daemon, client, "/app/service0/char0", properties + ".Get",
      "string:org.bluez.GattCharacteristic1", "string:Service")
    #expect(one == "variant /app/service0")

    let managed = try await dbusSend(daemon, client, "/app", manager + ".GetManagedObjects")
    #expect(managed.contains("/app/service0 array [ dict entry( org.bluez.GattService1 array ["))
    #expect(
      managed.contains(
        "/app/service0/char0 array [ dict entry( org.bluez.GattCharacteristic1 array ["))

    let read = try await dbusSend(
      daemon, client, "/app/service0/char0", "org.bluez.GattCharacteristic1.ReadValue")
    #expect(read == "array of bytes [ 03 04 ]")
    registration.cancel()
  }

  @Test func `is found by introspection`() async throws {
    let daemon = try BusDaemon()
    let client = try await BusClient(daemon)
    let (_, registration) = try await publish(on: client)

    let tree = try await output(
      of: [
        "busctl", "--address=" + daemon.addressText, "tree", "--list",
        client.connection.uniqueName,
      ])
    #expect(tree == "/ /app /app/service0 /app/service0/char0")
    let description = try await output(
      of: [
        "busctl", "--address=" + daemon.addressText, "introspect", "--list",
        client.connection.uniqueName, "/app/service0",
      ])
    #expect(description.contains("org.bluez.GattService1 interface - - -"))
    #expect(description.contains(".UUID property s \"1810\""))
    #expect(description.contains(".Primary property b true"))
    registration.cancel()
  }

  @Test func `rejects unknown interfaces, methods and properties`() async throws {
    let daemon = try BusDaemon()
    let client = try await BusClient(daemon)
    let (_, registration) = try await publish(on: client)
    let name = client.connection.uniqueName
    let properties = "org.freedesktop.DBus.Properties"
    func error(
      _ path: String, _ interface: String, _ member: String, _ arguments: String...
    ) async -> String? {
      var call = DBusCall(name, path, interface, member)
      call.arguments = arguments.map(DBusValue.string)
      return await client.call(call).errorName
    }

    #expect(await error("/app", "a.b", "C") == DBusError.unknownObject)
    #expect(await error("/app/service0", "a.b", "C") == DBusError.unknownInterface)
    #expect(
      await error("/app/service0", "org.bluez.GattService1", "C") == DBusError.unknownMethod)
    #expect(
      await error("/app/service0", properties, "Get", "org.bluez.GattService1", "No")
        == DBusError.unknownProperty)
    #expect(
      await error("/app/service0", properties, "GetAll", "a.b") == DBusError.unknownInterface)
    #expect(await error("/app/service0", properties, "GetAll") == DBusError.invalidArguments)
    #expect(await error("/app/service0", properties, "Take") == DBusError.unknownMethod)
    #expect(
      await error("/app/service0", properties, "Set", "org.bluez.GattService1", "UUID", "1")
        == DBusError.propertyReadOnly)
    #expect(
      await error("/app/service0", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        == DBusError.unknownInterface)
    #expect(
      await error("/nothing", "org.freedesktop.DBus.Introspectable", "Introspect")
        == DBusError.unknownObject)
    registration.cancel()
    #expect(
      await error("/app/service0", "org.bluez.GattService1", "C") == DBusError.unknownObject)
  }

  @Test func `is not published at an invalid or used path`() async throws {
    let daemon = try BusDaemon()
    let client = try await BusClient(daemon)
    let (_, registration) = try await publish(on: client)
    func error(_ paths: [String], root: String) async throws -> String? {
      try await client.use { bus in
        do {
          _ = try bus.publish(paths.map { DBusObject($0, []) }, root: root)
          return nil
        } catch {
          return (error as? DBusError)?.name
        }
      }
    }

    #expect(try await error(["/new", "/app/service0"], root: "/") == DBusError.objectPathInUse)
    #expect(try await error(["/twice", "/twice"], root: "/") == DBusError.objectPathInUse)
    #expect(try await error(["no path"], root: "/") == DBusError.invalidArguments)
    #expect(try await error(["/new"], root: "") == DBusError.invalidArguments)
    #expect(try await error(["/new\0"], root: "/") == DBusError.invalidArguments)
    #expect(try await error(["/new"], root: "/") == nil)
    registration.cancel()
    #expect(try await error(["/app/service0"], root: "/") == nil)
  }

  @Test func `signals each change of a property`() async throws {
    let daemon = try BusDaemon()
    let (client, watcher) = try await (BusClient(daemon), BusClient(daemon))
    let (object, registration) = try await publish(on: client)
    let (watching, signals) = try await watcher.signals(of: "org.freedesktop.DBus.Properties")

    try await client.use { _ in
      object.set("Unknown", of: "a.b", to: .byte(1))
      for _ in 0..<3 {
        object.set("Value", of: "org.bluez.GattCharacteristic1", to: .bytes(Data([9])))
      }
    }

    let expected: [DBusValue] = [
      .string("org.bluez.GattCharacteristic1"), .properties(["Value": .bytes(Data([9]))]),
      .strings([]),
    ]
    #expect(await signals.first(3).map(\.arguments) == [expected, expected, expected])
    let get = DBusCall(
      client.connection.uniqueName, object.path, "org.freedesktop.DBus.Properties", "Get",
      .string("org.bluez.GattCharacteristic1"), .string("Value"))
    #expect(await watcher.call(get) == .success([.variant(.bytes(Data([9])))]))
    watching.cancel()
    registration.cancel()
  }

  @Test func `signals that a removed property is invalid`() async throws {
    let daemon = try BusDaemon()
    let (client, watcher) = try await (BusClient(daemon), BusClient(daemon))
    let (object, registration) = try await publish(on: client)
    let (watching, signals) = try await watcher.signals(of: "org.freedesktop.DBus.Properties")

    try await client.use { _ in
      object.remove("Unknown", of: "org.bluez.GattCharacteristic1")
      object.remove("Value", of: "org.bluez.GattCharacteristic1")
    }

    #expect(
      await signals.first(1).map(\.arguments) == [
        [
          .string("org.bluez.GattCharacteristic1"), .properties([:]), .strings(["Value"]),
        ]
      ])
    let get = DBusCall(
      client.connection.uniqueName, object.path, "org.freedesktop.DBus.Properties", "Get",
      .string("org.bluez.GattCharacteristic1"), .string("Value"))
    #expect(await watcher.call(get).errorName == DBusError.unknownProperty)
    watching.cancel()
    registration.cancel()
  }
}
