// SPDX-License-Identifier: Apache-2.0

/// The published services, by the numbers that the radio uses for them.
struct LocalDatabase {
  private var services: [LocalAttribute: CBMutableService] = [:]
  private var characteristics: [LocalAttribute: CBMutableCharacteristic] = [:]
  private var owners: [LocalAttribute: LocalAttribute] = [:]
  private var next: LocalAttribute = 1

  /// Adds a service in its current state; throws when it cannot be published.
  mutating func add(_ service: CBMutableService) throws(RadioError) -> LocalService {
    try check(service)
    let id = number()
    services[id] = service
    return LocalService(
      id: id, uuid: service.uuid.value, isPrimary: service.isPrimary,
      includedServices: (service.includedServices ?? []).compactMap(self.id),
      characteristics: service.mutableCharacteristics.map { add($0, to: id) })
  }

  private mutating func add(
    _ characteristic: CBMutableCharacteristic, to service: LocalAttribute
  ) -> LocalCharacteristic {
    let id = number()
    characteristics[id] = characteristic
    owners[id] = service
    return LocalCharacteristic(
      id: id, uuid: characteristic.uuid.value, properties: characteristic.properties,
      permissions: characteristic.permissions, value: characteristic.value,
      descriptors: characteristic.mutableDescriptors.map {
        LocalDescriptor(uuid: $0.uuid.value, value: $0.bytes)
      })
  }

  /// Restores services published by an earlier process, and creates objects for them.
  mutating func restore(_ restored: [LocalService]) -> [CBMutableService] {
    let made = restored.map { local in
      let service = CBMutableService(type: CBUUID(local.uuid), primary: local.isPrimary)
      service.characteristics = local.characteristics.map { restore($0, of: local.id) }
      services[local.id] = service
      next = max(next, local.id + 1)
      return service
    }
    for (local, service) in zip(restored, made) where !local.includedServices.isEmpty {
      service.includedServices = local.includedServices.compactMap { services[$0] }
    }
    return made
  }

  private mutating func restore(
    _ local: LocalCharacteristic, of service: LocalAttribute
  ) -> CBMutableCharacteristic {
    let characteristic = CBMutableCharacteristic(
      type: CBUUID(local.uuid), properties: local.properties, value: nil,
      permissions: local.permissions)
    characteristic.value = local.value
    if !local.descriptors.isEmpty {
      characteristic.descriptors = local.descriptors.map(CBMutableDescriptor.init)
    }
    characteristics[local.id] = characteristic
    owners[local.id] = service
    next = max(next, local.id + 1)
    return characteristic
  }

  private func check(_ service: CBMutableService) throws(RadioError) {
    if [0x1800, 0x1801].contains(service.uuid.value.assigned) {
      throw RadioError.system(.uuidNotAllowed)
    }
    let included = service.includedServices ?? []
    guard id(of: service) == nil, included.allSatisfy({ id(of: $0) != nil }) else {
      throw RadioError.system(.invalidParameters)
    }
    for characteristic in service.mutableCharacteristics {
      guard characteristic.properties.isDisjoint(with: [.broadcast, .extendedProperties]) else {
        throw RadioError.system(.invalidParameters)
      }
      for descriptor in characteristic.mutableDescriptors {
        guard [0x2901, 0x2904].contains(descriptor.uuid.value.assigned) else {
          throw RadioError.system(.uuidNotAllowed)
        }
      }
    }
  }

  private mutating func number() -> LocalAttribute {
    defer { next += 1 }
    return next
  }

  mutating func remove(_ service: CBMutableService) -> LocalAttribute? {
    guard let id = id(of: service) else { return nil }
    services[id] = nil
    for entry in owners where entry.value == id {
      characteristics[entry.key] = nil
      owners[entry.key] = nil
    }
    return id
  }

  mutating func removeAll() {
    services = [:]
    characteristics = [:]
    owners = [:]
  }

  func service(_ id: LocalAttribute) -> CBMutableService? { services[id] }

  func characteristic(_ id: LocalAttribute) -> CBMutableCharacteristic? { characteristics[id] }

  var allCharacteristics: [CBMutableCharacteristic] { Array(characteristics.values) }

  func id(of service: CBService) -> LocalAttribute? {
    services.first { $0.value === service }?.key
  }

  func id(of characteristic: CBMutableCharacteristic) -> LocalAttribute? {
    characteristics.first { $0.value === characteristic }?.key
  }
}

extension CBMutableService {
  fileprivate var mutableCharacteristics: [CBMutableCharacteristic] {
    (characteristics ?? []).compactMap { $0 as? CBMutableCharacteristic }
  }
}

extension CBMutableCharacteristic {
  fileprivate var mutableDescriptors: [CBMutableDescriptor] {
    (descriptors ?? []).compactMap { $0 as? CBMutableDescriptor }
  }
}
