// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import CoreBluetoothBlueZ
import Foundation

/// A device that this process puts on the air, and what its manager has reported to it.
final class LabDevice: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
  /// The types of the attributes, in the order in which they are published.
  enum Attribute {
    static let service = CBUUID(string: "F0DE0000-0000-1000-8000-00805F9B34FC")
    static let fixed = CBUUID(string: "F0DE0001-0000-1000-8000-00805F9B34FC")
    static let asked = CBUUID(string: "F0DE0002-0000-1000-8000-00805F9B34FC")
    static let written = CBUUID(string: "F0DE0003-0000-1000-8000-00805F9B34FC")
    static let commanded = CBUUID(string: "F0DE0004-0000-1000-8000-00805F9B34FC")
    static let notified = CBUUID(string: "F0DE0005-0000-1000-8000-00805F9B34FC")
    static let indicated = CBUUID(string: "F0DE0006-0000-1000-8000-00805F9B34FC")
    static let secret = CBUUID(string: "F0DE0007-0000-1000-8000-00805F9B34FC")
    static let secretlyNotified = CBUUID(string: "F0DE0008-0000-1000-8000-00805F9B34FC")
    static let other = CBUUID(string: "F0DE0010-0000-1000-8000-00805F9B34FC")
  }

  static let long = Data((0..<400).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  private let queue = DispatchQueue(label: "lab device")
  private var manager: CBPeripheralManager?
  // What follows is touched on the queue only.
  private var lines: [String] = []
  private var waiting: [(line: String, count: Int, CheckedContinuation<Void, Never>)] = []
  private var errors: [CBUUID: CBATTError.Code] = [:]
  private var values: [CBUUID: Data] = [:]
  private var published: [CBUUID: CBMutableService] = [:]
  private var unsent: [(Data, CBUUID)] = []
  private var threads: [Thread] = []
  private var maximumUpdates: [Int] = []

  /// A device that goes on where the one of an earlier process with the identifier has ended.
  init(restoring identifier: String? = nil) {
    super.init()
    let adapter = BlueZAdapter { $0.kind == .confirmation ? .accept : .reject }
    var options = adapter.managerOptions
    if let identifier { options[CBPeripheralManagerOptionRestoreIdentifierKey] = identifier }
    queue.sync {
      manager = CBPeripheralManager(delegate: self, queue: queue, options: options)
    }
  }

  // MARK: - What is asked of it

  /// Publishes the service and advertises it.
  func appear() async {
    await until("state 5")
    publish(Self.service())
    await until("added \(Attribute.service)")
    advertise()
    await until("advertises")
  }

  func publish(_ service: CBMutableService) {
    queue.sync {
      published[service.uuid] = service
      manager?.add(service)
    }
  }

  func withdraw(_ service: CBUUID) {
    queue.sync {
      if let service = published.removeValue(forKey: service) { manager?.remove(service) }
    }
  }

  func advertise() {
    queue.sync {
      manager?.startAdvertising([
        CBAdvertisementDataLocalNameKey: "Lab device",
        CBAdvertisementDataServiceUUIDsKey: [Attribute.service],
      ])
    }
  }

  func vanish() {
    queue.sync { manager?.stopAdvertising() }
  }

  func publishChannel() {
    queue.sync { manager?.publishL2CAPChannel(withEncryption: false) }
  }

  func answer(_ attribute: CBUUID, _ value: Data) {
    queue.sync { values[attribute] = value }
  }

  func refuse(_ attribute: CBUUID, _ code: CBATTError.Code) {
    queue.sync { errors[attribute] = code }
  }

  /// Updates a characteristic, as often as the manager has room.
  func push(_ values: [Data], of attribute: CBUUID) {
    queue.sync {
      unsent += values.map { ($0, attribute) }
      pushMore()
    }
  }

  private func pushMore() {
    while let (value, attribute) = unsent.first {
      guard let characteristic = characteristic(attribute),
        manager?.updateValue(value, for: characteristic, onSubscribedCentrals: nil) == true
      else { return }
      unsent.removeFirst()
    }
  }

  private func characteristic(_ uuid: CBUUID) -> CBMutableCharacteristic? {
    published.values.lazy.flatMap { $0.characteristics ?? [] }.first { $0.uuid == uuid }
      as? CBMutableCharacteristic
  }

  static func service() -> CBMutableService {
    let service = CBMutableService(type: Attribute.service, primary: true)
    let fixed = characteristic(Attribute.fixed, .read, .readable, value: long)
    fixed.descriptors = [
      CBMutableDescriptor(
        type: CBUUID(string: CBUUIDCharacteristicUserDescriptionString), value: "Fixed")
    ]
    service.characteristics = [
      fixed,
      characteristic(Attribute.asked, .read, .readable),
      characteristic(Attribute.written, .write, .writeable),
      characteristic(Attribute.commanded, [.write, .writeWithoutResponse], .writeable),
      characteristic(Attribute.notified, [.read, .notify], .readable),
      characteristic(Attribute.indicated, .indicate, .readable),
      characteristic(Attribute.secret, .read, .readEncryptionRequired),
      characteristic(Attribute.secretlyNotified, .notifyEncryptionRequired, .readable),
    ]
    return service
  }

  static func characteristic(
    _ uuid: CBUUID, _ properties: CBCharacteristicProperties,
    _ permissions: CBAttributePermissions, value: Data? = nil
  ) -> CBMutableCharacteristic {
    CBMutableCharacteristic(
      type: uuid, properties: properties, value: value, permissions: permissions)
  }

  // MARK: - What was reported

  /// The longest update of each central that has subscribed.
  var maximumUpdateLengths: [Int] { queue.sync { maximumUpdates } }

  var log: [String] { queue.sync { lines } }

  func count(_ line: String) -> Int { log.count { $0 == line } }

  /// Waits until a line was logged so often.
  func until(_ line: String, count: Int = 1) async {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        waiting.append((line, count, continuation))
        wake()
      }
    }
  }

  private func log(_ line: String) {
    lines.append(line)
    wake()
  }

  private func wake() {
    let isDue = { [lines] (line: String, count: Int) in lines.count { $0 == line } >= count }
    for entry in waiting where isDue(entry.line, entry.count) { entry.2.resume() }
    waiting.removeAll { isDue($0.line, $0.count) }
  }

  // MARK: - The delegate

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    log("state \(peripheral.state.rawValue)")
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
    let services = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService] ?? []
    for service in services { published[service.uuid] = service }
    let isAdvertising = dict[CBPeripheralManagerRestoredStateAdvertisementDataKey] != nil
    log("restored \(services.count), \(isAdvertising ? "advertises" : "is silent")")
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?
  ) {
    log(error == nil ? "added \(service.uuid)" : "not added \(service.uuid)")
  }

  func peripheralManagerDidStartAdvertising(
    _ peripheral: CBPeripheralManager, error: (any Error)?
  ) {
    log(error == nil ? "advertises" : "does not advertise")
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest
  ) {
    let uuid = request.characteristic.uuid
    log("read \(uuid) from \(request.offset)")
    request.value = (values[uuid] ?? Data()).dropFirst(request.offset)
    peripheral.respond(to: request, withResult: errors[uuid] ?? .success)
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]
  ) {
    for request in requests {
      let hex = (request.value ?? Data()).map { String(format: "%02x", $0) }.joined()
      log("write \(request.characteristic.uuid) \(hex)")
    }
    guard let first = requests.first else { return }
    peripheral.respond(to: first, withResult: errors[first.characteristic.uuid] ?? .success)
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral,
    didSubscribeTo characteristic: CBCharacteristic
  ) {
    log("subscribed \(characteristic.uuid)")
    maximumUpdates.append(central.maximumUpdateValueLength)
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral,
    didUnsubscribeFrom characteristic: CBCharacteristic
  ) {
    log("unsubscribed \(characteristic.uuid)")
  }

  func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
    log("ready")
    pushMore()
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
  ) {
    log(error == nil ? "published \(PSM)" : "no channel")
  }

  /// Sends everything back.
  func peripheralManager(
    _ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?
  ) {
    guard let channel else { return log("no channel") }
    log("opened \(channel.psm)")
    let thread = Thread { [self] in
      channel.inputStream.open()
      channel.outputStream.open()
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while case let count = channel.inputStream.read(&buffer, maxLength: buffer.count), count > 0 {
        var rest = buffer[..<count]
        while !rest.isEmpty {
          let written = Array(rest).withUnsafeBufferPointer {
            $0.baseAddress.map { channel.outputStream.write($0, maxLength: rest.count) } ?? 0
          }
          guard written > 0 else { return }
          rest = rest.dropFirst(written)
        }
      }
      queue.async { self.log("closed \(channel.psm)") }
    }
    threads.append(thread)
    thread.start()
  }
}
