// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Dispatch
import Foundation
import HealthGATT

/// The Core Bluetooth side of a virtual blood pressure monitor.
final class MonitorPeripheral: NSObject, @unchecked Sendable {
  // All state is touched on `queue` only, on which Core Bluetooth calls too.
  private let queue: DispatchQueue
  private let now: @Sendable () -> Date
  private let zone: TimeZone
  private let isConnected: @Sendable (UUID) -> Bool
  private let onEvent: @Sendable (VirtualDeviceEvent) -> Void
  private let managerOptions: [String: Any]?
  private var manager: CBPeripheralManager?
  private var unpublished = 0
  private var memory: [[UInt8]] = []
  private var sent = 0
  private var isPairing = false
  private var clockOffset: TimeInterval
  private let measurement: CBMutableCharacteristic

  private let model: BloodPressureMonitorModel

  init(
    _ model: BloodPressureMonitorModel, clockOffsetSeconds: Double, zone: TimeZone,
    now: @escaping @Sendable () -> Date, managerOptions: sending [String: Any]?,
    isConnected: @escaping @Sendable (UUID) -> Bool,
    onEvent: @escaping @Sendable (VirtualDeviceEvent) -> Void
  ) {
    self.model = model
    self.zone = zone
    self.now = now
    self.managerOptions = managerOptions
    self.isConnected = isConnected
    self.onEvent = onEvent
    clockOffset = clockOffsetSeconds
    queue = DispatchQueue(label: "org.santorio.virtual-device.\(model.advertisedName)")
    measurement = CBMutableCharacteristic(
      type: CBUUID(string: "2A35"),
      properties: model.demandsBond ? [.indicate, .indicateEncryptionRequired] : [.indicate],
      value: nil, permissions: [])
    super.init()
  }

  func switchOn() {
    queue.async { [self] in
      guard manager == nil else { return }
      manager = CBPeripheralManager(delegate: self, queue: queue, options: managerOptions)
    }
  }

  func switchOff() {
    queue.async { [self] in
      manager?.stopAdvertising()
      manager?.removeAllServices()
      manager?.delegate = nil
      manager = nil
    }
  }

  func measure(_ frames: [[UInt8]]) {
    queue.async { [self] in
      memory += frames
      advertise()
    }
  }

  func enterPairingMode() {
    queue.async { [self] in
      isPairing = true
      advertise()
    }
  }

  private var isPublished: Bool { manager?.state == .poweredOn && unpublished == 0 }

  private func advertise() {
    guard let manager, isPublished, !manager.isAdvertising, isPairing || !memory.isEmpty else {
      return
    }
    manager.startAdvertising([
      CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "1810")],
      CBAdvertisementDataLocalNameKey: model.advertisedName,
    ])
  }

  private func sendRest() {
    while sent < memory.count {
      let isQueued =
        manager?.updateValue(Data(memory[sent]), for: measurement, onSubscribedCentrals: nil)
      guard isQueued == true else { return }  // Goes on in peripheralManagerIsReady.
      sent += 1
    }
  }

  /// The central has left: whatever may not have arrived is kept for the next one.
  private func transferEnded(_ central: UUID) {
    guard sent == memory.count, isConnected(central) else {
      sent = 0
      return advertise()
    }
    onEvent(.transferred(measurements: sent))
    if model.forgetsWhatItSent { memory = [] }
    sent = 0
    isPairing = false
    manager?.stopAdvertising()
  }
}

// MARK: - Attributes

extension MonitorPeripheral {
  private var services: [CBMutableService] {
    let bloodPressure = CBMutableService(type: CBUUID(string: "1810"), primary: true)
    bloodPressure.characteristics =
      [measurement, fixed("2A49", model.feature)] + (model.hasClock ? [clock] : [])
    let deviceInformation = CBMutableService(type: CBUUID(string: "180A"), primary: true)
    deviceInformation.characteristics = [
      fixed("2A29", Array(model.manufacturer.utf8)), fixed("2A24", Array(model.model.utf8)),
      fixed("2A25", Array(model.serialNumber.utf8)),
      fixed("2A26", Array(model.firmwareRevision.utf8)),
    ]
    let battery = CBMutableService(type: CBUUID(string: "180F"), primary: true)
    battery.characteristics = [fixed("2A19", [model.batteryPercent])]
    return [bloodPressure, deviceInformation, battery]
  }

  private var clock: CBMutableCharacteristic {
    CBMutableCharacteristic(
      type: CBUUID(string: "2A08"), properties: [.read, .write], value: nil,
      permissions: model.demandsBond
        ? [.readEncryptionRequired, .writeEncryptionRequired] : [.readable, .writeable])
  }

  private func fixed(_ type: String, _ value: [UInt8]) -> CBMutableCharacteristic {
    CBMutableCharacteristic(
      type: CBUUID(string: type), properties: .read, value: Data(value), permissions: .readable)
  }

  /// What the clock shows.
  private var shownTime: Data {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: now() + clockOffset)
    let time = try? DateTime(
      year: parts.year, month: parts.month, day: parts.day, hours: parts.hour ?? 0,
      minutes: parts.minute ?? 0, seconds: parts.second ?? 0)
    return Data(time?.payload ?? [])
  }

  private func setClock(_ octets: Data) -> CBATTError.Code {
    guard let time = try? DateTime(payload: octets), time.isOnCalendar else {
      return octets.count == 7 ? .unlikelyError : .invalidAttributeValueLength
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let date = calendar.date(
      from: DateComponents(
        year: time.year, month: time.month, day: time.day, hour: time.hours, minute: time.minutes,
        second: time.seconds))
    clockOffset = date.map { $0.timeIntervalSince(now()) } ?? clockOffset
    onEvent(.clockSet)
    return .success
  }
}

// MARK: - Core Bluetooth

extension MonitorPeripheral: CBPeripheralManagerDelegate {
  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    sent = 0
    peripheral.removeAllServices()
    let services = services
    unpublished = services.count
    for service in services { peripheral.add(service) }
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
    onEvent(.subscribed)
    sent = 0
    sendRest()
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral,
    didUnsubscribeFrom characteristic: CBCharacteristic
  ) {
    transferEnded(central.identifier)
  }

  func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
    sendRest()
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest
  ) {
    let value = shownTime
    guard request.offset <= value.count else {
      return peripheral.respond(to: request, withResult: .invalidOffset)
    }
    request.value = value.dropFirst(request.offset)
    peripheral.respond(to: request, withResult: .success)
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
  ) {
    guard let request = requests.first else { return }
    let isWhole = requests.count == 1 && request.offset == 0
    let result = isWhole ? setClock(request.value ?? Data()) : .invalidOffset
    peripheral.respond(to: request, withResult: result)
  }
}
