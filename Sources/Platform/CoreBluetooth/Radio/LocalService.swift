// SPDX-License-Identifier: Apache-2.0

/// Identifies a published attribute; the manager chooses the number.
package typealias LocalAttribute = UInt32

/// A service to publish.
package struct LocalService: Codable, Hashable, Sendable {
  /// Identifies it to the radio.
  package var id: LocalAttribute
  /// Its type.
  package var uuid: BluetoothUUID
  /// Whether it is primary, and not only included by other services.
  package var isPrimary: Bool
  /// The services that it includes, which are already published.
  package var includedServices: [LocalAttribute]
  /// Its characteristics, in order.
  package var characteristics: [LocalCharacteristic]

  /// A service.
  package init(
    id: LocalAttribute, uuid: BluetoothUUID, isPrimary: Bool, includedServices: [LocalAttribute],
    characteristics: [LocalCharacteristic]
  ) {
    self.id = id
    self.uuid = uuid
    self.isPrimary = isPrimary
    self.includedServices = includedServices
    self.characteristics = characteristics
  }
}

/// A characteristic to publish; the radio enforces the permissions and keeps the subscriptions.
package struct LocalCharacteristic: Codable, Hashable, Sendable {
  /// Identifies it to the radio.
  package var id: LocalAttribute
  /// Its type.
  package var uuid: BluetoothUUID
  /// The operations announced to clients.
  package var properties: CBCharacteristicProperties {
    get { CBCharacteristicProperties(rawValue: propertyBits) }
    set { propertyBits = newValue.rawValue }
  }
  /// What clients may do.
  package var permissions: CBAttributePermissions {
    get { CBAttributePermissions(rawValue: permissionBits) }
    set { permissionBits = newValue.rawValue }
  }
  /// A value that the radio serves by itself; nil sends each read to the session.
  package var value: Data?
  /// Its descriptors; the radio adds the client's configuration.
  package var descriptors: [LocalDescriptor]

  private var propertyBits: UInt
  private var permissionBits: UInt

  /// A characteristic.
  package init(
    id: LocalAttribute, uuid: BluetoothUUID, properties: CBCharacteristicProperties,
    permissions: CBAttributePermissions, value: Data?, descriptors: [LocalDescriptor]
  ) {
    self.id = id
    self.uuid = uuid
    propertyBits = properties.rawValue
    permissionBits = permissions.rawValue
    self.value = value
    self.descriptors = descriptors
  }
}

/// A descriptor to publish, with its value.
package struct LocalDescriptor: Codable, Hashable, Sendable {
  /// Its type.
  package var uuid: BluetoothUUID
  /// The value, which never changes.
  package var value: Data

  /// A descriptor.
  package init(uuid: BluetoothUUID, value: Data) {
    self.uuid = uuid
    self.value = value
  }
}
