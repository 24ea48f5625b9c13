// SPDX-License-Identifier: Apache-2.0

/// A call of a method of another program.
package struct DBusCall: Hashable, Sendable {
  package var destination: String
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [DBusValue] = []
  /// Whether the bus starts the service if it is not running.
  ///
  /// False by default: a call to an object of a service that has ended must not start the service
  /// again; it fails with ``DBusError/nameHasNoOwner``.
  package var startsService = false

  package init(
    _ destination: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: DBusValue...
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}

/// A signal that came over the bus.
package struct DBusSignal: Hashable, Sendable {
  /// The unique name of the sender, such as `:1.7`.
  package let sender: String
  package let path: String
  package let interface: String
  package let member: String
  package let arguments: [DBusValue]
}
