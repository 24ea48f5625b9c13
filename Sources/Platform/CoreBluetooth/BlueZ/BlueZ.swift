// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

/// The names by which bluetoothd is reached on the system bus (BlueZ, doc/*-api.txt).
enum BlueZ {
  static let service = "org.bluez"
  static let root = "/org/bluez"
  static let properties = "org.freedesktop.DBus.Properties"

  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let gattService = "org.bluez.GattService1"
  static let characteristic = "org.bluez.GattCharacteristic1"
  static let descriptor = "org.bluez.GattDescriptor1"
  static let agentManager = "org.bluez.AgentManager1"
  static let agent = "org.bluez.Agent1"
  static let gattManager = "org.bluez.GattManager1"
  static let gattProfile = "org.bluez.GattProfile1"

  /// A call of one of bluetoothd's objects.
  static func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: DBusValue...
  ) -> DBusCall {
    var call = DBusCall(service, path, interface, member)
    call.arguments = arguments
    return call
  }
}
