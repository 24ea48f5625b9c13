// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// How a virtual device behaves: what it answers and sends, without a radio.
package protocol VirtualDeviceLogic: Sendable {
  /// Its attributes, which never change.
  var services: [VirtualService] { get }
  /// Whether it can be found at present.
  var isAdvertising: Bool { get }
  /// What it broadcasts at present beside name and services; nil for a device that is connected.
  var broadcast: VirtualBroadcast? { get }
  /// When ``VirtualDeviceInput/timeReached`` is due; nil when nothing is waited for.
  var deadline: Duration? { get }

  /// Takes an input and returns what the device does, in order.
  mutating func handle(_ input: VirtualDeviceInput, at time: DriverTime) -> [VirtualDeviceOutput]
}

extension VirtualDeviceLogic {
  package var broadcast: VirtualBroadcast? { nil }
  package var deadline: Duration? { nil }
}

/// What happens to a virtual device.
package enum VirtualDeviceInput: Hashable, Sendable {
  /// Somebody measures with it; the numbers count from 1, and values may be made of them.
  case measure(number: Int)
  /// It is given measurements that it has taken, as payloads in its own form, oldest first.
  case remember([[UInt8]])
  /// Somebody puts it into its pairing mode.
  case pairingMode
  /// A central wants a characteristic's values.
  case subscribed(Attribute)
  /// A central wants them no more.
  case unsubscribed(Attribute)
  /// A central reads a characteristic without a fixed value: answer or refuse.
  case read(Attribute)
  /// A central writes: accept or refuse; nothing of both accepts.
  case written(Attribute, [UInt8])
  /// The last subscription has ended, and whether all that was sent has arrived for certain.
  case left(allArrived: Bool)
  /// A deadline may have been reached.
  case timeReached
}

/// What a virtual device does.
package enum VirtualDeviceOutput: Hashable, Sendable {
  /// The answer to a read.
  case answer([UInt8])
  /// The answer to a write.
  case accept
  /// Refuses a read or a write with an ATT error.
  case refuse(UInt8)
  /// Notifies or indicates a value.
  case send(Attribute, [UInt8])
  /// Reports to its observers.
  case tell(VirtualDeviceEvent)
}

/// A service of a virtual device.
package struct VirtualService: Hashable, Sendable {
  package let uuid: String
  package let characteristics: [VirtualCharacteristic]

  package init(_ uuid: String, _ characteristics: [VirtualCharacteristic]) {
    self.uuid = uuid.uppercased()
    self.characteristics = characteristics
  }
}

/// A characteristic of a virtual device.
package struct VirtualCharacteristic: Hashable, Sendable {
  package struct Properties: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let read = Properties(rawValue: 1)
    package static let write = Properties(rawValue: 2)
    package static let writeWithoutResponse = Properties(rawValue: 4)
    package static let notify = Properties(rawValue: 8)
    package static let indicate = Properties(rawValue: 16)
  }

  package let uuid: String
  package let properties: Properties
  /// Whether it is given to bonded peers only.
  package let isProtected: Bool
  /// The value of a characteristic that is only read and never changes.
  package let value: [UInt8]?

  package init(
    _ uuid: String, _ properties: Properties, isProtected: Bool = false
  ) {
    self.uuid = uuid.uppercased()
    self.properties = properties
    self.isProtected = isProtected
    value = nil
  }

  /// A value that never changes.
  package init(_ uuid: String, value: [UInt8]) {
    self.uuid = uuid.uppercased()
    properties = .read
    isProtected = false
    self.value = value
  }

  /// A text that never changes.
  package init(_ uuid: String, text: String) { self.init(uuid, value: Array(text.utf8)) }
}

/// What a device that is never connected sends out beside its name and services.
package struct VirtualBroadcast: Hashable, Sendable {
  /// Service data by service UUID.
  package var serviceData: [String: [UInt8]]
  /// The company identifier (two bytes, least significant first) and what follows it.
  package var manufacturerData: [UInt8]

  package init(serviceData: [String: [UInt8]] = [:], manufacturerData: [UInt8] = []) {
    self.serviceData = serviceData
    self.manufacturerData = manufacturerData
  }
}

extension VirtualService {
  /// Device Information (180A).
  package static func deviceInformation(
    manufacturer: String, model: String, serialNumber: String, firmwareRevision: String
  ) -> VirtualService {
    VirtualService(
      "180A",
      [
        VirtualCharacteristic("2A29", text: manufacturer),
        VirtualCharacteristic("2A24", text: model),
        VirtualCharacteristic("2A25", text: serialNumber),
        VirtualCharacteristic("2A26", text: firmwareRevision),
      ])
  }

  /// Battery (180F).
  package static func battery(percent: UInt8) -> VirtualService {
    VirtualService("180F", [VirtualCharacteristic("2A19", value: [percent])])
  }
}
