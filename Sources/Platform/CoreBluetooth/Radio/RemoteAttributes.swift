// SPDX-License-Identifier: Apache-2.0

/// Identifies a remote attribute while its peer's database is unchanged.
package typealias AttributeHandle = UInt32

/// A service of a peer.
package struct RemoteService: Codable, Hashable, Sendable {
  /// Identifies it to the radio.
  package var handle: AttributeHandle
  /// Its type.
  package var uuid: BluetoothUUID
  /// Whether it is primary, and not only included by other services.
  package var isPrimary: Bool

  /// A service.
  package init(handle: AttributeHandle, uuid: BluetoothUUID, isPrimary: Bool) {
    self.handle = handle
    self.uuid = uuid
    self.isPrimary = isPrimary
  }
}

/// A characteristic of a peer.
package struct RemoteCharacteristic: Codable, Hashable, Sendable {
  /// Identifies it to the radio.
  package var handle: AttributeHandle
  /// Its type.
  package var uuid: BluetoothUUID
  /// What can be done with it.
  package var properties: CBCharacteristicProperties {
    get { CBCharacteristicProperties(rawValue: propertyBits) }
    set { propertyBits = newValue.rawValue }
  }

  private var propertyBits: UInt

  /// A characteristic.
  package init(handle: AttributeHandle, uuid: BluetoothUUID, properties: CBCharacteristicProperties)
  {
    self.handle = handle
    self.uuid = uuid
    propertyBits = properties.rawValue
  }
}

/// A descriptor of a peer.
package struct RemoteDescriptor: Codable, Hashable, Sendable {
  /// Identifies it to the radio.
  package var handle: AttributeHandle
  /// Its type.
  package var uuid: BluetoothUUID

  /// A descriptor.
  package init(handle: AttributeHandle, uuid: BluetoothUUID) {
    self.handle = handle
    self.uuid = uuid
  }
}
