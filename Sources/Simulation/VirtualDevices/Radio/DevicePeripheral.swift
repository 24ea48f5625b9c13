// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HealthDevices
import HealthGATT
import SantorioConcurrency

#if SimulatedBluetooth
  import SimulatedCoreBluetooth
#else
  import CoreBluetooth
#endif

/// The Core Bluetooth side of a virtual device.
final class DevicePeripheral: NSObject, @unchecked Sendable {
  // All state is touched on `queue` only, on which Core Bluetooth calls too.
  private let queue: DispatchQueue
  private let model: VirtualDeviceModel
  private let settings: VirtualDevice.Settings
  private let onEvent: @Sendable (VirtualDeviceEvent) -> Void
  private let managerOptions: [String: Any]?
  private let monotonicClock: MonotonicClock
  private var logic: any VirtualDeviceLogic
  private var manager: CBPeripheralManager?
  private var characteristics: [GATTAttribute: CBMutableCharacteristic] = [:]
  private var unpublished = 0
  private var outbox: [(attribute: GATTAttribute, bytes: [UInt8])] = []
  private var isDeferringUpdates = false
  private var subscriptions: Set<GATTAttribute> = []
  private var measurements = 0
  private lazy var timer = DeadlineTimer(monotonicClock, on: queue) { [weak self] in
    self?.handleInput(.timeReached)
  }

  init(
    _ model: VirtualDeviceModel, settings: VirtualDevice.Settings,
    managerOptions: sending [String: Any]?,
    onEvent: @escaping @Sendable (VirtualDeviceEvent) -> Void
  ) {
    self.model = model
    self.settings = settings
    self.managerOptions = managerOptions
    self.onEvent = onEvent
    monotonicClock = MonotonicClock(settings.clock)
    logic = model.make(VirtualClock(offsetSeconds: settings.clockOffsetSeconds))
    queue = DispatchQueue(label: "org.santorio.virtual-device.\(model.id)")
  }

  func switchOn() {
    queue.async { [self] in
      guard manager == nil else { return }
      manager = CBPeripheralManager(delegate: self, queue: queue, options: managerOptions)
    }
  }

  func switchOff() {
    queue.async { [self] in
      // One whose radio is not on yet has nothing to end.
      if manager?.state == .poweredOn {
        manager?.stopAdvertising()
        manager?.removeAllServices()
      }
      manager?.delegate = nil
      manager = nil
      if logic.broadcast != nil { settings.broadcast([:], Data()) }
      rearm()
    }
  }

  func measure() {
    queue.async { [self] in
      measurements += 1
      handleInput(.measure(number: measurements))
    }
  }

  func measure(_ measurement: VirtualMeasurement, at date: Date?) {
    queue.async { [self] in
      let time = date.map(time(on:)) ?? time
      guard let outputs = logic.measure(measurement, at: time) else {
        return onEvent(.failed("A device \"\(model.id)\" does not measure what it was given."))
      }
      perform(outputs)
    }
  }

  func eraseMeasurements() {
    queue.async { [self] in
      logic.eraseMeasurements()
      perform([])
    }
  }

  func handle(_ input: VirtualDeviceInput) {
    queue.async { [self] in handleInput(input) }
  }

  func waitUntilIdle() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  private var time: DriverTime { time(on: settings.now()) }

  private func time(on date: Date) -> DriverTime {
    DriverTime(
      elapsed: monotonicClock.now(), secondsSince1970: date.timeIntervalSince1970,
      utcOffsetSeconds: settings.zone().secondsFromGMT(for: date))
  }

  /// Passes an input to the device, and returns its answer.
  @discardableResult
  private func handleInput(_ input: VirtualDeviceInput) -> VirtualDeviceOutput? {
    perform(logic.handle(input, at: time))
  }

  /// Performs a device's actions, and returns its answer.
  @discardableResult
  private func perform(_ outputs: [VirtualDeviceOutput]) -> VirtualDeviceOutput? {
    var answer: VirtualDeviceOutput?
    for output in outputs {
      switch output {
      case .answer, .accept, .refuse: answer = output
      case .send(let attribute, let bytes): outbox.append((attribute, bytes))
      case .report(let event): onEvent(event)
      }
    }
    sendRest()
    advertise()
    rearm()
    return answer
  }

  private func sendRest() {
    while !isDeferringUpdates, let next = outbox.first {
      guard let characteristic = characteristics[next.attribute],
        subscriptions.contains(next.attribute)
      else {
        outbox.removeFirst()
        continue
      }
      let isQueued = manager?.updateValue(
        Data(next.bytes), for: characteristic, onSubscribedCentrals: nil)
      guard isQueued == true else { return }  // Continued in peripheralManagerIsReady.
      outbox.removeFirst()
    }
  }

  private func advertise() {
    guard let manager, manager.state == .poweredOn, unpublished == 0 else { return }
    if let broadcast = logic.broadcast {
      settings.broadcast(
        broadcast.serviceData.mapValues { Data($0) }, Data(broadcast.manufacturerData))
    }
    guard logic.isAdvertising != manager.isAdvertising else { return }
    guard logic.isAdvertising else { return manager.stopAdvertising() }
    manager.startAdvertising([
      CBAdvertisementDataServiceUUIDsKey: model.advertisedServices.map(CBUUID.init(string:)),
      CBAdvertisementDataLocalNameKey: model.advertisedName,
    ])
  }

  private func rearm() { timer.set(manager == nil ? nil : logic.deadline) }

  /// The last subscription of a central has ended.
  private func disconnected(_ central: UUID) {
    let allArrived = outbox.isEmpty && settings.isConnected(central)
    outbox = []
    handleInput(.disconnected(allArrived: allArrived))
  }
}

// MARK: - Attributes

extension DevicePeripheral {
  private var services: [CBMutableService] {
    logic.services.map { service in
      let made = CBMutableService(type: CBUUID(string: service.uuid), primary: true)
      made.characteristics = service.characteristics.map { virtual in
        let characteristic = virtual.mutable(value: value(of: virtual))
        characteristics[GATTAttribute(service.uuid, virtual.uuid)] = characteristic
        return characteristic
      }
      return made
    }
  }

  /// The value of a characteristic that never changes; the battery's is the one of the settings.
  private func value(of characteristic: VirtualCharacteristic) -> [UInt8]? {
    guard characteristic.uuid == "2A19", characteristic.value != nil else {
      return characteristic.value
    }
    return settings.batteryPercent.map { [min($0, 100)] } ?? characteristic.value
  }

  private func attribute(_ characteristic: CBCharacteristic) -> GATTAttribute? {
    characteristics.first { $0.value == characteristic }?.key
  }
}

extension VirtualCharacteristic {
  fileprivate func mutable(value: [UInt8]?) -> CBMutableCharacteristic {
    CBMutableCharacteristic(
      type: CBUUID(string: uuid), properties: coreProperties, value: value.map { Data($0) },
      permissions: permissions)
  }

  private var coreProperties: CBCharacteristicProperties {
    let pairs: [(Properties, CBCharacteristicProperties)] = [
      (.read, .read), (.write, .write), (.writeWithoutResponse, .writeWithoutResponse),
      (.notify, isProtected ? [.notify, .notifyEncryptionRequired] : .notify),
      (.indicate, isProtected ? [.indicate, .indicateEncryptionRequired] : .indicate),
    ]
    return pairs.reduce(into: []) { made, pair in
      if properties.contains(pair.0) { made.formUnion(pair.1) }
    }
  }

  private var permissions: CBAttributePermissions {
    var made: CBAttributePermissions = []
    if properties.contains(.read) { made.insert(isProtected ? .readEncryptionRequired : .readable) }
    if !properties.isDisjoint(with: [.write, .writeWithoutResponse]) {
      made.insert(isProtected ? .writeEncryptionRequired : .writeable)
    }
    return made
  }
}

// MARK: - Core Bluetooth

extension DevicePeripheral: CBPeripheralManagerDelegate {
  // A manager with a restore identifier demands this method. What the system has kept is replaced
  // when the radio is on.
  func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {}

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    outbox = []
    subscriptions = []
    characteristics = [:]
    peripheral.removeAllServices()
    let services = services
    unpublished = services.count
    for service in services { peripheral.add(service) }
    if services.isEmpty { advertise() }
    rearm()
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
  ) {
    if let error { return onEvent(.failed(error.localizedDescription)) }
    unpublished -= 1
    advertise()
  }

  func peripheralManagerDidStartAdvertising(
    _ peripheral: CBPeripheralManager, error: (any Error)?
  ) {
    onEvent(error.map { .failed($0.localizedDescription) } ?? .advertising)
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral,
    didSubscribeTo characteristic: CBCharacteristic
  ) {
    guard let attribute = attribute(characteristic) else { return }
    subscriptions.insert(attribute)
    handleInput(.subscribed(attribute))
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral,
    didUnsubscribeFrom characteristic: CBCharacteristic
  ) {
    guard let attribute = attribute(characteristic) else { return }
    subscriptions.remove(attribute)
    handleInput(.unsubscribed(attribute))
    if subscriptions.isEmpty { disconnected(central.identifier) }
  }

  func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
    sendRest()
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest
  ) {
    guard let attribute = attribute(request.characteristic) else {
      return peripheral.respond(to: request, withResult: .attributeNotFound)
    }
    switch handleInput(.read(attribute)) {
    case .answer(let bytes)?:
      guard request.offset <= bytes.count else {
        return peripheral.respond(to: request, withResult: .invalidOffset)
      }
      request.value = Data(bytes.dropFirst(request.offset))
      peripheral.respond(to: request, withResult: .success)
    case let output: peripheral.respond(to: request, withResult: output?.refusal ?? .unlikelyError)
    }
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
  ) {
    guard let request = requests.first else { return }
    guard requests.count == 1, request.offset == 0,
      let attribute = attribute(request.characteristic)
    else { return peripheral.respond(to: request, withResult: .invalidOffset) }
    // The response comes first; what the device sends because of the write follows it.
    isDeferringUpdates = true
    let output = handleInput(.written(attribute, Array(request.value ?? Data())))
    isDeferringUpdates = false
    peripheral.respond(to: request, withResult: output?.refusal ?? .success)
    sendRest()
  }
}

extension VirtualDeviceOutput {
  fileprivate var refusal: CBATTError.Code? {
    if case .refuse(let code) = self { CBATTError.Code(rawValue: Int(code)) } else { nil }
  }
}
