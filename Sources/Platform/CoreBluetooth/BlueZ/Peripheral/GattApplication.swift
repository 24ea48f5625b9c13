// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

/// Services as objects that bluetoothd reads (BlueZ, doc/gatt-api.txt).
///
/// bluetoothd registers the attributes in the order of the list; paths are numbered in that order.
final class GattApplication {
  /// Answers bluetoothd's requests; called on the host's queue.
  protocol Server: AnyObject, Sendable {
    func read(_ id: LocalAttribute, _ call: DBusIncomingCall)
    func write(_ id: LocalAttribute, _ call: DBusIncomingCall)
    func subscribe(_ id: LocalAttribute, _ call: DBusIncomingCall)
    func unsubscribe(_ id: LocalAttribute, _ call: DBusIncomingCall)
    func confirm(_ id: LocalAttribute, _ call: DBusIncomingCall)
  }

  /// The path of the object manager.
  let root: String
  let services: [LocalService]
  /// The paths of the characteristics.
  private(set) var paths: [LocalAttribute: String] = [:]
  private(set) var objects: [DBusObject] = []
  private var servicePaths: [LocalAttribute: String] = [:]
  private weak var server: (any Server)?

  init(_ services: [LocalService], root: String, server: any Server) {
    self.services = services
    self.root = root
    self.server = server
    for (number, service) in services.enumerated() {
      servicePaths[service.id] = Self.path(root, "service", number)
      add(service)
    }
  }

  private static func path(_ parent: String, _ name: String, _ number: Int) -> String {
    let digits = String(number)
    return "\(parent)/\(name)\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)"
  }

  private func add(_ service: LocalService) {
    guard let path = servicePaths[service.id] else { return }
    let included = service.includedServices.compactMap { servicePaths[$0] }
    add(
      path, BlueZ.gattService,
      [
        "UUID": .string(service.uuid.full), "Primary": .boolean(service.isPrimary),
        "Includes": .array(included.map(DBusValue.objectPath), of: "o"),
      ])
    for (number, characteristic) in service.characteristics.enumerated() {
      add(characteristic, at: Self.path(path, "characteristic", number), of: path)
    }
  }

  private func add(_ characteristic: LocalCharacteristic, at path: String, of service: String) {
    let id = characteristic.id
    paths[id] = path
    add(
      path, BlueZ.characteristic,
      [
        "UUID": .string(characteristic.uuid.full), "Service": .objectPath(service),
        "Flags": .strings(characteristic.flags),
        // With this property bluetoothd calls AcquireNotify, which names the subscriber.
        "NotifyAcquired": .boolean(false),
      ],
      [
        "ReadValue": { [weak server] in server?.read(id, $0) },
        "WriteValue": { [weak server] in server?.write(id, $0) },
        "AcquireNotify": { [weak server] in server?.subscribe(id, $0) },
        "StartNotify": { $0.reply() },
        "StopNotify": { [weak server] in server?.unsubscribe(id, $0) },
        "Confirm": { [weak server] in server?.confirm(id, $0) },
      ])
    // bluetoothd adds the extended properties and the client's configuration by itself.
    let descriptors = characteristic.descriptors.filter {
      $0.uuid.assigned.map { ![0x2900, 0x2902].contains($0) } ?? true
    }
    for (number, descriptor) in descriptors.enumerated() {
      add(descriptor, at: Self.path(path, "descriptor", number), of: path)
    }
  }

  private func add(_ descriptor: LocalDescriptor, at path: String, of characteristic: String) {
    let value = descriptor.value
    add(
      path, BlueZ.descriptor,
      [
        "UUID": .string(descriptor.uuid.full), "Characteristic": .objectPath(characteristic),
        "Flags": .strings(["read"]),
      ],
      ["ReadValue": { $0.reply(with: value.from($0.options.offset)) }])
  }

  private func add(
    _ path: String, _ interface: String, _ properties: [String: DBusValue],
    _ methods: [String: @Sendable (DBusIncomingCall) -> Void] = [:]
  ) {
    objects.append(
      DBusObject(
        path, [DBusInterface(name: interface, properties: properties, methods: methods)]))
  }
}

/// The options that bluetoothd passes with a request (BlueZ, doc/gatt-api.txt).
struct GattRequestOptions {
  /// The path of the central.
  var device: String?
  var offset = 0
  /// The MTU of the link, in bytes.
  var mtu: Int?
  /// Whether bluetoothd only checks if a long write is permitted.
  var isPermissionCheck = false
}

extension DBusIncomingCall {
  var options: GattRequestOptions {
    let properties = arguments.last?.properties ?? [:]
    return GattRequestOptions(
      device: properties["device"]?.string, offset: properties["offset"]?.int ?? 0,
      mtu: properties["mtu"]?.int, isPermissionCheck: properties["prepare-authorize"]?.bool ?? false
    )
  }

  /// Answers a read or a write.
  func reply(with answer: Result<Data, RadioError>) {
    switch answer {
    case .success(let value): reply(member == "ReadValue" ? [.bytes(value)] : [])
    case .failure(let error): fail(DBusError(error))
    }
  }
}

extension Data {
  /// The value from an offset on; the offset may be the end, but not beyond it.
  func from(_ offset: Int) -> Result<Data, RadioError> {
    guard offset <= count else { return .failure(.attribute(.invalidOffset)) }
    return .success(Data(dropFirst(offset)))
  }
}
