// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import FaultKit
import SantorioConcurrency
import TestSupport

/// Advertisements of twenty devices that a scan reports over D-Bus, from a stand-in for bluetoothd.
final class BlueZAdvertisements: LongStream {
  /// The number of signals that may wait on the bus.
  private static let portion = 250

  private let folder: TemporaryFolder
  private let bus: BusDaemon
  private let daemon: ChildProcess
  private let lines: AsyncStream<String>
  private let scan: CountingScan

  init() async throws {
    folder = try TemporaryFolder()
    bus = try BusDaemon()
    let (lines, line) = AsyncStream<String>.makeStream()
    self.lines = lines
    daemon = try ChildProcess(
      "VirtualBluetoothd", [bus.addressText, "--known", "0", "--strangers", "20"]
    ) { line.yield($0) }
    for await line in lines where line == "ready" { break }
    unsafe setenv("DBUS_SYSTEM_BUS_ADDRESS", bus.addressText, 1)
    unsafe setenv("STATE_DIRECTORY", folder.url.path, 1)
    scan = CountingScan(options: [:])
    await scan.begin()
  }

  func run(_ count: Int) async throws {
    var left = count
    while left > 0 {
      let portion = min(left, Self.portion)
      let target = scan.discoveries.value + portion
      daemon.write("say \(portion)")
      await scan.discoveries.reaches(target)
      left -= portion
    }
  }
}

/// A central that scans for everything and counts what is discovered.
final class CountingScan: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
  // `manager` is set in `init` only.
  let discoveries = EventCount()
  private let poweredOn = EventCount()
  private let queue = DispatchQueue(label: "endurance.scan")
  private var manager: CBCentralManager?

  init(options: [String: Any]) {
    super.init()
    manager = CBCentralManager(delegate: self, queue: queue, options: options)
  }

  /// Waits for the radio and scans from then on.
  func begin() async {
    await poweredOn.reaches(1)
    manager?.scanForPeripherals(
      withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central.state == .poweredOn { poweredOn.add() }
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    discoveries.add()
  }
}
