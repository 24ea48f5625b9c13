// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation

/// A device that publishes the service FFF0 and writes down everything it is told.
final class DeviceProbe: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
  let log = EventLog()
  let queue = DispatchQueue(label: "device")
  let name: String
  private let lock = NSLock()
  private var made: CBPeripheralManager?
  private var published: [CBMutableCharacteristic] = []
  private var stored: [CBUUID: Data] = [:]
  private var requests: [CBATTRequest] = []
  private var holdsRequests = false
  private var result = CBATTError.Code.success
  private var centrals: [CBCentral] = []
  private var restored: [String: Any] = [:]
  private var opened: [CBL2CAPChannel] = []
  private var numbers: [CBL2CAPPSM] = []
  private var keeps = true
  /// Set while the device is off; called on the queue.
  var onState: ((CBPeripheralManager) -> Void)?

  init(
    _ host: SimulatedHost, name: String = "Meter", restoring identifier: String? = nil,
    in application: SimulatedApplication? = nil
  ) {
    self.name = name
    super.init()
    // With the lock held, for the first callback may come before the assignment.
    locked {
      var options = (application ?? host.application).managerOptions
      options[CBPeripheralManagerOptionRestoreIdentifierKey] = identifier
      made = CBPeripheralManager(delegate: self, queue: queue, options: options)
    }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  var manager: CBPeripheralManager { locked { made } ?? CBPeripheralManager() }

  /// The values that dynamic characteristics have.
  var values: [CBUUID: Data] {
    get { locked { stored } }
    set { locked { stored = newValue } }
  }

  /// The answer to writes.
  var writeResult: CBATTError.Code {
    get { locked { result } }
    set { locked { result = newValue } }
  }

  /// Whether requests are kept without an answer.
  var isSilent: Bool {
    get { locked { holdsRequests } }
    set { locked { holdsRequests = newValue } }
  }

  var heldRequests: [CBATTRequest] { locked { requests } }

  /// What `willRestoreState` was called with.
  var restoredState: [String: Any] { locked { restored } }

  var lastCentral: CBCentral? { locked { centrals.last } }

  /// The channels opened so far, in order.
  var channels: [CBL2CAPChannel] { locked { opened } }

  /// Whether channels are kept.
  var keepsChannels: Bool {
    get { locked { keeps } }
    set { locked { keeps = newValue } }
  }

  /// The numbers of the channels published so far, in order.
  var publishedNumbers: [CBL2CAPPSM] { locked { numbers } }

  func forgetChannels() {
    // Deallocation calls into the radio: not with the lock held.
    let forgotten = locked { () -> [CBL2CAPChannel] in
      defer { opened = [] }
      return opened
    }
    withExtendedLifetime(forgotten) {}
  }

  func dropManager() {
    let dropped = locked { () -> CBPeripheralManager? in
      defer { made = nil }
      return made
    }
    withExtendedLifetime(dropped) {}
  }

  func characteristic(_ uuid: String) -> CBMutableCharacteristic? {
    locked { published.first { $0.uuid == CBUUID(string: uuid) } }
  }

  func update(_ uuid: String, _ bytes: [UInt8], to centrals: [CBCentral]? = nil) -> Bool {
    guard let characteristic = characteristic(uuid) else { return false }
    return manager.updateValue(Data(bytes), for: characteristic, onSubscribedCentrals: centrals)
  }

  // MARK: - The service

  private static func characteristic(
    _ uuid: String, _ properties: CBCharacteristicProperties,
    _ permissions: CBAttributePermissions, value: Data? = nil
  ) -> CBMutableCharacteristic {
    CBMutableCharacteristic(
      type: CBUUID(string: uuid), properties: properties, value: value, permissions: permissions)
  }

  static func makeService() -> CBMutableService {
    let service = CBMutableService(type: CBUUID(string: "FFF0"), primary: true)
    let described = characteristic("FFF1", .read, .readable)
    described.descriptors = [
      CBMutableDescriptor(type: CBUUID(string: "2901"), value: "Reading"),
      CBMutableDescriptor(type: CBUUID(string: "2904"), value: Data([1, 2, 3, 4, 5, 6, 7])),
    ]
    service.characteristics = [
      described,
      characteristic("FFF2", .read, .readable, value: Data("hello".utf8)),
      characteristic("FFF3", [.write, .writeWithoutResponse], .writeable),
      characteristic("FFF4", .notify, .readable),
      characteristic("FFF5", [.notify, .indicate], .readable),
      characteristic("FFF6", .read, .readEncryptionRequired),
      characteristic("FFF7", .write, .writeEncryptionRequired),
      characteristic("FFF8", [.indicate, .indicateEncryptionRequired], .readable),
      characteristic("FFF9", .indicate, .readable),
    ]
    return service
  }

  func publish(_ service: CBMutableService) {
    let characteristics = (service.characteristics ?? []).compactMap {
      $0 as? CBMutableCharacteristic
    }
    locked { published += characteristics }
    manager.add(service)
  }

  func advertise() {
    manager.startAdvertising([
      CBAdvertisementDataLocalNameKey: name,
      CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "FFF0")],
    ])
  }

  // MARK: - CBPeripheralManagerDelegate

  private func note(_ line: String) {
    dispatchPrecondition(condition: .onQueue(queue))
    log.note(line)
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]
  ) {
    let services =
      dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService] ?? []
    let characteristics = services.flatMap { $0.characteristics ?? [] }
    locked {
      restored = dict
      published = characteristics.compactMap { $0 as? CBMutableCharacteristic }
    }
    note("restored " + services.map(\.uuid.uuidString).joined(separator: " "))
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    note("state \(peripheral.state)")
    onState?(peripheral)
    guard peripheral.state == .poweredOn, locked({ published.isEmpty }) else { return }
    publish(Self.makeService())
    advertise()
  }

  func peripheralManagerDidStartAdvertising(
    _ peripheral: CBPeripheralManager, error: (any Error)?
  ) {
    note("advertising" + error.suffix)
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
  ) {
    note("added \(service.uuid.uuidString)" + error.suffix)
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral,
    didSubscribeTo characteristic: CBCharacteristic
  ) {
    locked { centrals.append(central) }
    note("subscribed \(characteristic.uuid.uuidString)")
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral,
    didUnsubscribeFrom characteristic: CBCharacteristic
  ) {
    note("unsubscribed \(characteristic.uuid.uuidString)")
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
    note("read \(request.characteristic.uuid.uuidString) @\(request.offset)")
    if locked({ holdsRequests }) { return locked { requests.append(request) } }
    let value = values[request.characteristic.uuid] ?? Data()
    guard request.offset <= value.count else {
      return peripheral.respond(to: request, withResult: .invalidOffset)
    }
    request.value = Data(value.dropFirst(request.offset))
    peripheral.respond(to: request, withResult: .success)
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
  ) {
    for request in requests {
      let value = request.value ?? Data()
      note("write \(request.characteristic.uuid.uuidString) @\(request.offset) \(value.hex)")
    }
    if locked({ holdsRequests }) { return locked { self.requests += requests } }
    guard let first = requests.first else { return }
    peripheral.respond(to: first, withResult: writeResult)
  }

  func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
    note("ready")
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
  ) {
    if error == nil { locked { numbers.append(PSM) } }
    note("published channel" + error.suffix)
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel PSM: CBL2CAPPSM,
    error: (any Error)?
  ) {
    note("unpublished channel" + error.suffix)
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?
  ) {
    if let channel, keepsChannels { locked { opened.append(channel) } }
    note("channel" + error.suffix)
  }
}
