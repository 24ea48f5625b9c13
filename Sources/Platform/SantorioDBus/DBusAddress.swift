// SPDX-License-Identifier: Apache-2.0

/// The address of a bus.
package enum DBusAddress: Hashable, Sendable {
  /// The system bus, or the one that `DBUS_SYSTEM_BUS_ADDRESS` in the environment names.
  case system
  /// An address in D-Bus notation, such as `unix:path=/run/dbus/system_bus_socket`.
  case address(String)
}
