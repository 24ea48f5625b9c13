// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import HealthGATT
import HealthRecords

/// What a device told about itself before it sent measurements.
struct DeviceFacts: Hashable, Sendable {
  private static let manufacturer = Attribute("180A", "2A29")
  private static let model = Attribute("180A", "2A24")
  private static let serialNumber = Attribute("180A", "2A25")
  private static let firmware = Attribute("180A", "2A26")
  private static let systemID = Attribute("180A", "2A23")
  private static let battery = Attribute("180F", "2A19")
  private static let dateTime = Attribute("1810", "2A08")

  /// The facts to ask for.
  static let attributes = [manufacturer, model, serialNumber, firmware, systemID, battery]

  /// The receiver's own identifier of the device.
  let identifier: UUID
  private var texts: [Attribute: String] = [:]
  private var systemIDHex: String?
  private var batteryPercent: Int?
  /// The device's clock minus the receiver's, in seconds.
  private(set) var clockDriftSeconds: Double?

  init(identifier: UUID) { self.identifier = identifier }

  /// Takes a value that was read; one that cannot be decoded is as good as absent.
  mutating func read(_ attribute: Attribute, _ octets: [UInt8], at date: Date, zone: TimeZone) {
    switch attribute {
    case Self.battery: batteryPercent = (try? BatteryLevel(payload: octets))?.percent
    case Self.systemID:
      systemIDHex = (try? SystemID(payload: octets)).map { String($0.rawValue, radix: 16) }
    case Self.dateTime:
      let clock = (try? DateTime(payload: octets)).flatMap(LocalDateTime.init)?.date(in: zone)
      clockDriftSeconds = clock.map { ($0.timeIntervalSince(date)).rounded() }
    default:
      let text = (try? DeviceInformationString(payload: octets))?.text
      texts[attribute] = text.flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  /// The identity by which measurements are recognised when they are read again.
  ///
  /// The serial number is the same on every phone; without it the System ID will do. The last resort
  /// is the receiver's own identifier, by which a second phone does not recognise the device.
  var identity: String {
    if let serial = texts[Self.serialNumber] {
      return "serial:\(texts[Self.manufacturer] ?? "")/\(texts[Self.model] ?? "")/\(serial)"
    }
    return systemIDHex.map { "system-id:\($0)" } ?? "peripheral:\(identifier.uuidString)"
  }

  /// The device as a record names it.
  func device(_ peripheral: BluetoothPeripheral, userSlot: Int?) -> SourceDevice {
    SourceDevice(
      id: texts[Self.serialNumber] ?? systemIDHex ?? identifier.uuidString,
      manufacturer: texts[Self.manufacturer] ?? peripheral.manufacturer,
      model: texts[Self.model] ?? peripheral.model, serialNumber: texts[Self.serialNumber],
      firmwareRevision: texts[Self.firmware], batteryPercent: batteryPercent,
      peripheralID: peripheral.id, userSlot: userSlot)
  }
}

extension LocalDateTime {
  /// A device's time; nil when a part of it is unknown.
  init?(_ time: DateTime) {
    guard let year = time.year, let month = time.month, let day = time.day else { return nil }
    self.init(
      year: year, month: month, day: day, hour: time.hours, minute: time.minutes,
      second: time.seconds)
  }
}

extension DateTime {
  /// What a clock in a zone shows.
  init?(_ date: Date, zone: TimeZone) {
    let local = LocalDateTime(date, utcOffsetSeconds: zone.secondsFromGMT(for: date))
    try? self.init(
      year: local.year, month: local.month, day: local.day, hours: local.hour,
      minutes: local.minute, seconds: local.second)
  }
}
