// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// A characteristic of a service, remote or local.
open class CBCharacteristic: CBAttribute {
  struct State {
    weak var service: CBService?
    var properties: CBCharacteristicProperties
    var value: Data?
    var descriptors: [CBDescriptor]?
    var isNotifying = false
    var permissions: CBAttributePermissions = []
    var subscribers: [CBCentral] = []
  }

  let state: Locked<State>

  /// Characteristics come from discovery.
  @available(*, unavailable)
  public override convenience init() {
    self.init(uuid: CBUUID(), properties: [])
  }

  init(
    uuid type: CBUUID, properties: CBCharacteristicProperties, handle: AttributeHandle? = nil
  ) {
    state = Locked(State(properties: properties))
    super.init(uuid: type, handle: handle)
  }

  /// A characteristic found on a peer.
  convenience init(_ characteristic: RemoteCharacteristic, of service: CBService) {
    self.init(
      uuid: CBUUID(characteristic.uuid), properties: characteristic.properties,
      handle: characteristic.handle)
    state.withLock { $0.service = service }
  }

  /// The service that has the characteristic.
  open var service: CBService? { state.withLock { $0.service } }

  /// What can be done with it.
  open var properties: CBCharacteristicProperties { state.withLock { $0.properties } }

  /// The value last read or notified; nil before.
  open var value: Data? { state.withLock { $0.value } }

  /// The descriptors found so far; nil before the first discovery.
  open var descriptors: [CBDescriptor]? { state.withLock { $0.descriptors } }

  /// Always false: systems no longer broadcast characteristics.
  @available(iOS, introduced: 5.0, deprecated: 8.0)
  @available(macOS, introduced: 10.9, deprecated: 10.13)
  open var isBroadcasted: Bool { false }

  /// Whether this client receives changes of the characteristic's value.
  open var isNotifying: Bool { state.withLock { $0.isNotifying } }

  /// The class, the address, the UUID, the properties, the value's length and whether it notifies.
  open override var description: String {
    "<\(Swift.type(of: self)): \(address(self)), UUID = \(uuid), "
      + "properties = \(described(properties.rawValue)), value = \(described(value)), "
      + "notifying = \(described(isNotifying))>"
  }
}

/// A characteristic to publish as part of a ``CBMutableService``.
open class CBMutableCharacteristic: CBCharacteristic {
  /// A characteristic needs a type.
  @available(*, unavailable)
  public convenience init() {
    self.init(type: CBUUID(), properties: [], value: nil, permissions: [])
  }

  /// A characteristic.
  ///
  /// - Parameters:
  ///   - UUID: Its type.
  ///   - properties: The operations announced to clients.
  ///   - value: A value that never changes and is served by the system; nil for read requests.
  ///   - permissions: What clients may do.
  /// - Precondition: With a value, properties and permissions are for reading only.
  public init(
    type UUID: CBUUID, properties: CBCharacteristicProperties, value: Data?,
    permissions: CBAttributePermissions
  ) {
    precondition(
      value == nil
        || properties.isSubset(of: .read)
          && permissions.isSubset(of: [.readable, .readEncryptionRequired]),
      "Characteristics with cached values must be read-only")
    super.init(uuid: UUID, properties: properties)
    state.withLock {
      $0.value = value
      $0.permissions = permissions
    }
  }

  /// What clients may do.
  open var permissions: CBAttributePermissions {
    get { state.withLock { $0.permissions } }
    set { state.withLock { $0.permissions = newValue } }
  }

  /// The centrals that receive changes of the value.
  open var subscribedCentrals: [CBCentral]? { state.withLock { $0.subscribers } }

  /// The operations announced to clients.
  open override var properties: CBCharacteristicProperties {
    get { super.properties }
    set { state.withLock { $0.properties = newValue } }
  }

  /// The value served by the system; nil when the manager answers read requests.
  open override var value: Data? {
    get { super.value }
    set { state.withLock { $0.value = newValue } }
  }

  /// The descriptors to publish: at most a user description (2901) and a format (2904).
  open override var descriptors: [CBDescriptor]? {
    get { super.descriptors }
    set {
      state.withLock { $0.descriptors = newValue }
      for descriptor in newValue ?? [] {
        descriptor.state.withLock { $0.characteristic = self }
      }
    }
  }

  /// The class, the address, the UUID, the value's length, what is permitted, and the contents.
  open override var description: String {
    "<\(Swift.type(of: self)): \(address(self)) UUID = \(uuid), Value = \(described(value)), "
      + "Properties = \(described(properties.rawValue)), "
      + "Permissions = \(described(permissions.rawValue)), "
      + "Descriptors = \(described(descriptors)), "
      + "SubscribedCentrals = \(described(subscribedCentrals))>"
  }
}
