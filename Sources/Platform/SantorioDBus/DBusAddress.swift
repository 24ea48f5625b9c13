// SPDX-License-Identifier: Apache-2.0

/// Where a bus is found.
package enum DBusAddress: Hashable, Sendable {
  /// The system's bus; the environment's `DBUS_SYSTEM_BUS_ADDRESS` moves it.
  case system
  /// An address as D-Bus writes it, as `unix:path=/run/dbus/system_bus_socket`.
  case address(String)
}
