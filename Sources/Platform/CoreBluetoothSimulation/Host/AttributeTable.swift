// SPDX-License-Identifier: Apache-2.0

/// The attributes of a host at one time.
struct AttributeTable {
  struct Service {
    let handle: AttributeHandle
    /// The role that published it; nil for the host's own services.
    weak var role: PeripheralRole?
    let local: LocalService
    var characteristics: [Characteristic] = []
  }

  struct Characteristic {
    let handle: AttributeHandle
    weak var role: PeripheralRole?
    var local: LocalCharacteristic
    var descriptors: [Descriptor] = []

    /// Whether its publisher may answer now.
    var isServed: Bool { role?.isServing ?? true }
  }

  struct Descriptor {
    let handle: AttributeHandle
    let uuid: BluetoothUUID
    /// The value; nil for the client's configuration, which each link has for itself.
    let value: Data?
  }

  var services: [Service] = []

  var handles: [AttributeHandle] { services.map(\.handle) }

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
}

extension AttributeTable.Service {
  fileprivate var remote: RemoteService {
    RemoteService(handle: handle, uuid: local.uuid, isPrimary: local.isPrimary)
  }
}
