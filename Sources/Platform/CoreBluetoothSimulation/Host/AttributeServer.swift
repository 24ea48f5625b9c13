// SPDX-License-Identifier: Apache-2.0

@_spi(Radio) import CoreBluetooth

/// The attributes that a host publishes.
final class AttributeServer {
  struct Service {
    let handle: AttributeHandle
    var role: PeripheralRole
    let local: LocalService
    var characteristics: [Characteristic] = []
  }

  struct Characteristic {
    let handle: AttributeHandle
    var role: PeripheralRole
    let local: LocalCharacteristic
    var descriptors: [Descriptor] = []
  }

  struct Descriptor {
    let handle: AttributeHandle
    let uuid: BluetoothUUID
    /// Nil is the client's configuration, which each link has for itself.
    let value: Data?
  }

  private(set) var services: [Service] = []
  /// Handles are never used twice, so a dead one stays dead.
  private var lastHandle: AttributeHandle = 0

  private func nextHandle() -> AttributeHandle {
    lastHandle += 1
    return lastHandle
  }

  func add(_ local: LocalService, for role: PeripheralRole) {
    var service = Service(handle: nextHandle(), role: role, local: local)
    for characteristic in local.characteristics {
      service.characteristics.append(add(characteristic, for: role))
    }
    services.append(service)
  }

  private func add(_ local: LocalCharacteristic, for role: PeripheralRole) -> Characteristic {
    var result = Characteristic(handle: nextHandle(), role: role, local: local)
    for descriptor in local.descriptors {
      result.descriptors.append(
        Descriptor(handle: nextHandle(), uuid: descriptor.uuid, value: descriptor.value))
    }
    if !local.properties.isDisjoint(with: .subscribable) {
      result.descriptors.append(
        Descriptor(handle: nextHandle(), uuid: BluetoothUUID(0x2902), value: nil))
    }
    return result
  }

  /// Removes services and gives their handles.
  func remove(_ condition: (PeripheralRole, LocalService) -> Bool) -> [AttributeHandle] {
    let dead = services.filter { condition($0.role, $0.local) }
    services.removeAll { condition($0.role, $0.local) }
    return dead.map(\.handle)
  }

  /// Puts a role in the place of one whose process is gone; clients notice nothing.
  func handOver(from old: PeripheralRole, to new: PeripheralRole) {
    for service in services.indices where services[service].role === old {
      services[service].role = new
      for index in services[service].characteristics.indices {
        services[service].characteristics[index].role = new
      }
    }
  }

  func has(anyOf uuids: [BluetoothUUID]) -> Bool {
    services.contains { uuids.contains($0.local.uuid) }
  }

  // MARK: - Discovery

  func services(_ uuids: [BluetoothUUID]?) -> [RemoteService] {
    services.filter { $0.local.isPrimary && matches($0.local.uuid, uuids) }.map(\.remote)
  }

  func includedServices(_ uuids: [BluetoothUUID]?, of handle: AttributeHandle) -> [RemoteService] {
    guard let service = services.first(where: { $0.handle == handle }) else { return [] }
    return services.filter {
      $0.role === service.role && service.local.includedServices.contains($0.local.id)
        && matches($0.local.uuid, uuids)
    }.map(\.remote)
  }

  func characteristics(
    _ uuids: [BluetoothUUID]?, of handle: AttributeHandle
  ) -> [RemoteCharacteristic] {
    let service = services.first { $0.handle == handle }
    return (service?.characteristics ?? []).filter { matches($0.local.uuid, uuids) }.map {
      RemoteCharacteristic(
        handle: $0.handle, uuid: $0.local.uuid, properties: $0.local.properties.onTheAir)
    }
  }

  func descriptors(of handle: AttributeHandle) -> [RemoteDescriptor] {
    (characteristic(handle)?.descriptors ?? []).map {
      RemoteDescriptor(handle: $0.handle, uuid: $0.uuid)
    }
  }

  private func matches(_ uuid: BluetoothUUID, _ wanted: [BluetoothUUID]?) -> Bool {
    wanted.map { $0.isEmpty || $0.contains(uuid) } ?? true
  }

  // MARK: - Attributes

  func characteristic(_ handle: AttributeHandle) -> Characteristic? {
    for service in services {
      if let found = service.characteristics.first(where: { $0.handle == handle }) { return found }
    }
    return nil
  }

  func descriptor(_ handle: AttributeHandle) -> (Descriptor, of: Characteristic)? {
    for service in services {
      for characteristic in service.characteristics {
        if let found = characteristic.descriptors.first(where: { $0.handle == handle }) {
          return (found, characteristic)
        }
      }
    }
    return nil
  }

  func handle(of id: LocalAttribute, in role: PeripheralRole) -> AttributeHandle? {
    for service in services where service.role === role {
      if let found = service.characteristics.first(where: { $0.local.id == id }) {
        return found.handle
      }
    }
    return nil
  }
}

extension AttributeServer.Service {
  fileprivate var remote: RemoteService {
    RemoteService(handle: handle, uuid: local.uuid, isPrimary: local.isPrimary)
  }
}

extension CBCharacteristicProperties {
  /// Everything that brings a client's configuration with it.
  static let subscribable: Self = [
    .notify, .indicate, .notifyEncryptionRequired, .indicateEncryptionRequired,
  ]

  /// What a client sees: the demand for encryption is the server's own business.
  var onTheAir: Self {
    var result = intersection(Self(rawValue: 0xFF))
    if contains(.notifyEncryptionRequired) { result.insert(.notify) }
    if contains(.indicateEncryptionRequired) { result.insert(.indicate) }
    return result
  }
}
