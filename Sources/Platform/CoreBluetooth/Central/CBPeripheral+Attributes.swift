// SPDX-License-Identifier: Apache-2.0

// Results of discovery. Everything here runs on the manager's queue; an attribute found again
// keeps its object.
extension CBPeripheral {
  func addServices(_ found: [RemoteService]) {
    let services = found.filter { !$0.uuid.belongsToTheSystem }.map(service)
    storage.withLock { $0.services = ($0.services ?? []).adding(services) }
  }

  func include(_ found: [RemoteService], in service: CBService) {
    let services = found.filter { !$0.uuid.belongsToTheSystem }.map(self.service)
    service.state.withLock { $0.includedServices = ($0.includedServices ?? []).adding(services) }
  }

  func add(_ found: [RemoteCharacteristic], to service: CBService) {
    let characteristics = found.map { remote in
      object(remote.handle) { CBCharacteristic(remote, of: service) }
    }
    service.state.withLock {
      $0.characteristics = ($0.characteristics ?? []).adding(characteristics)
    }
  }

  func add(_ found: [RemoteDescriptor], to characteristic: CBCharacteristic) {
    let descriptors = found.map { remote in
      object(remote.handle) { CBDescriptor(remote, of: characteristic) }
    }
    characteristic.state.withLock {
      $0.descriptors = ($0.descriptors ?? []).adding(descriptors)
    }
  }

  /// Creates the objects for attributes found on a connection that outlived the process.
  func restore(_ known: KnownAttributes) {
    if let found = known.services { addServices(found) }
    // All objects first: an included service may include others.
    for service in known.includedServices.values.joined() { _ = self.service(service) }
    for (handle, found) in known.includedServices {
      if let service: CBService = attribute(handle) { include(found, in: service) }
    }
    for (handle, found) in known.characteristics {
      if let service: CBService = attribute(handle) { add(found, to: service) }
    }
    for (handle, found) in known.descriptors {
      if let characteristic: CBCharacteristic = attribute(handle) {
        add(found, to: characteristic)
      }
    }
    for handle in known.notifying {
      let characteristic: CBCharacteristic? = attribute(handle)
      characteristic?.state.withLock { $0.isNotifying = true }
    }
  }

  private func attribute<Attribute: CBAttribute>(_ handle: AttributeHandle) -> Attribute? {
    storage.withLock { $0.attributes[handle] as? Attribute }
  }

  func changeValue(of handle: AttributeHandle, to value: Data) {
    let attribute = storage.withLock { $0.phase == .connected ? $0.attributes[handle] : nil }
    guard let characteristic = attribute as? CBCharacteristic else { return }
    characteristic.state.withLock { $0.value = value }
    delegate?.peripheral(self, didUpdateValueFor: characteristic, error: nil)
  }

  /// Removes invalid services from the lists and notifies the delegate.
  func invalidate(_ handles: [AttributeHandle]) {
    let dead = storage.withLock { state -> [CBService] in
      let dead = handles.compactMap { state.attributes[$0] as? CBService }
      state.services?.removeAll { service in dead.contains { $0 === service } }
      for service in dead { state.attributes = state.attributes.removing(service) }
      return dead
    }
    guard !dead.isEmpty, let delegate else { return }
    let isImplemented = OptionalRequirement.isImplemented(by: delegate, "didModifyServices") {
      delegate.peripheral(self, didModifyServices: dead)
    }
    guard !isImplemented else { return }
    reportMisuse(
      "The delegate for \(self) does not implement -[peripheral:didModifyServices:]")
  }

  private func service(_ remote: RemoteService) -> CBService {
    object(remote.handle) { CBService(remote, of: self) }
  }

  private func object<Attribute: CBAttribute>(
    _ handle: AttributeHandle, _ make: () -> Attribute
  ) -> Attribute {
    storage.withLock { state in
      if let known = state.attributes[handle] as? Attribute { return known }
      let new = make()
      state.attributes[handle] = new
      return new
    }
  }
}

extension BluetoothUUID {
  // Generic Access, Generic Attribute, Human Interface Device and Apple's notifications are used
  // by the system only (Accessory Design Guidelines for Apple Devices, 40.13).
  private static let ofTheSystem: Set<Self> = {
    let notifications: [UInt8] = [
      0x79, 0x05, 0xF4, 0x31, 0xB5, 0xCE, 0x4E, 0x99, 0xA4, 0x0F, 0x4B, 0x1E, 0x12, 0x2D, 0x00,
      0xD0,
    ]
    return Set(
      [Self(0x1800), Self(0x1801), Self(0x1812)] + [Self(bytes: notifications)].compactMap(\.self))
  }()

  /// Whether services of this type are hidden from apps.
  var belongsToTheSystem: Bool { Self.ofTheSystem.contains(self) }
}

extension Array where Element: CBAttribute {
  /// The elements, followed by those of the others that are not among them.
  fileprivate func adding(_ others: [Element]) -> [Element] {
    self + others.filter { other in !contains { $0 === other } }
  }
}

extension [AttributeHandle: CBAttribute] {
  /// The elements without a service and its contents.
  fileprivate func removing(_ service: CBService) -> Self {
    let characteristics = service.characteristics ?? []
    let descriptors = characteristics.flatMap { $0.descriptors ?? [] }
    let dead = [service] + characteristics + descriptors as [CBAttribute]
    return filter { entry in !dead.contains { $0 === entry.value } }
  }
}
