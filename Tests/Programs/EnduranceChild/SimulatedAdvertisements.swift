// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothSimulation

/// Advertisements of twenty devices on a simulated radio, whose time passes as fast as it can.
final class SimulatedAdvertisements: LongStream {
  private let air = SimulatedRadioEnvironment()
  private let devices: [Advertiser]
  private let scan: CountingScan

  init() async throws {
    let air = air
    devices = (0..<20).map {
      Advertiser($0, options: air.makeHost(named: "Device \($0)").managerOptions)
    }
    let scan = CountingScan(options: air.makeHost(named: "Gateway").managerOptions)
    self.scan = scan
    async let begins: Void = scan.begin()
    await air.advance(by: .seconds(1))
    await begins
  }

  func run(_ count: Int) async throws {
    let target = scan.discoveries.value + count
    while scan.discoveries.value < target { await air.advance(by: .seconds(1)) }
  }
}

/// A device that advertises a name and a service.
private final class Advertiser: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
  // `manager` is set in `init` only.
  private let name: String
  private let queue = DispatchQueue(label: "endurance.advertiser")
  private var manager: CBPeripheralManager?

  init(_ number: Int, options: [String: Any]) {
    name = "Device \(number)"
    super.init()
    manager = CBPeripheralManager(delegate: self, queue: queue, options: options)
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    peripheral.startAdvertising([
      CBAdvertisementDataLocalNameKey: name,
      CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "1810")],
    ])
  }
}
