// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

/// The services of a device as bluetoothd shows them.
///
/// The last part of an object's path ends with the attribute handle in hexadecimal digits
/// (`service0010/char0011/desc0013`), which is used as the handle here.
struct RemoteDatabase {
  let tree: DBusObjectTree
  let device: String

  // MARK: - Paths and handles

  static func handle(of path: String) -> AttributeHandle? {
    path.split(separator: "/").last.flatMap { AttributeHandle($0.suffix(4), radix: 16) }
  }

  /// The path of a service, a characteristic or a descriptor.
  func path(of handle: AttributeHandle) -> String? {
    kinds.lazy.flatMap { tree.paths(with: $0, below: device) }
      .first { Self.handle(of: $0) == handle }
  }

  private var kinds: [String] { [BlueZ.gattService, BlueZ.characteristic, BlueZ.descriptor] }

  private func uuid(_ path: String, _ interface: String) -> BluetoothUUID? {
    tree[path, interface]?["UUID"]?.string.flatMap { BluetoothUUID($0)?.shortest }
  }

  private func parts<Part>(
    _ interface: String, below path: String, make: (String, AttributeHandle, BluetoothUUID) -> Part
  ) -> [Part] {
    let found = tree.paths(with: interface, below: path)
      .compactMap { path -> (AttributeHandle, Part)? in
        guard let handle = Self.handle(of: path), let uuid = uuid(path, interface) else {
          return nil
        }
        return (handle, make(path, handle, uuid))
      }
    return found.sorted { $0.0 < $1.0 }.map(\.1)
  }

  // MARK: - Generic Attribute

  private func first(_ type: BluetoothUUID, _ interface: String, below path: String) -> String? {
    tree.paths(with: interface, below: path).first { uuid($0, interface) == type }
  }

  /// The descriptor that subscribes to changed services.
  var subscriptionToChanges: String? {
    first(BluetoothUUID(0x2A05), BlueZ.characteristic, below: device)
      .flatMap { first(BluetoothUUID(0x2902), BlueZ.descriptor, below: $0) }
  }

  /// Whether the device notices that a client's copy of its services is outdated.
  var hasHash: Bool { first(BluetoothUUID(0x2B2A), BlueZ.characteristic, below: device) != nil }

  // MARK: - Attributes

  func services(_ wanted: [BluetoothUUID]? = nil) -> [RemoteService] {
    parts(BlueZ.gattService, below: device, make: service).filter { wanted.admits($0.uuid) }
  }

  private func service(_ path: String, _ handle: AttributeHandle, _ uuid: BluetoothUUID)
    -> RemoteService
  {
    let isPrimary = tree[path, BlueZ.gattService]?["Primary"]?.bool ?? true
    return RemoteService(handle: handle, uuid: uuid, isPrimary: isPrimary)
  }

  func includedServices(_ wanted: [BluetoothUUID]?, of service: String) -> [RemoteService] {
    let paths = tree[service, BlueZ.gattService]?["Includes"]?.strings ?? []
    return paths.compactMap { path in
      guard let handle = Self.handle(of: path), let uuid = uuid(path, BlueZ.gattService),
        wanted.admits(uuid)
      else { return nil }
      return self.service(path, handle, uuid)
    }
  }

  func characteristics(_ wanted: [BluetoothUUID]? = nil, of service: String)
    -> [RemoteCharacteristic]
  {
    parts(BlueZ.characteristic, below: service) { path, handle, uuid in
      RemoteCharacteristic(handle: handle, uuid: uuid, properties: properties(of: path))
    }
    .filter { wanted.admits($0.uuid) }
  }

  func descriptors(of characteristic: String) -> [RemoteDescriptor] {
    parts(BlueZ.descriptor, below: characteristic) { RemoteDescriptor(handle: $1, uuid: $2) }
  }

  func properties(of characteristic: String) -> CBCharacteristicProperties {
    let flags = tree[characteristic, BlueZ.characteristic]?["Flags"]?.strings ?? []
    return flags.reduce(into: []) { $0.formUnion(Self.properties[$1] ?? []) }
  }

  /// BlueZ, doc/gatt-api.txt, Flags; the others apply to attributes published here.
  private static let properties: [String: CBCharacteristicProperties] = [
    "broadcast": .broadcast, "read": .read, "write-without-response": .writeWithoutResponse,
    "write": .write, "notify": .notify, "indicate": .indicate,
    "authenticated-signed-writes": .authenticatedSignedWrites,
    "extended-properties": .extendedProperties,
  ]

  /// Whether the attributes that a session knew still exist on the device.
  func holds(_ known: KnownAttributes) -> Bool {
    let services = Set(services())
    let characteristics = known.characteristics.allSatisfy { service, characteristics in
      path(of: service).map { Set(self.characteristics(of: $0)).isSuperset(of: characteristics) }
        ?? false
    }
    return characteristics && services.isSuperset(of: known.services ?? [])
  }
}

extension [BluetoothUUID]? {
  /// Whether a type is among those requested; nil requests all.
  fileprivate func admits(_ uuid: BluetoothUUID) -> Bool { self?.contains(uuid) ?? true }
}
