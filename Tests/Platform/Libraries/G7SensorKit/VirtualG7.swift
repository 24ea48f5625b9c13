// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothSimulation

/// A glucose sensor of the generation G7, as an app meets it that listens beside the manufacturer's.
///
/// The authentication is proprietary: here it is one byte, and the same answer as a sensor's. All
/// readings are composed.
final class VirtualG7: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
  static let name = "DXCM42"
  static let advertised = CBUUID(string: "FEBC")
  static let service = CBUUID(string: "F8083532-849E-531C-C594-30F1F86A4EA5")
  static let control = CBUUID(string: "F8083534-849E-531C-C594-30F1F86A4EA5")
  static let authentication = CBUUID(string: "F8083535-849E-531C-C594-30F1F86A4EA5")
  static let backfill = CBUUID(string: "F8083536-849E-531C-C594-30F1F86A4EA5")

  /// Authenticated, and bonded.
  static let authenticated = Data([0x05, 0x01, 0x01])
  // OP ST TIME     SEQ       AGE  GLU  AS TR PRED CAL
  // 4E 00 100E0000 0C00 0001 0500 7B00 06 04 7D00 0E
  private static func reading(_ glucose: UInt8, sequence: UInt8) -> Data {
    Data([
      0x4E, 0x00, 0x10, 0x0E, 0x00, 0x00, sequence, 0x00, 0x00, 0x01, 0x05, 0x00, glucose, 0x00,
      0x06, 0x04, 0x7D, 0x00, 0x0E,
    ])
  }
  // TIME      GLU  AS    TR
  // B80B00 00 7600 06 0F FC
  private static let earlier = [
    Data([0xB8, 0x0B, 0x00, 0x00, 0x76, 0x00, 0x06, 0x0F, 0xFC]),
    Data([0xE4, 0x0C, 0x00, 0x00, 0x79, 0x00, 0x06, 0x0F, 0x02]),
  ]
  // OP ST SESSION  WARM ALGORITH HW DAYS
  // 52 00 C0D70D00 5406 00020404 FF 0C00: a session of 10.5 days
  private static let version = Data([
    0x52, 0x00, 0xC0, 0xD7, 0x0D, 0x00, 0x54, 0x06, 0x00, 0x02, 0x04, 0x04, 0xFF, 0x0C, 0x00,
  ])

  private let host: SimulatedHost
  private let queue = DispatchQueue(label: "sensor")
  private var manager: CBPeripheralManager?
  private var unsent: [(CBMutableCharacteristic, Data)] = []
  private var glucose: UInt8 = 123
  private var sequence: UInt8 = 12

  private let control = CBMutableCharacteristic(
    type: VirtualG7.control, properties: [.write, .indicate], value: nil, permissions: .writeable)
  private let authentication = CBMutableCharacteristic(
    type: VirtualG7.authentication, properties: [.write, .indicate], value: nil,
    permissions: .writeable)
  private let backfill = CBMutableCharacteristic(
    type: VirtualG7.backfill, properties: .notify, value: nil, permissions: .readable)

  init(on host: SimulatedHost) {
    self.host = host
    super.init()
    // On the queue, for the first callback may come before the assignment.
    queue.sync {
      manager = CBPeripheralManager(delegate: self, queue: queue, options: host.managerOptions)
    }
  }

  /// Has a new reading, and hangs up as a sensor does after each.
  func measure(_ glucose: UInt8) {
    queue.sync {
      self.glucose = glucose
      sequence += 1
      unsent = []
      host.disconnectAll()
    }
  }

  var isConnected: Bool { !host.connectedPeers.isEmpty }

  // MARK: - CBPeripheralManagerDelegate

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    let service = CBMutableService(type: Self.service, primary: true)
    service.characteristics = [authentication, control, backfill]
    peripheral.add(service)
    peripheral.startAdvertising([
      CBAdvertisementDataLocalNameKey: Self.name,
      CBAdvertisementDataServiceUUIDsKey: [Self.advertised],
    ])
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
  ) {
    guard let request = requests.first else { return }
    peripheral.respond(to: request, withResult: .success)
    let isControl = request.characteristic.uuid == Self.control
    switch (isControl, request.value?.first) {
    case (false, _): unsent.append((authentication, Self.authenticated))
    case (true, 0x4E): unsent.append((control, Self.reading(glucose, sequence: sequence)))
    case (true, 0x52): unsent.append((control, Self.version))
    case (true, 0x59):
      unsent += Self.earlier.map { (backfill, $0) } + [(control, Data([0x59, 0x00, 0x00]))]
    default: break
    }
    send(peripheral)
  }

  func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
    send(peripheral)
  }

  private func send(_ peripheral: CBPeripheralManager) {
    while let (characteristic, value) = unsent.first,
      peripheral.updateValue(value, for: characteristic, onSubscribedCentrals: nil)
    {
      unsent.removeFirst()
    }
  }
}
