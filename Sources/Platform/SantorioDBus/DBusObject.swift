// SPDX-License-Identifier: Apache-2.0

/// An interface of an object that this program offers.
package struct DBusInterface: Sendable {
  package var name: String
  /// Readable by others; only the program itself changes them.
  package var properties: [String: DBusValue]
  /// The handler of each method; it answers immediately or later.
  package var methods: [String: @Sendable (DBusIncomingCall) -> Void]

  package init(
    name: String, properties: [String: DBusValue] = [:],
    methods: [String: @Sendable (DBusIncomingCall) -> Void] = [:]
  ) {
    self.name = name
    self.properties = properties
    self.methods = methods
  }
}

/// An object that this program offers to others; used on the queue of its connection.
package final class DBusObject: @unchecked Sendable {
  // `interfaces` and `bus` are touched on the connection's queue only.
  package let path: String
  private(set) var interfaces: [String: DBusInterface]
  weak var bus: Bus?

  package init(_ path: String, _ interfaces: [DBusInterface]) {
    self.path = path
    self.interfaces = Dictionary(interfaces.map { ($0.name, $0) }) { _, last in last }
  }

  /// Changes a property and, if the object is published, signals the change.
  ///
  /// Equal values are signalled as well: they may be notifications.
  package func set(_ property: String, of interface: String, to value: DBusValue) {
    interfaces[interface]?.properties[property] = value
    guard interfaces[interface] != nil else { return }
    bus?.emit(
      path, StandardInterface.properties, "PropertiesChanged",
      [.string(interface), .properties([property: value]), .strings([])])
  }

  /// Removes a property and, if the object is published, signals that its value is invalid.
  package func remove(_ property: String, of interface: String) {
    guard interfaces[interface]?.properties.removeValue(forKey: property) != nil else { return }
    bus?.emit(
      path, StandardInterface.properties, "PropertiesChanged",
      [.string(interface), .properties([:]), .strings([property])])
  }
}

/// The interfaces that the D-Bus Specification names.
enum StandardInterface {
  static let introspectable = "org.freedesktop.DBus.Introspectable"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
  static let properties = "org.freedesktop.DBus.Properties"
  static let peer = "org.freedesktop.DBus.Peer"
}
