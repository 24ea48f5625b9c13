// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Foundation

private enum Scanning {
  final class Client: NSObject, CBCentralManagerDelegate {
    private var manager: CBCentralManager?

    func start() {
      manager = CBCentralManager(delegate: self, queue: nil)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
      guard central.state == .poweredOn else { return }
      central.scanForPeripherals(withServices: [CBUUID(string: "180D")])
    }
  }
}

private enum Restoring {
  final class Client: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private var manager: CBCentralManager?
    private var peripherals: [CBPeripheral] = []

    func start() {
      manager = CBCentralManager(
        delegate: self, queue: nil,
        options: [CBCentralManagerOptionRestoreIdentifierKey: "meters"])
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
      peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
      for peripheral in peripherals { peripheral.delegate = self }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {}
  }
}

private final class ChannelServer: NSObject, CBPeripheralManagerDelegate {
  private let serviceType = CBUUID(string: "1809")

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
  ) {
    guard error == nil else { return }
    let service = CBMutableService(type: serviceType, primary: true)
    service.characteristics = [
      CBMutableCharacteristic(
        type: CBUUID(string: CBUUIDL2CAPPSMCharacteristicString), properties: .read,
        value: withUnsafeBytes(of: PSM.littleEndian) { Data($0) }, permissions: .readable)
    ]
    peripheral.add(service)
  }
}

private final class ChannelClient: NSObject, CBPeripheralDelegate, StreamDelegate {
  private var channel: CBL2CAPChannel?
  private var received: [UInt8] = []

  func peripheral(
    _ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?
  ) {
    guard let channel else { return }
    self.channel = channel
    for stream: Stream in [channel.inputStream, channel.outputStream] {
      stream.delegate = self
      stream.schedule(in: .main, forMode: .default)
      stream.open()
    }
  }

  func stream(_ stream: Stream, handle event: Stream.Event) {
    guard event == .hasBytesAvailable, let input = stream as? InputStream else { return }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while input.hasBytesAvailable {
      let count = input.read(&buffer, maxLength: buffer.count)
      guard count > 0 else { return }
      received += buffer.prefix(count)
    }
  }
}
