// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import SantorioDBus
import VirtualDevices

/// The objects of a device's services and characteristics (BlueZ, doc/gatt-api.txt).
struct DeviceAttributes {
  private(set) var objects: [DBusObject] = []
  private var characteristics: [GATTAttribute: DBusObject] = [:]

  /// Makes the objects; their requests go to the device.
  init(_ services: [VirtualService], below path: String, device: HealthDevice) {
    var handle = 0x10
    for service in services {
      let servicePath = "\(path)/service\(Self.digits(handle))"
      objects.append(Self.object(service, at: servicePath, device: path))
      for characteristic in service.characteristics {
        handle += 1
        let attribute = GATTAttribute(service.uuid, characteristic.uuid)
        let object = Self.object(
          characteristic, attribute, at: "\(servicePath)/char\(Self.digits(handle))",
          service: servicePath, of: device)
        characteristics[attribute] = object
        objects.append(object)
        handle += 2
      }
      handle += 0x10
    }
  }

  func object(_ attribute: GATTAttribute) -> DBusObject? { characteristics[attribute] }

  private static func digits(_ handle: Int) -> String {
    let text = String(handle, radix: 16)
    return String(repeating: "0", count: 4 - text.count) + text
  }

  private static func object(
    _ service: VirtualService, at path: String, device: String
  ) -> DBusObject {
    DBusObject(
      path,
      [
        DBusInterface(
          name: "org.bluez.GattService1",
          properties: [
            "UUID": .string(service.uuid.fullUUID), "Primary": .boolean(true),
            "Device": .objectPath(device), "Includes": .array([], of: "o"),
          ])
      ])
  }

  private static func object(
    _ characteristic: VirtualCharacteristic, _ attribute: GATTAttribute, at path: String,
    service: String, of device: HealthDevice
  ) -> DBusObject {
    let isProtected = characteristic.isProtected
    let ask: @Sendable (DBusIncomingCall) -> Void = { [weak device] call in
      device?.request(call, of: attribute, isProtected: isProtected)
    }
    return DBusObject(
      path,
      [
        DBusInterface(
          name: BlueZObjects.characteristic,
          properties: [
            "UUID": .string(characteristic.uuid.fullUUID), "Service": .objectPath(service),
            "Value": .bytes(Data()), "MTU": .uint16(247), "Notifying": .boolean(false),
            "Flags": .strings(characteristic.properties.flags),
          ],
          methods: [
            "ReadValue": ask, "WriteValue": ask, "StartNotify": ask, "StopNotify": ask,
            "AcquireWrite": { $0.fail(BlueZObjects.notSupported) },
          ])
      ])
  }
}

extension VirtualCharacteristic.Properties {
  /// The names that bluetoothd has for them.
  fileprivate var flags: [String] {
    let names: [(VirtualCharacteristic.Properties, String)] = [
      (.read, "read"), (.write, "write"), (.writeWithoutResponse, "write-without-response"),
      (.notify, "notify"), (.indicate, "indicate"),
    ]
    return names.filter { contains($0.0) }.map(\.1)
  }
}

extension String {
  /// A 16-bit or 128-bit UUID in the form that bluetoothd writes.
  var fullUUID: String {
    count == 4 ? "0000\(lowercased())-0000-1000-8000-00805f9b34fb" : lowercased()
  }
}
