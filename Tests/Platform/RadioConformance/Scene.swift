// SPDX-License-Identifier: Apache-2.0

/// A central and a device on a bench, and the steps that rules have in common.
final class Scene: Sendable {
  typealias Attribute = DeviceSide.Attribute

  static let service = uuid(0)
  static let otherService = uuid(0xFF)
  static let name = "Conformance"

  let bench: RadioBench
  /// The restore identifiers of the sessions; nobody else has these.
  let identifiers: (central: String, device: String)?
  let central: CentralSide
  let device: DeviceSide

  init(_ bench: RadioBench, restores: Bool) {
    self.bench = bench
    identifiers = restores ? (UUID().uuidString, UUID().uuidString) : nil
    central = CentralSide(bench.central, restoring: identifiers?.central)
    device = DeviceSide(bench.peripheral, restoring: identifiers?.device)
  }

  func end() {
    central.close()
    device.session.close()
  }

  var complaints: [String] { central.complaints + device.complaints }

  /// The type of an attribute of the service.
  static func uuid(_ attribute: LocalAttribute) -> BluetoothUUID {
    let bytes: [UInt8] = [
      0x5A, 0x17, 0x02, 0x10, UInt8(attribute & 0xFF), 0x00, 0x4C, 0x6E, 0x9D, 0x01, 0x6F, 0x6E,
      0x66,
      0x6F, 0x72, 0x6D,
    ]
    return BluetoothUUID(bytes: bytes) ?? BluetoothUUID(0xFFFF)
  }

  // MARK: - Judging

  func require(_ holds: Bool, _ what: String) throws {
    if !holds { throw RadioViolation(description: "not so: \(what)") }
  }

  func until(_ what: String, _ condition: @escaping @Sendable () -> Bool) async throws {
    let holds = await bench.wait(bench.timeout, condition)
    if !holds { throw RadioViolation(description: "never: \(what)") }
  }

  /// Waits until whatever comes has come.
  func pass() async {
    _ = await bench.wait(bench.quiet) { false }
  }

  /// Ends the process of a side, and gives the radio of the next one.
  func endProcess(_ side: RadioBench.Side) throws -> any Radio {
    guard let end = bench.endProcess else {
      throw RadioViolation(description: "the bench ends no processes")
    }
    return switch side {
    case .central: central.endProcess { end(side) }
    case .peripheral: device.endProcess { end(side) }
    }
  }

  // MARK: - Steps

  /// Both are on, and the device advertises its service.
  func advertise() async throws {
    try await until("both radios are on") { [central, device] in central.isOn && device.isOn }
    device.session.add(.ofConformance)
    try await until("the service is added") { [device] in device.isAdded(Attribute.service) }
    device.session.startAdvertising(.ofConformance)
    try await until("advertising begins") { [device] in device.advertisingAnswers.count == 1 }
    try require(device.advertisingAnswers == [nil], "advertising begins without an error")
  }

  func find() async throws -> PeerIdentifier {
    try await advertise()
    return try await discover().identifier
  }

  /// Scans until the device is found.
  func discover() async throws -> RadioPeer {
    let before = central.discoveries.count
    central.session.startScan(ScanRequest(services: [Self.service]))
    try await until("the device is found") { [central] in central.discoveries.count > before }
    central.session.stopScan()
    return central.discoveries[before].peer
  }

  func connect() async throws -> PeerIdentifier {
    let peer = try await find()
    try await connect(peer)
    return peer
  }

  func connect(_ peer: PeerIdentifier) async throws {
    let before = central.connections.count
    central.connect(peer)
    try await until("a connection") { [central] in central.connections.count > before }
  }

  /// Connects and finds the characteristics of the service.
  func open() async throws -> Remote {
    let peer = try await connect()
    guard case .services(let services) = try await ask(.discoverServices([Self.service]), peer),
      let service = services.first
    else { throw RadioViolation(description: "the service was not discovered") }
    let request = PeerRequest.discoverCharacteristics(nil, of: service.handle)
    guard case .characteristics(let found) = try await ask(request, peer) else {
      throw RadioViolation(description: "the characteristics were not discovered")
    }
    return Remote(peer: peer, service: service.handle, characteristics: found)
  }

  /// The answer to a request that succeeds.
  func ask(_ request: PeerRequest, _ peer: PeerIdentifier) async throws -> Reply {
    try await result(of: request, peer).get()
  }

  func result(
    of request: PeerRequest, _ peer: PeerIdentifier
  ) async throws -> Result<Reply, RadioError> {
    let number = central.perform(request, on: peer)
    try await until("an answer to \(request)") { [central] in central.answer(to: number) != nil }
    return central.answer(to: number) ?? .failure(.system(.unknown))
  }

  func subscribe(
    _ kind: Subscription, to attribute: LocalAttribute, of remote: Remote
  ) async throws {
    try require(
      try await ask(.subscribe(kind, remote[attribute]), remote.peer) == .done,
      "a subscription is answered by done")
  }
}

/// The device as the central has discovered it.
struct Remote: Sendable {
  let peer: PeerIdentifier
  let service: AttributeHandle
  let characteristics: [RemoteCharacteristic]

  subscript(attribute: LocalAttribute) -> AttributeHandle {
    characteristics.first { $0.uuid == Scene.uuid(attribute) }?.handle ?? 0
  }
}

extension RadioAdvertisement {
  static var ofConformance: Self {
    var result = Self()
    result.localName = Scene.name
    result.services = [Scene.service]
    return result
  }
}

extension LocalService {
  static let fixedValue = Data("fixed".utf8)
  static let description = Data("what is fixed".utf8)

  static var ofConformance: Self {
    typealias Attribute = DeviceSide.Attribute
    let described = LocalDescriptor(uuid: BluetoothUUID(0x2901), value: description)
    return Self(
      id: Attribute.service, uuid: Scene.service, isPrimary: true, includedServices: [],
      characteristics: [
        characteristic(Attribute.fixed, .read, .readable, fixedValue, [described]),
        characteristic(Attribute.asked, .read, .readable),
        characteristic(Attribute.written, [.write, .writeWithoutResponse], .writeable),
        characteristic(Attribute.notified, .notify, .readable),
        characteristic(Attribute.indicated, .indicate, .readable),
        characteristic(Attribute.protected, .read, .readEncryptionRequired),
      ])
  }

  /// One more service, without characteristics.
  static var extra: Self {
    Self(
      id: DeviceSide.Attribute.extra, uuid: Scene.uuid(DeviceSide.Attribute.extra), isPrimary: true,
      includedServices: [], characteristics: [])
  }

  private static func characteristic(
    _ id: LocalAttribute, _ properties: CBCharacteristicProperties,
    _ permissions: CBAttributePermissions, _ value: Data? = nil,
    _ descriptors: [LocalDescriptor] = []
  ) -> LocalCharacteristic {
    LocalCharacteristic(
      id: id, uuid: Scene.uuid(id), properties: properties, permissions: permissions, value: value,
      descriptors: descriptors)
  }
}
