// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency
import SantorioDBus
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct `D-Bus connection` {
  private static var objects: DBusValue {
    DBusValue.dictionary(
      [
        .objectPath("/org/bluez/hci0"): .dictionary(
          [
            .string("org.bluez.Adapter1"): .properties([
              "Powered": .boolean(true), "UUIDs": .strings(["1810", "1818"]), "Class": .uint32(7),
              "ManufacturerData": .dictionary(
                [.uint16(76): .variant(.bytes(Data([2, 21])))], key: "q", value: "v"),
            ]),
            .string("org.freedesktop.DBus.Properties"): .properties([:]),
          ], key: "s", value: "a{sv}"),
        .objectPath("/"): .dictionary([:], key: "s", value: "a{sv}"),
      ], key: "o", value: "a{sa{sv}}")
  }

  private static var values: [DBusValue] {
    [
      .byte(255), .boolean(true), .boolean(false), .int16(.min), .uint16(.max), .int32(.min),
      .uint32(.max), .int64(.min), .uint64(.max), .double(-0.125), .string("Grüße 🩺"), .string(""),
      .objectPath("/a/b"), .signature("a{sv}"), .bytes(Data()), .bytes(Data(0...255)),
      .array([.boolean(true), .boolean(false)], of: "b"), .array([], of: "(sa{sv})"),
      .array([.bytes(Data([1])), .bytes(Data())], of: "ay"),
      .structure([.byte(1), .structure([.string("x"), .double(1.5)])]),
      .variant(.variant(.array([.variant(.uint16(9))], of: "v"))),
      (0..<64).reduce(.byte(1)) { value, _ in .variant(value) },
      .dictionary([.byte(1): .int16(2)], key: "y", value: "n"),
      objects,
    ]
  }

  @Test func `transfers values of every type both ways`() async throws {
    let daemon = try BusDaemon()
    let (service, client) = try await (BusClient(daemon), BusClient(daemon))
    let registration = try await service.publish(.echo)

    for value in Self.values {
      #expect(await client.call(.echo(service, "Echo", [value])) == .success([value]))
    }
    #expect(await client.call(.echo(service, "Echo", Self.values)) == .success(Self.values))
    #expect(await client.call(.echo(service)) == .success([]))
    registration.cancel()
  }

  @Test(arguments: [1 << 20, 5 << 20])
  func `transfers messages of megabytes`(count: Int) async throws {
    let daemon = try BusDaemon()
    let (service, client) = try await (BusClient(daemon), BusClient(daemon))
    let registration = try await service.publish(.echo)
    let values: [DBusValue] = [
      .bytes(Data(repeating: 7, count: count)), .string(String(repeating: "s", count: count)),
    ]

    async let answers = withTaskGroup(of: Result<[DBusValue], DBusError>.self) { group in
      for _ in 0..<8 {
        group.addTask {
          await client.call(.echo(service, "Echo", values), timeout: .seconds(250))
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }

    #expect(await answers == Array(repeating: .success(values), count: 8))
    registration.cancel()
  }

  @Test func `passes file descriptors`() async throws {
    let daemon = try BusDaemon()
    let (service, client) = try await (BusClient(daemon), BusClient(daemon))
    let registration = try await service.publish(.echo)
    let pipe = Pipe.make()
    let mine = DBusFileDescriptor(dup(pipe.fileHandleForWriting.fileDescriptor))

    let answer = try await client.call(.echo(service, "Echo", [.fileDescriptor(mine)])).get()

    let theirs = try #require(answer.first?.descriptor)
    #expect(theirs.value != mine.value)
    let writer = FileHandle(fileDescriptor: theirs.take(), closeOnDealloc: true)
    writer.write(Data("through".utf8))
    #expect(pipe.fileHandleForReading.availableData == Data("through".utf8))
    #expect(theirs.value == -1)
    let given = await client.call(.echo(service, "Echo", [.fileDescriptor(theirs)]))
    #expect(throws: DBusError.self) { try given.get() }
    registration.cancel()
  }

  @Test func `keeps ten thousand signals in order and leaves time for others`() async throws {
    let daemon = try BusDaemon()
    let (sender, receiver) = try await (BusClient(daemon), BusClient(daemon))
    let (numbers, continuation) = AsyncStream<Int>.makeStream()
    let counted = Locked(0)
    let (interruptions, interrupted) = AsyncStream<Int>.makeStream()
    let queue = receiver.queue
    let registration = try await receiver.use {
      $0.match(interface: "org.example.Flood") { signal in
        if counted.withLock({
          $0 += 1; return $0
        }) == 1 {
          queue.async { interrupted.yield(counted.withLock { $0 }) }
        }
        continuation.yield(signal.arguments.first?.int ?? -1)
      }
    }
    _ = try await receiver.ask("GetId")

    try await sender.use { bus in
      for number in 0..<10_000 {
        bus.emit(
          path: "/", interface: "org.example.Flood", member: "Drop", [.uint32(UInt32(number))])
      }
    }

    #expect(await numbers.first(10_000) == Array(0..<10_000))
    let before = try #require(await interruptions.first(1).first)
    #expect((1...64).contains(before))
    registration.cancel()
  }

  @Test func `lets signals wait for each other, but not an answer`() async throws {
    let daemon = try BusDaemon()
    let (sender, receiver) = try await (BusClient(daemon), BusClient(daemon))
    let seen = Locked<[String]>([])
    let registration = try await receiver.use {
      $0.match(interface: "org.example.Flood") { signal in
        seen.withLock { $0.append(signal.member) }
      }
    }
    _ = try await receiver.ask("GetId")
    let (questions, asked) = AsyncStream<Void>.makeStream()
    try await receiver.use {
      $0.letMessagesWait {
        asked.yield()
        return .seconds(3600)
      }
    }

    for member in ["First", "Second"] {
      try await sender.use {
        $0.emit(path: "/", interface: "org.example.Flood", member: member, [])
      }
      if member == "First" { _ = await questions.first(1) }
    }
    _ = try await sender.ask("GetId")
    #expect(seen.withLock { $0 } == [])

    _ = try await receiver.ask("GetId")
    #expect(seen.withLock { $0 } == ["First", "Second"])
    registration.cancel()
  }

  @Test func `reads signals that wait, after a while`() async throws {
    let daemon = try BusDaemon()
    let (sender, receiver) = try await (BusClient(daemon), BusClient(daemon))
    let (registration, signals) = try await receiver.signals(of: "org.example.Flood")
    try await receiver.use { $0.letMessagesWait { .milliseconds(1) } }

    for member in ["First", "Second"] {
      try await sender.use {
        $0.emit(path: "/", interface: "org.example.Flood", member: member, [])
      }
    }

    #expect(await signals.first(2).map(\.member) == ["First", "Second"])
    registration.cancel()
  }

  @Test func `ends while signals wait`() async throws {
    let daemon = try BusDaemon()
    let (sender, receiver) = try await (BusClient(daemon), BusClient(daemon))
    let (registration, _) = try await receiver.signals(of: "org.example.Flood")
    let (questions, asked) = AsyncStream<Void>.makeStream()
    try await receiver.use {
      $0.letMessagesWait {
        asked.yield()
        return .seconds(3600)
      }
    }
    try await sender.use {
      $0.emit(path: "/", interface: "org.example.Flood", member: "Drop", [])
    }
    _ = await questions.first(1)

    try await receiver.use { $0.close() }
    #expect(await receiver.call(.echo(sender)).errorName == DBusError.disconnected)
    registration.cancel()
  }

  @Test func `a cancelled match delivers nothing`() async throws {
    let daemon = try BusDaemon()
    let client = try await BusClient(daemon)
    let seen = Locked(0)
    let cancelled = try await client.use {
      $0.match(interface: "org.example.Flood") { _ in seen.withLock { $0 += 1 } }
    }
    let (kept, signals) = try await client.signals(of: "org.example.Flood", member: "Last")

    cancelled.cancel()
    try await client.use { bus in
      for member in ["First", "Last"] {
        bus.emit(path: "/", interface: "org.example.Flood", member: member, [])
      }
    }

    #expect(await signals.first(1).map(\.member) == ["Last"])
    #expect(seen.withLock { $0 } == 0)
    kept.cancel()
  }

  @Test func `a cancellation on the queue takes effect at once`() async throws {
    let daemon = try BusDaemon()
    let client = try await BusClient(daemon)
    let held = Locked<DBusRegistration?>(nil)
    let seen = Locked(0)
    let (watching, signals) = try await client.signals(of: "org.example.Last")

    try await client.use { bus in
      let match = bus.match(interface: "org.example.Flood") { _ in
        seen.withLock { $0 += 1 }
        held.withLock { $0 }?.cancel()
      }
      held.withLock { $0 = match }
      for interface in ["org.example.Flood", "org.example.Flood", "org.example.Last"] {
        bus.emit(path: "/", interface: interface, member: "Drop", [])
      }
      for _ in 0..<3 { try bus.publish([DBusObject("/echo", [.echo])], root: "/").cancel() }
    }

    #expect(await signals.first(1).count == 1)
    #expect(seen.withLock { $0 } == 1)
    #expect(await client.call(.echo(client)).errorName == DBusError.unknownObject)
    watching.cancel()
  }

  @Test func `handlers may retain their own registrations`() async throws {
    let daemon = try BusDaemon()
    let client = try await BusClient(daemon)
    let held = Locked<[DBusRegistration]>([])
    try await client.use { bus in
      for _ in 0..<3 {
        let match = bus.match(path: "/") { _ in held.withLock { _ in } }
        held.withLock { $0.append(match) }
      }
      let echo = DBusInterface(
        name: "org.example.Echo", methods: ["Hold": { _ in held.withLock { _ in } }])
      let object = try bus.publish([DBusObject("/echo", [echo])], root: "/")
      held.withLock { $0.append(object) }
    }
    daemon.kill()
    #expect(await client.closures.first(1).count == 1)
  }

  @Test func `a match with an impossible value or after the end is harmless`() async throws {
    let daemon = try BusDaemon()
    let client = try await BusClient(daemon)
    for path in ["no path", "/a',eavesdrop='true", "/a\0", ""] {
      try await client.use { $0.match(path: path) { _ in }.cancel() }
    }
    #expect(try await client.ask("GetId").count == 1)

    try await client.use { bus in
      bus.close()
      bus.match(path: "/") { _ in }.cancel()
      bus.emit(path: "/", interface: "org.example.Echo", member: "Gone", [])
    }
    let late = await client.call(.echo(client))
    #expect(late == .failure(DBusError(name: DBusError.disconnected, message: late.message)))
  }
}

extension Result where Failure == DBusError {
  var message: String {
    if case .failure(let error) = self { error.message } else { "" }
  }

  var errorName: String? {
    if case .failure(let error) = self { error.name } else { nil }
  }
}
