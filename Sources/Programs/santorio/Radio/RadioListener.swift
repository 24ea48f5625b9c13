// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import Dispatch
import Foundation
import HealthDevices
import HealthGATT
import SantorioBluetooth

/// Observes the state of a radio and the advertisements of devices.
final class RadioListener: NSObject, @unchecked Sendable {
  /// What to listen to.
  enum Scope: Sendable {
    /// The radio's state.
    case stateOnly
    /// Devices that advertise one of some services, or any device.
    case devices([String]?)
  }

  /// An observed event.
  enum Event: Sendable {
    /// The radio's state, first of all and whenever it changes.
    case state(CBManagerState)
    /// A device advertises.
    case discovered(DiscoveredDevice)
  }

  /// One advertisement.
  struct DiscoveredDevice: Hashable, Sendable {
    let identifier: UUID
    let name: String?
    /// In dBm; nil when it was not measured.
    let rssi: Int?
    let services: [AdvertisedService]
    /// Everything that it advertises.
    let advertisement: Advertisement
  }

  // `manager` is used on `queue` only, on which Core Bluetooth also calls.
  private let queue = DispatchQueue(label: "org.santorio.command.radio")
  private let scope: Scope
  private let continuation: AsyncStream<Event>.Continuation
  private var manager: CBCentralManager?

  private init(_ scope: Scope, _ continuation: AsyncStream<Event>.Continuation) {
    self.scope = scope
    self.continuation = continuation
  }

  /// Starts listening; the end of the iteration stops it.
  static func events(
    _ scope: Scope, managerOptions: sending [String: Any]
  ) -> AsyncStream<Event> {
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let listener = RadioListener(scope, continuation)
    listener.manager = CBCentralManager(
      delegate: listener, queue: listener.queue, options: managerOptions)
    continuation.onTermination = { _ in listener.stop() }
    return events
  }

  private func stop() {
    queue.async { [self] in
      // A scan must not be stopped while the radio is off.
      if manager?.state == .poweredOn, manager?.isScanning == true { manager?.stopScan() }
      manager?.delegate = nil
      manager = nil
    }
  }
}

extension RadioListener: CBCentralManagerDelegate {
  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    continuation.yield(.state(central.state))
    guard central.state == .poweredOn, case .devices(let services) = scope else { return }
    central.scanForPeripherals(
      withServices: services?.map(CBUUID.init(string:)),
      options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    let services = advertisementData[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
    var advertisement = Advertisement(advertisementData)
    advertisement.name = advertisement.name ?? peripheral.name
    continuation.yield(
      .discovered(
        DiscoveredDevice(
          identifier: peripheral.identifier, name: advertisement.name,
          rssi: RSSI.intValue == 127 ? nil : RSSI.intValue,
          services: (services ?? []).map { AdvertisedService($0) }, advertisement: advertisement)))
  }
}

/// A service that a device advertises.
struct AdvertisedService: Hashable, Sendable {
  /// The UUID, in short form where it has one.
  let uuid: String
  /// The name of the Assigned Numbers, where there is one.
  let name: String?
}

extension AdvertisedService {
  init(_ uuid: CBUUID) {
    self.uuid = uuid.uuidString
    name = uuid.description == uuid.uuidString ? nil : uuid.description
  }
}
