// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioDBus
import VirtualDevices

/// The objects that bluetoothd has for an adapter and its devices (BlueZ, doc/adapter-api.txt,
/// device-api.txt and agent-api.txt).
enum BlueZObjects {
  typealias Methods = [String: @Sendable (DBusIncomingCall) -> Void]

  static let adapter = "/org/bluez/hci0"
  static let device = "org.bluez.Device1"
  static let characteristic = "org.bluez.GattCharacteristic1"
  static let failed = DBusError(
    name: "org.bluez.Error.Failed", message: "le-connection-abort-by-local")
  static let notConnected = DBusError(name: "org.bluez.Error.Failed", message: "Not connected")
  static let inProgress = DBusError(
    name: "org.bluez.Error.InProgress", message: "Operation already in progress")
  static let notSupported = DBusError(
    name: "org.bluez.Error.NotSupported", message: "Operation is not supported")

  /// The error of a request that a device has refused.
  static func refused(_ output: VirtualDeviceOutput?) -> DBusError {
    guard case .refuse(let code)? = output else {
      return DBusError(name: "org.bluez.Error.NotPermitted", message: "Read not permitted")
    }
    return DBusError(
      name: "org.bluez.Error.Failed",
      message: "Operation failed with ATT error: 0x"
        + (code < 16 ? "0" : "") + String(code, radix: 16))
  }

  static let agentManager = DBusObject(
    "/org/bluez",
    [
      DBusInterface(
        name: "org.bluez.AgentManager1",
        methods: [
          "RegisterAgent": { $0.reply() }, "RequestDefaultAgent": { $0.reply() },
          "UnregisterAgent": { $0.reply() },
        ])
    ])

  static func adapter(methods: Methods) -> DBusObject {
    let properties: [String: DBusValue] = [
      "Address": .string("00:AA:01:00:00:42"), "AddressType": .string("public"),
      "Name": .string("bench"), "Alias": .string("bench"), "Powered": .boolean(true),
      "Pairable": .boolean(true), "Discovering": .boolean(false),
      "Roles": .strings(["central", "peripheral"]),
    ]
    return DBusObject(
      adapter,
      [
        DBusInterface(name: "org.bluez.Adapter1", properties: properties, methods: methods),
        DBusInterface(
          name: "org.bluez.GattManager1",
          methods: [
            "RegisterApplication": { $0.reply() }, "UnregisterApplication": { $0.reply() },
          ]),
      ])
  }

  /// A paired blood pressure monitor and thermometer that does not advertise.
  static func known(_ number: Int, methods: Methods) -> DBusObject {
    device(
      [0xF0, 0xF1, 0xF2, 0xF3, UInt8(number >> 8), UInt8(number & 255)], "Known", number,
      [
        "Paired": .boolean(true), "Bonded": .boolean(true), "Trusted": .boolean(true),
        "UUIDs": .strings([
          "00001810-0000-1000-8000-00805f9b34fb", "00001809-0000-1000-8000-00805f9b34fb",
        ]),
      ], methods)
  }

  /// A device that is no health device.
  static func stranger(_ number: Int) -> DBusObject {
    let data = Data([UInt8(number & 255), UInt8(number >> 8)])
    return device(
      [0xC0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 255)], "Crowd", number,
      [
        "ManufacturerData": .dictionary(
          [.uint16(0xFFFF): .variant(.bytes(data))], key: "q", value: "v")
      ], ["Connect": { $0.fail(failed) }, "Disconnect": { $0.reply() }])
  }

  /// An object whose name has the device's number, as its address does.
  private static func device(
    _ address: [UInt8], _ kind: String, _ number: Int, _ properties: [String: DBusValue],
    _ methods: Methods
  ) -> DBusObject {
    let digits = String(number)
    let name = "\(kind) \(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)"
    return device(address, name, properties, methods)
  }

  static func device(
    _ address: [UInt8], _ name: String, _ properties: [String: DBusValue], _ methods: Methods
  ) -> DBusObject {
    let text = address.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      .map { $0.uppercased() }
    let common: [String: DBusValue] = [
      "Address": .string(text.joined(separator: ":")), "AddressType": .string("random"),
      "Name": .string(name), "Alias": .string(name), "Adapter": .objectPath(adapter),
      "Paired": .boolean(false), "Bonded": .boolean(false), "Trusted": .boolean(false),
      "Blocked": .boolean(false), "LegacyPairing": .boolean(false), "Connected": .boolean(false),
      "ServicesResolved": .boolean(false), "UUIDs": .strings([]),
    ]
    return DBusObject(
      "\(adapter)/dev_\(text.joined(separator: "_"))",
      [
        DBusInterface(
          name: device, properties: common.merging(properties) { $1 }, methods: methods)
      ])
  }
}
