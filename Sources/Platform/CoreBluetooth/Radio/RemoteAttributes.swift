// SPDX-License-Identifier: Apache-2.0

/// Identifies a remote attribute while its peer's database is unchanged.
@_spi(Radio) public typealias AttributeHandle = UInt32

/// A service of a peer.
@_spi(Radio)
public struct RemoteService: Codable, Hashable, Sendable {
  /// Identifies it to the radio.
  public var handle: AttributeHandle
  /// Its type.
  public var uuid: BluetoothUUID
  /// Whether it is primary, and not only included by other services.
  public var isPrimary: Bool

  /// A service.
  public init(handle: AttributeHandle, uuid: BluetoothUUID, isPrimary: Bool) {
    self.handle = handle
    self.uuid = uuid
    self.isPrimary = isPrimary
  }
}

/// A characteristic of a peer.
@_spi(Radio)
public struct RemoteCharacteristic: Codable, Hashable, Sendable {
  /// Identifies it to the radio.
  public var handle: AttributeHandle
  /// Its type.
  public var uuid: BluetoothUUID
  /// What can be done with it.
  public var properties: CBCharacteristicProperties {
    get { CBCharacteristicProperties(rawValue: propertyBits) }
    set { propertyBits = newValue.rawValue }
  }

  private var propertyBits: UInt

  /// A characteristic.
  public init(handle: AttributeHandle, uuid: BluetoothUUID, properties: CBCharacteristicProperties)
  {
    self.handle = handle
    self.uuid = uuid
    propertyBits = properties.rawValue
  }
}

/// A descriptor of a peer.
@_spi(Radio)
public struct RemoteDescriptor: Codable, Hashable, Sendable {
  /// Identifies it to the radio.
  public var handle: AttributeHandle
  /// Its type.
  public var uuid: BluetoothUUID

  /// A descriptor.
  public init(handle: AttributeHandle, uuid: BluetoothUUID) {
    self.handle = handle
    self.uuid = uuid
  }
}
