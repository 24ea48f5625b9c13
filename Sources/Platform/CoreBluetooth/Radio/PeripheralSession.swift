// SPDX-License-Identifier: Apache-2.0

/// The peripheral role of a ``Radio`` for one manager.
@_spi(Radio)
public protocol PeripheralSession: AnyObject, Sendable {
  /// Publishes a service; ends in `.serviceAdded`.
  func add(_ service: LocalService)
  func remove(_ service: LocalAttribute)
  func removeAll()

  /// Advertises; ends in `.advertisingStarted`.
  func startAdvertising(_ advertisement: Advertisement)
  func stopAdvertising()

  /// Answers a `.read` or a `.write`; of a read's data the radio takes what fits.
  func respond(to request: RequestNumber, _ answer: Result<Data, RadioError>)

  /// Notifies or indicates a value to subscribed centrals, nil for all; ends in `.updateSent`.
  func update(
    _ value: Data, of characteristic: LocalAttribute, for centrals: [PeerIdentifier]?,
    number: RequestNumber)

  /// Asks for another connection interval.
  func setLatency(_ latency: CBPeripheralManagerConnectionLatency, for central: PeerIdentifier)

  /// Ends the session, its advertising and its services; no event follows.
  func close()
}

/// Names a published attribute; the manager chooses the number.
@_spi(Radio) public typealias LocalAttribute = UInt32

/// A service to publish.
@_spi(Radio)
public struct LocalService: Hashable, Sendable {
  public var id: LocalAttribute
  public var uuid: BluetoothUUID
  public var isPrimary: Bool
  public var includedServices: [LocalAttribute]
  public var characteristics: [LocalCharacteristic]

  /// A service.
  public init(
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
@_spi(Radio)
public struct LocalCharacteristic: Hashable, Sendable {
  public var id: LocalAttribute
  public var uuid: BluetoothUUID
  public var properties: CBCharacteristicProperties
  public var permissions: CBAttributePermissions
  /// A value that the radio serves by itself; nil asks the session at each read.
  public var value: Data?
  public var descriptors: [LocalDescriptor]

  /// A characteristic.
  public init(
    id: LocalAttribute, uuid: BluetoothUUID, properties: CBCharacteristicProperties,
    permissions: CBAttributePermissions, value: Data?, descriptors: [LocalDescriptor]
  ) {
    self.id = id
    self.uuid = uuid
    self.properties = properties
    self.permissions = permissions
    self.value = value
    self.descriptors = descriptors
  }
}

/// A descriptor to publish, with its value.
@_spi(Radio)
public struct LocalDescriptor: Hashable, Sendable {
  public var uuid: BluetoothUUID
  public var value: Data

  /// A descriptor.
  public init(uuid: BluetoothUUID, value: Data) {
    self.uuid = uuid
    self.value = value
  }
}

/// A central as the host knows it.
@_spi(Radio)
public struct RemoteCentral: Hashable, Sendable {
  public var identifier: PeerIdentifier
  /// The longest value of a notification.
  public var maximumUpdate: Int

  /// A central.
  public init(identifier: PeerIdentifier, maximumUpdate: Int) {
    self.identifier = identifier
    self.maximumUpdate = maximumUpdate
  }
}

/// One part of a write, from its offset on.
@_spi(Radio)
public struct WritePart: Hashable, Sendable {
  public var characteristic: LocalAttribute
  public var offset: Int
  public var value: Data

  /// A part.
  public init(characteristic: LocalAttribute, offset: Int, value: Data) {
    self.characteristic = characteristic
    self.offset = offset
    self.value = value
  }
}

/// What happens to a peripheral session.
@_spi(Radio)
public enum PeripheralEvent: Sendable {
  /// Below `.poweredOn` all centrals are gone; below `.poweredOff` the services are, too.
  case stateChanged(CBManagerState)
  case serviceAdded(LocalAttribute, RadioError?)
  case advertisingStarted(RadioError?)
  /// Wants `respond`, once.
  case read(RequestNumber, RemoteCentral, LocalAttribute, offset: Int)
  /// The parts are one write, all or nothing. Wants `respond`, once, also for a command.
  case write(RequestNumber, RemoteCentral, [WritePart])
  case subscribed(RemoteCentral, LocalAttribute)
  /// Also when the link ends.
  case unsubscribed(RemoteCentral, LocalAttribute)
  /// The value has left, or nobody wanted it: there is room for another one.
  case updateSent(RequestNumber)
}
