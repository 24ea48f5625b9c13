// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A thermometer with a proprietary protocol that sends its result as soon as it has one.
///
/// A measurement begins with the first connection, and with each ``VirtualDevice/measure()``.
package struct VirtualThermometer: VirtualDeviceLogic {
  /// Whose protocol it speaks.
  package enum Manufacturer: Hashable, Sendable {
    case kinsa, jumper, aoj, aet
  }

  private static let timeToMeasure = Duration.seconds(3)

  private let manufacturer: Manufacturer
  /// The numbers of the measurements that are still to be made.
  private var pending = [0]
  private var isSubscribed = false
  private var sentCount = 0
  package private(set) var deadline: Duration?

  package init(_ manufacturer: Manufacturer) {
    self.manufacturer = manufacturer
  }

  package var isAdvertising: Bool { true }

  package var services: [VirtualService] {
    [
      VirtualService(attribute.service, [VirtualCharacteristic(attribute.characteristic, .notify)]),
      VirtualService("180A", [VirtualCharacteristic("2A29", text: manufacturerName)]),
    ]
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      pending.append(number)
      return begin(at: time)
    case .subscribed(attribute):
      isSubscribed = true
      let greeting = manufacturer == .kinsa ? [send(KinsaMessage(.ready).payload)] : []
      return [.report(.subscribed)] + greeting + begin(at: time)
    case .timeReached:
      guard let deadline, deadline <= time.elapsed else { return [] }
      return result(at: time)
    case .disconnected(let allArrived):
      isSubscribed = false
      deadline = nil
      defer { sentCount = 0 }
      return allArrived ? [.report(.transferred(measurements: sentCount))] : []
    case .read, .written: return [.refuse(0x06)]
    case .remember, .pairingMode, .subscribed, .unsubscribed: return []
    }
  }

  /// Starts a measurement; a Kinsa also sends the rising temperature.
  private mutating func begin(at time: DriverTime) -> [VirtualDeviceOutput] {
    guard isSubscribed, deadline == nil, !pending.isEmpty else { return [] }
    deadline = time.elapsed + Self.timeToMeasure
    return manufacturer == .kinsa ? [send(KinsaMessage(.update, deciCelsius: 341).payload)] : []
  }

  private mutating func result(at time: DriverTime) -> [VirtualDeviceOutput] {
    deadline = nil
    guard !pending.isEmpty else { return [] }
    let deciCelsius = UInt16(365 + pending.removeFirst() * 3 % 14)
    sentCount += 1
    return [send(payload(deciCelsius))] + begin(at: time)
  }

  private func payload(_ deciCelsius: UInt16) -> [UInt8] {
    switch manufacturer {
    case .kinsa: KinsaMessage(.result, deciCelsius: deciCelsius).payload
    case .jumper: JumperTemperature(centiCelsius: deciCelsius * 10, site: .forehead).payload
    case .aoj: AOJTemperature(centiCelsius: deciCelsius * 10, mode: .ear).payload
    case .aet:
      AETTemperature(
        wholeDegrees: UInt8(deciCelsius / 10), fraction: UInt8(deciCelsius % 10)
      ).payload
    }
  }

  private func send(_ bytes: [UInt8]) -> VirtualDeviceOutput { .send(attribute, bytes) }

  private var attribute: GATTAttribute {
    switch manufacturer {
    case .kinsa: .kinsaMessage
    case .jumper: .jumperTemperature
    case .aoj: .aojMessage
    case .aet: .aetTemperature
    }
  }

  private var manufacturerName: String {
    switch manufacturer {
    case .kinsa: "Kinsa"
    case .jumper: "Jumper"
    case .aoj: "AOJ"
    case .aet: "AET"
    }
  }
}

extension VirtualDeviceModel {
  /// A Kinsa QuickCare; composed.
  package static let kinsaQuickCare = VirtualDeviceModel(
    id: "kinsa-quickcare", summary: "Kinsa QuickCare: sends the rising temperature.",
    peripheralID: 10_400, advertisedName: "Kinsa",
    advertisedServices: [GATTAttribute.kinsaMessage.service], readingCount: 1
  ) { _ in VirtualThermometer(.kinsa) }

  /// A Jumper JPD-FR; composed.
  package static let jumperJPDFR = VirtualDeviceModel(
    id: "jumper-jpd-fr", summary: "Jumper JPD-FR: a forehead thermometer.",
    peripheralID: 10_401, advertisedName: "My Thermometer",
    advertisedServices: [GATTAttribute.jumperTemperature.service], readingCount: 1
  ) { _ in VirtualThermometer(.jumper) }

  /// An AOJ-20A; composed.
  package static let aoj20A = VirtualDeviceModel(
    id: "aoj-20a", summary: "AOJ-20A: an ear and forehead thermometer.", peripheralID: 10_402,
    advertisedName: "AOJ-20A", advertisedServices: [GATTAttribute.aojMessage.service],
    readingCount: 1
  ) { _ in VirtualThermometer(.aoj) }

  /// An AET-WD; composed.
  package static let aetWD = VirtualDeviceModel(
    id: "aet-wd", summary: "AET-WD: a forehead thermometer.", peripheralID: 10_403,
    advertisedName: "AET-WD", advertisedServices: [GATTAttribute.aetTemperature.service],
    readingCount: 1
  ) { _ in VirtualThermometer(.aet) }

  static let vendorThermometers = [kinsaQuickCare, jumperJPDFR, aoj20A, aetWD]
}
