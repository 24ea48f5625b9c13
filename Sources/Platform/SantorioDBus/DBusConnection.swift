// SPDX-License-Identifier: Apache-2.0

package import Dispatch

/// A connection to a bus.
///
/// All members are called on its queue, which must be serial, and all handlers run there; sd-bus is
/// not thread-safe. A call that cannot be sent (an invalid name, a value whose type does not match
/// its signature, a message that is too large) fails with an error in the reply. A connection is
/// closed when the last reference is released.
package final class DBusConnection: @unchecked Sendable {
  // `bus` is touched on `queue` only.
  package let queue: DispatchQueue
  /// The name that the bus gave to this connection, such as `:1.7`.
  package let uniqueName: String
  let bus: Bus

  private init(_ bus: Bus, _ uniqueName: String) {
    self.bus = bus
    self.uniqueName = uniqueName
    queue = bus.queue
  }

  deinit { queue.async { [bus] in bus.close() } }

  /// Connects to a bus; waits for its greeting, at most ten seconds.
  ///
  /// - Parameters:
  ///   - address: Where the bus is.
  ///   - queue: A serial queue, on which this is called.
  ///   - closed: Called once when the bus is lost, after all calls have failed; never after
  ///     `close()`.
  /// - Returns: A connection that has its name.
  /// - Throws: The error of the bus or the system: there is no bus, or access is denied.
  package static func open(
    _ address: DBusAddress, queue: DispatchQueue, closed: @escaping @Sendable () -> Void
  ) throws(DBusError) -> DBusConnection {
    dispatchPrecondition(condition: .onQueue(queue))
    let bus = try Bus(address, queue: queue, closed: closed)
    do {
      let name = try bus.waitForName()
      try bus.begin()
      return DBusConnection(bus, name)
    } catch {
      bus.close()
      throw error
    }
  }

  /// Calls a method.
  ///
  /// - Parameters:
  ///   - call: What to call.
  ///   - timeout: How long to wait for the answer; then the error is ``DBusError/noReply``.
  ///   - reply: Called exactly once, never before this method returned; with
  ///     ``DBusError/disconnected`` when the bus is lost or the connection is closed.
  package func call(
    _ call: DBusCall, timeout: Duration = .seconds(25),
    reply: @escaping @Sendable (Result<[DBusValue], DBusError>) -> Void
  ) {
    dispatchPrecondition(condition: .onQueue(queue))
    bus.call(call, timeout: timeout, reply: reply)
  }

  /// Calls a method and ignores the answer and any failure.
  package func send(_ call: DBusCall) {
    dispatchPrecondition(condition: .onQueue(queue))
    bus.send(call)
  }

  /// Subscribes to the signals that have all the properties given.
  ///
  /// Calls made after this method returned follow the subscription. A well-known name as sender is
  /// resolved by the bus; signals addressed to this connection alone, and those of other matches,
  /// may come from other senders.
  package func match(
    sender: String? = nil, path: String? = nil, interface: String? = nil, member: String? = nil,
    handler: @escaping @Sendable (DBusSignal) -> Void
  ) -> DBusRegistration {
    dispatchPrecondition(condition: .onQueue(queue))
    let rule = MatchRule(sender: sender, path: path, interface: interface, member: member)
    return bus.match(rule, handler)
  }

  /// Lets messages wait, so that those of the same moment are handled at once; answers never do.
  ///
  /// - Parameter patience: For how long a message that has just arrived may wait.
  package func letMessagesWait(for patience: @escaping @Sendable () -> Duration) {
    dispatchPrecondition(condition: .onQueue(queue))
    bus.patience = patience
  }

  /// Puts objects on the bus until the registration ends.
  ///
  /// Each answers `Introspect`, `Get`, `GetAll` and its own methods; `root` answers
  /// `GetManagedObjects` with those at and below it, and signals when they are added and removed.
  ///
  /// - Throws: An error, and publishes none of them, if a path is invalid or in use.
  package func publish(
    _ objects: [DBusObject], root: String
  ) throws(DBusError) -> DBusRegistration {
    dispatchPrecondition(condition: .onQueue(queue))
    return try bus.publish(objects, root: root)
  }

  /// Sends a signal; one that cannot be sent is dropped.
  package func emit(
    path: String, interface: String, member: String, _ arguments: [DBusValue]
  ) {
    dispatchPrecondition(condition: .onQueue(queue))
    bus.emit(path, interface, member, arguments)
  }

  /// Ends the connection: calls fail, registrations end.
  package func close() {
    dispatchPrecondition(condition: .onQueue(queue))
    bus.close()
  }
}
