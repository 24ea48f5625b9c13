// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothSimulation

/// A heart-rate strap, made of a peripheral manager, that writes down what it is asked.
package final class HeartRateStrap: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
  package static let name = "Strap"
  package static let heartRate = CBUUID(string: "180D")
  package static let measurement = CBUUID(string: "2A37")
  package static let location = CBUUID(string: "2A38")
  package static let controlPoint = CBUUID(string: "2A39")
  package static let description = CBUUID(string: "2901")
  package static let log = CBUUID(string: "0F5F1F2E-6A1C-4E0E-9F1E-3D5B2A7C4D10")

  /// What the strap sends when somebody subscribes: flags, then beats per minute.
  package static let measurements = [61, 62, 63].map { Data([0, $0]) }
  /// On the chest; the system serves it.
  package static let chest = Data([1])
  /// Longer than a packet; the strap serves it.
  package static let wholeLog = Data((0..<300).map { UInt8($0 % 251) })
  /// The one command of the control point: reset the energy expended.
  package static let reset = Data([1])
  /// Heart Rate Service: control point not supported.
  package static let notSupported = 0x80

  package let host: SimulatedHost
  private let queue = DispatchQueue(label: "strap")
  private let lock = NSLock()
  private var manager: CBPeripheralManager?
  private var lines: [String] = []
  private var unsent: [Data] = []
  private var isLeaving = false

  private let beats = CBMutableCharacteristic(
    type: HeartRateStrap.measurement, properties: .notify, value: nil, permissions: .readable)

  init(on host: SimulatedHost) {
    self.host = host
    super.init()
    // On the queue, for the first callback may come before the assignment.
    queue.sync {
      manager = CBPeripheralManager(delegate: self, queue: queue, options: host.managerOptions)
    }
  }

  /// Whether the strap noted the line.
  package func noted(_ line: String) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    return lines.contains(line)
  }

  /// Hangs up, as a device does, in place of an answer to the next read.
  package func leaveAtNextRead() {
    queue.sync { isLeaving = true }
  }

  private func note(_ line: String) {
    lock.lock()
    defer { lock.unlock() }
    lines.append(line)
  }

  // MARK: - CBPeripheralManagerDelegate

  package func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    beats.descriptors = [CBMutableDescriptor(type: Self.description, value: "Beats")]
    let service = CBMutableService(type: Self.heartRate, primary: true)
    service.characteristics = [
      beats,
      CBMutableCharacteristic(
        type: Self.location, properties: .read, value: Self.chest, permissions: .readable),
      CBMutableCharacteristic(
        type: Self.controlPoint, properties: .write, value: nil, permissions: .writeable),
      CBMutableCharacteristic(
        type: Self.log, properties: .read, value: nil, permissions: .readable),
    ]
    peripheral.add(service)
    peripheral.startAdvertising([
      CBAdvertisementDataLocalNameKey: Self.name,
      CBAdvertisementDataServiceUUIDsKey: [Self.heartRate],
    ])
  }

  package func peripheralManager(
    _ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest
  ) {
    note("read @\(request.offset)")
    if isLeaving {
      isLeaving = false
      return host.disconnectAll()
    }
    guard request.offset <= Self.wholeLog.count else {
      return peripheral.respond(to: request, withResult: .invalidOffset)
    }
    request.value = Data(Self.wholeLog.dropFirst(request.offset))
    peripheral.respond(to: request, withResult: .success)
  }

  package func peripheralManager(
    _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
  ) {
    guard let request = requests.first else { return }
    let isReset = request.value == Self.reset
    note(isReset ? "reset" : "refused")
    let refusal = CBATTError.Code(rawValue: Self.notSupported) ?? .unlikelyError
    peripheral.respond(to: request, withResult: isReset ? .success : refusal)
  }

  package func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral,
    didSubscribeTo characteristic: CBCharacteristic
  ) {
    note("subscribed")
    unsent = Self.measurements
    send(peripheral)
  }

  package func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral,
    didUnsubscribeFrom characteristic: CBCharacteristic
  ) {
    note("unsubscribed")
    unsent = []
  }

  package func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
    send(peripheral)
  }

  private func send(_ peripheral: CBPeripheralManager) {
    while let next = unsent.first,
      peripheral.updateValue(next, for: beats, onSubscribedCentrals: nil)
    {
      unsent.removeFirst()
    }
  }
}
