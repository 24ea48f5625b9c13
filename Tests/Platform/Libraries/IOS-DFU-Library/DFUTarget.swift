// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothSimulation

/// A device whose firmware can be replaced: its application, and its bootloader.
final class DFUTarget: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
  static let service = CBUUID(string: "FE59")
  static let control = CBUUID(string: "8EC90001-F315-4F60-9FB8-838830DAEA50")
  static let packet = CBUUID(string: "8EC90002-F315-4F60-9FB8-838830DAEA50")
  /// Starts the bootloader; for devices without bonds, whose bootloader has another address.
  static let buttonless = CBUUID(string: "8EC90003-F315-4F60-9FB8-838830DAEA50")

  private let host: SimulatedHost
  private let queue = DispatchQueue(label: "target")
  private var manager: CBPeripheralManager?
  private var bootloader = Bootloader()
  private var unsent: [(CBMutableCharacteristic, Data)] = []
  private var runsApplication: Bool
  private var bootloaderName: String
  private var lossAt: Int?
  /// What is done when everything has been sent.
  private var next: (() -> Void)?

  private let control = CBMutableCharacteristic(
    type: DFUTarget.control, properties: [.write, .notify], value: nil, permissions: .writeable)
  private let packet = CBMutableCharacteristic(
    type: DFUTarget.packet, properties: .writeWithoutResponse, value: nil,
    permissions: .writeable)
  private let buttonless = CBMutableCharacteristic(
    type: DFUTarget.buttonless, properties: [.write, .indicate], value: nil,
    permissions: .writeable)

  /// A device that is in its bootloader, or runs its application; it advertises the host's name.
  init(on host: SimulatedHost, runsApplication: Bool) {
    self.host = host
    bootloaderName = host.name
    self.runsApplication = runsApplication
    super.init()
    // On the queue, for the first callback may come before the assignment.
    queue.sync {
      manager = CBPeripheralManager(delegate: self, queue: queue, options: host.managerOptions)
    }
  }

  /// The state of the bootloader.
  var state: Bootloader { queue.sync { bootloader } }

  /// Hangs up when so many bytes of firmware have arrived.
  func loseLink(at byte: Int) {
    queue.sync { lossAt = byte }
  }

  // MARK: - Starting

  private func start() {
    guard let manager else { return }
    manager.stopAdvertising()
    manager.removeAllServices()
    let service = CBMutableService(type: Self.service, primary: true)
    service.characteristics = runsApplication ? [buttonless] : [control, packet]
    manager.add(service)
    manager.startAdvertising([
      CBAdvertisementDataLocalNameKey: runsApplication ? host.name : bootloaderName,
      CBAdvertisementDataServiceUUIDsKey: [Self.service],
    ])
  }

  /// Resets the device: all links are gone.
  private func reset(toApplication: Bool) {
    runsApplication = toApplication
    host.disconnectAll()
    host.rotateAddress()
    start()
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    if peripheral.state == .poweredOn { start() }
  }

  // MARK: - Requests

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
  ) {
    guard let request = requests.first, let value = request.value else { return }
    peripheral.respond(to: request, withResult: .success)
    switch request.characteristic.uuid {
    case Self.packet: receivePacket(value)
    case Self.control:
      let answer = bootloader.control(value)
      if let bytes = answer.bytes { unsent.append((control, bytes)) }
      if answer.resets { next = { [weak self] in self?.reset(toApplication: true) } }
    default: receiveCommand([UInt8](value))
    }
    send()
  }

  private func receivePacket(_ value: Data) {
    if let receipt = bootloader.packet(value) { unsent.append((control, receipt)) }
    guard let lossAt, bootloader.received >= lossAt else { return }
    self.lossAt = nil
    host.disconnectAll()
  }

  /// A command to the application: a name for the bootloader, or to start it.
  private func receiveCommand(_ command: [UInt8]) {
    unsent.append((buttonless, Data([0x20, command.first ?? 0, 0x01])))
    switch command.first {
    case 0x02: bootloaderName = String(decoding: command.dropFirst(2), as: UTF8.self)
    case 0x01: next = { [weak self] in self?.reset(toApplication: false) }
    default: break
    }
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral,
    didUnsubscribeFrom characteristic: CBCharacteristic
  ) {
    bootloader.disconnected()
    unsent = []
  }

  func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
    send()
  }

  private func send() {
    while let (characteristic, value) = unsent.first,
      manager?.updateValue(value, for: characteristic, onSubscribedCentrals: nil) == true
    {
      unsent.removeFirst()
    }
    guard unsent.isEmpty, let next else { return }
    self.next = nil
    // Once the last answer has left.
    queue.asyncAfter(deadline: .now() + .milliseconds(200), execute: next)
  }
}
