// SPDX-License-Identifier: Apache-2.0

/// The attributes that a host publishes.
final class AttributeServer {
  private(set) var table = AttributeTable()
  /// The last handle; handles are never reused, so an invalid one stays invalid.
  private var lastHandle: AttributeHandle = 0

  private func nextHandle() -> AttributeHandle {
    lastHandle += 1
    return lastHandle
  }

  func add(_ local: LocalService, for role: PeripheralRole?) {
    var service = AttributeTable.Service(handle: nextHandle(), role: role, local: local)
    for characteristic in local.characteristics {
      service.characteristics.append(add(characteristic, for: role))
    }
    table.services.append(service)
  }

  private func add(
    _ local: LocalCharacteristic, for role: PeripheralRole?
  ) -> AttributeTable.Characteristic {
    var result = AttributeTable.Characteristic(handle: nextHandle(), role: role, local: local)
    for descriptor in local.descriptors {
      result.descriptors.append(
        AttributeTable.Descriptor(
          handle: nextHandle(), uuid: descriptor.uuid, value: descriptor.value))
    }
    if !local.properties.isDisjoint(with: .subscribable) {
      result.descriptors.append(
        AttributeTable.Descriptor(
          handle: nextHandle(), uuid: BluetoothUUID(0x2902), value: nil))
    }
    return result
  }

  /// Removes services of a role and returns their handles.
  func remove(
    of role: PeripheralRole, where condition: (LocalService) -> Bool
  ) -> [AttributeHandle] {
    let isDead = { (service: AttributeTable.Service) in
      service.role === role && condition(service.local)
    }
    let invalid = table.services.filter(isDead)
    table.services.removeAll(where: isDead)
    return invalid.map(\.handle)
  }

  /// Replaces a role whose process has ended by its successor; clients do not notice.
  func handOver(from old: PeripheralRole, to new: PeripheralRole) {
    for service in table.services.indices where table.services[service].role === old {
      table.services[service].role = new
      for index in table.services[service].characteristics.indices {
        table.services[service].characteristics[index].role = new
      }
    }
  }

  func handle(of id: LocalAttribute, in role: PeripheralRole) -> AttributeHandle? {
    for service in table.services where service.role === role {
      if let found = service.characteristics.first(where: { $0.local.id == id }) {
        return found.handle
      }
    }
    return nil
  }

  // MARK: - The host's own services

  /// Publishes Generic Access and Generic Attribute, which every device has.
  func publishGenericServices(name: String) {
    add(
      .generic(0x1800, [.constant(0x2A00, Data(name.utf8)), .constant(0x2A01, Data([0, 0]))]),
      for: nil)
    add(.generic(0x1801, [.serviceChanged]), for: nil)
  }

  /// Changes the name in Generic Access.
  func setName(_ name: String) {
    table.services[0].characteristics[0].local.value = Data(name.utf8)
  }
}

extension LocalService {
  fileprivate static func generic(
    _ uuid: UInt16, _ characteristics: [LocalCharacteristic]
  ) -> Self {
    Self(
      id: 0, uuid: BluetoothUUID(uuid), isPrimary: true, includedServices: [],
      characteristics: characteristics)
  }
}

extension LocalCharacteristic {
  fileprivate static func constant(_ uuid: UInt16, _ value: Data) -> Self {
    Self(
      id: 0, uuid: BluetoothUUID(uuid), properties: .read, permissions: .readable, value: value,
      descriptors: [])
  }

  fileprivate static var serviceChanged: Self {
    Self(
      id: 0, uuid: BluetoothUUID(0x2A05), properties: .indicate, permissions: [], value: nil,
      descriptors: [])
  }
}

extension CBCharacteristicProperties {
  /// The properties that require a client characteristic configuration.
  static let subscribable: Self = [
    .notify, .indicate, .notifyEncryptionRequired, .indicateEncryptionRequired,
  ]

  /// The properties visible to a client, without those for encryption.
  var onTheAir: Self {
    var result = intersection(Self(rawValue: 0xFF))
    if contains(.notifyEncryptionRequired) { result.insert(.notify) }
    if contains(.indicateEncryptionRequired) { result.insert(.indicate) }
    return result
  }
}
