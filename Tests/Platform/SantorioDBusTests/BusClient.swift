// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SantorioConcurrency
import SantorioDBus
import TestSupport

/// A connection and its queue, for tests that await.
final class BusClient: Sendable {
  let queue: DispatchQueue
  let connection: DBusConnection
  /// One element when the bus goes.
  let closures: AsyncStream<Void>

  init(_ daemon: BusDaemon) async throws {
    let queue = DispatchQueue(label: "test.bus")
    let (closures, closed) = AsyncStream<Void>.makeStream()
    self.queue = queue
    self.closures = closures
    let address = daemon.address
    connection = try await queue.perform {
      try DBusConnection.open(address, queue: queue) { closed.yield() }
    }
  }

  /// Does something with the connection on its queue.
  func use<Value: Sendable>(
    _ body: @escaping @Sendable (DBusConnection) throws -> Value
  ) async throws -> Value {
    try await queue.perform { [connection] in try body(connection) }
  }

  func call(
    _ call: DBusCall, timeout: Duration = .seconds(25)
  ) async -> Result<[DBusValue], DBusError> {
    // ThreadSanitizer does not see the order that a continuation makes; that of a lock it sees.
    let answer = Locked<Result<[DBusValue], DBusError>?>(nil)
    await withCheckedContinuation { continuation in
      queue.async { [connection] in
        connection.call(call, timeout: timeout) { result in
          answer.withLock { $0 = result }
          continuation.resume()
        }
      }
    }
    return answer.withLock { $0 }
      ?? .failure(DBusError(name: DBusError.noReply, message: "There was no answer."))
  }

  /// Asks the bus itself.
  func ask(_ member: String, _ arguments: DBusValue...) async throws -> [DBusValue] {
    var call = DBusCall(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member)
    call.arguments = arguments
    return try await self.call(call).get()
  }

  func own(_ name: String) async throws {
    _ = try await ask("RequestName", .string(name), .uint32(4))
  }

  func publish(
    _ interfaces: DBusInterface..., at path: String = "/echo", root: String = "/"
  ) async throws -> DBusRegistration {
    try await use { try $0.publish([DBusObject(path, interfaces)], root: root) }
  }

  /// All signals of an interface, from now on.
  func signals(
    of interface: String, member: String? = nil
  ) async throws -> (registration: DBusRegistration, signals: AsyncStream<DBusSignal>) {
    let (signals, continuation) = AsyncStream<DBusSignal>.makeStream()
    let registration = try await use {
      $0.match(interface: interface, member: member) { continuation.yield($0) }
    }
    _ = try await ask("GetId")
    return (registration, signals)
  }
}

extension DispatchQueue {
  /// Runs something on the queue.
  func perform<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      async { continuation.resume(with: Result(catching: body)) }
    }
  }
}

extension AsyncStream {
  /// The next elements, fewer only if the stream ends.
  func first(_ count: Int) async -> [Element] {
    var elements: [Element] = []
    for await element in self {
      elements.append(element)
      if elements.count == count { break }
    }
    return elements
  }
}

/// An interface whose methods answer with what they were given, never, too late or wrongly.
extension DBusInterface {
  static let echo = DBusInterface(
    name: "org.example.Echo",
    methods: [
      "Echo": { $0.reply($0.arguments) },
      "Twice": { call in
        call.reply([.string("first")])
        call.reply([.string("second")])
        call.fail(DBusError(name: "org.example.Error.Late", message: ""))
      },
      "Fail": { $0.fail(DBusError(name: "org.example.Error.Full", message: "No room.")) },
      "FailBadly": { $0.fail(DBusError(name: "no name", message: "")) },
      "AnswerBadly": { $0.reply([.objectPath("no path")]) },
      "Forget": { _ in },
    ])
}

extension DBusCall {
  static func echo(
    _ peer: BusClient, _ member: String = "Echo", _ arguments: [DBusValue] = []
  ) -> DBusCall {
    var call = DBusCall(peer.connection.uniqueName, "/echo", "org.example.Echo", member)
    call.arguments = arguments
    return call
  }
}
