// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HealthDevices
import HealthGATT
import SantorioConcurrency
import SantorioCore

#if SimulatedBluetooth
  import SimulatedCoreBluetooth
#else
  import CoreBluetooth
#endif

/// The connection to one device: finds its attributes and carries requests to it.
final class Link: NSObject, @unchecked Sendable {
  // Touched on the central's queue only, on which Core Bluetooth calls too.
  private let peripheral: CBPeripheral
  private let report: (PeripheralOperation.Event) -> Void
  private var characteristics: [GATTAttribute: CBCharacteristic] = [:]
  /// The services in use that are known by their beginning only, see ``GATTAttribute``.
  private var patterns: [String] = []
  /// A write without response for which the radio has no room yet.
  private var waitingWrite: (attribute: GATTAttribute, bytes: [UInt8])?
  private let clock: MonotonicClock
  private let queue: DispatchQueue
  /// Until when such a write waits.
  private lazy var roomTimer = DeadlineTimer(clock, on: queue) { [weak self] in
    self?.writeWithoutResponse(isForced: true)
  }
  /// Whether the radio has had room on this connection.
  private var hasHadRoom = false

  /// How long a write without response waits for room: macOS may say that there is none until
  /// something was written.
  private static let firstRoomTimeout = Duration.seconds(1)
  /// How long it waits after that: a link that stalls recovers, or is lost, within this time.
  private static let roomTimeout = Duration.seconds(6)

  /// Takes a device's connection over.
  ///
  /// - Parameters:
  ///   - peripheral: The device, which is connected.
  ///   - queue: The central's queue.
  ///   - clock: The operation's clock.
  ///   - report: Called with what happens, on the queue.
  init(
    _ peripheral: CBPeripheral, on queue: DispatchQueue, _ clock: MonotonicClock,
    report: @escaping (PeripheralOperation.Event) -> Void
  ) {
    self.peripheral = peripheral
    self.queue = queue
    self.clock = clock
    self.report = report
    super.init()
    peripheral.delegate = self
  }

  func discoverServices(_ services: [String]) {
    patterns = services.filter { $0.last == "*" }
    peripheral.discoverServices(patterns.isEmpty ? services.map(CBUUID.init(string:)) : nil)
  }

  /// Reports what came before this took the connection over.
  func replay(_ values: [(attribute: GATTAttribute, bytes: [UInt8])]) {
    for (attribute, bytes) in values {
      let service = patterns.first { attribute.service.hasPrefix($0.dropLast()) }
      let known = GATTAttribute(service ?? attribute.service, attribute.characteristic)
      report(.value(known, bytes))
    }
  }

  func discoverCharacteristics(_ characteristics: [String], _ service: String) {
    let match = peripheral.services?.first { address($0) == service }
    guard let match else { return report(.characteristicsDiscovered([], service: service)) }
    peripheral.discoverCharacteristics(characteristics.map(CBUUID.init(string:)), for: match)
  }

  // MARK: - Requests

  func perform(_ request: RequestQueue.Request) {
    // There is one request at a time: that before it is answered or given up.
    giveUpWrite()
    switch request {
    case .read(let attribute): read(attribute)
    case .write(let attribute, let bytes): write(attribute, bytes, prefersResponse: true)
    case .writeWithoutResponse(let attribute, let bytes):
      write(attribute, bytes, prefersResponse: false)
    case .subscribe(let attribute): setNotify(true, attribute)
    case .unsubscribe(let attribute): setNotify(false, attribute)
    }
  }

  /// What still waits for room is not written any more.
  func giveUpWrite() {
    waitingWrite = nil
    roomTimer.set(nil)
  }

  private func read(_ attribute: GATTAttribute) {
    guard let characteristic = characteristics[attribute], characteristic.properties.contains(.read)
    else {
      // As a device would refuse it: Read Not Permitted.
      return report(.readFailed(attribute, .init(.other, "It cannot be read.", code: 0x02)))
    }
    peripheral.readValue(for: characteristic)
  }

  private func write(_ attribute: GATTAttribute, _ bytes: [UInt8], prefersResponse: Bool) {
    let properties = characteristics[attribute]?.properties ?? []
    let canRespond = properties.contains(.write)
    let canDoWithout = properties.contains(.writeWithoutResponse)
    guard let characteristic = characteristics[attribute], canRespond || canDoWithout else {
      return report(.written(attribute, .init(.other, "It cannot be written.")))
    }
    // What is longer is cut off.
    let longest = peripheral.maximumWriteValueLength(for: .withoutResponse)
    guard canDoWithout, !(canRespond && (prefersResponse || bytes.count > longest)) else {
      peripheral.writeValue(Data(bytes), for: characteristic, type: .withResponse)
      return
    }
    guard bytes.count <= longest else {
      let message =
        "The connection carries \(longest) bytes at once, and the device wants \(bytes.count)."
      return report(.written(attribute, .init(.other, message)))
    }
    waitingWrite = (attribute, bytes)
    writeWithoutResponse()
    guard waitingWrite != nil else { return }
    roomTimer.set(clock.now() + (hasHadRoom ? Self.roomTimeout : Self.firstRoomTimeout))
  }

  /// Writes what waits, if there is room for it; else once the radio is ready, or has not said for
  /// long that it is.
  private func writeWithoutResponse(isForced: Bool = false) {
    guard let (attribute, bytes) = waitingWrite, let characteristic = characteristics[attribute],
      isForced || peripheral.canSendWriteWithoutResponse
    else { return }
    waitingWrite = nil
    if !isForced { hasHadRoom = true }
    roomTimer.set(nil)
    peripheral.writeValue(Data(bytes), for: characteristic, type: .withoutResponse)
    report(.written(attribute, nil))
  }

  private func setNotify(_ enabled: Bool, _ attribute: GATTAttribute) {
    let properties = characteristics[attribute]?.properties ?? []
    guard let characteristic = characteristics[attribute],
      !properties.isDisjoint(with: Self.notifying)
    else {
      return report(.subscriptionChanged(attribute, .init(.other, "It sends nothing by itself.")))
    }
    peripheral.setNotifyValue(enabled, for: characteristic)
  }

  private static let notifying: CBCharacteristicProperties = [
    .notify, .indicate, .notifyEncryptionRequired, .indicateEncryptionRequired,
  ]

  private func attribute(_ characteristic: CBCharacteristic) -> GATTAttribute? {
    guard let service = characteristic.service else { return nil }
    return GATTAttribute(address(service), characteristic.uuid.uuidString)
  }

  /// The service's UUID, or the pattern that it fits.
  private func address(_ service: CBService) -> String {
    let uuid = service.uuid.uuidString
    return patterns.first { uuid.hasPrefix($0.dropLast()) } ?? uuid
  }
}

extension Link: CBPeripheralDelegate {
  func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
    let gone = Set(invalidatedServices.map(address))
    guard
      characteristics.isEmpty || characteristics.keys.contains(where: { gone.contains($0.service) })
    else { return }
    giveUpWrite()
    report(.servicesChanged)
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    if let error { return report(.discoveryFailed(.init(error))) }
    report(.servicesDiscovered((peripheral.services ?? []).map(address)))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService,
    error: (any Error)?
  ) {
    if let error { return report(.discoveryFailed(.init(error))) }
    let found = service.characteristics ?? []
    for characteristic in found {
      characteristics[GATTAttribute(address(service), characteristic.uuid.uuidString)] =
        characteristic
    }
    report(
      .characteristicsDiscovered(
        found.map(\.uuid.uuidString), service: address(service)))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    guard let attribute = attribute(characteristic) else { return }
    if let error { return report(.readFailed(attribute, .init(error))) }
    SantorioLogging.shared.log(.bluetooth, "value received")
    report(.value(attribute, Array(characteristic.value ?? Data())))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    guard let attribute = attribute(characteristic) else { return }
    report(.written(attribute, error.map { .init($0) }))
  }

  func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
    writeWithoutResponse()
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    guard let attribute = attribute(characteristic) else { return }
    report(.subscriptionChanged(attribute, error.map { .init($0) }))
  }
}
