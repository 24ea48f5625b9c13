// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
import HealthGATT
package import HealthRecords

/// What a device reported about itself before it sent measurements.
package struct DeviceProperties: Hashable, Sendable {
  /// The receiver's own identifier of the device.
  package let identifier: UUID
  private var manufacturer: String?
  private var model: String?
  private var serialNumber: String?
  private var firmwareRevision: String?
  private var systemID: SystemID?
  private var batteryPercent: Int?
  /// The device's clock minus the receiver's, in seconds.
  package private(set) var clockDriftSeconds: Double?
  /// Whether the device says that its clock was never set.
  package private(set) var isClockUnset = false

  package init(identifier: UUID) { self.identifier = identifier }

  package mutating func note(_ fact: DeviceInformation) {
    switch fact {
    case .manufacturer(let text): manufacturer = text
    case .model(let text): model = text
    case .serialNumber(let text): serialNumber = text
    case .firmwareRevision(let text): firmwareRevision = text
    case .systemID(let number): systemID = SystemID(rawValue: number)
    case .batteryPercent(let percent): batteryPercent = percent
    case .clockDrift(let seconds): clockDriftSeconds = seconds
    case .clockNotSet: isClockUnset = true
    case .hardwareRevision, .softwareRevision, .batteryLow, .clockSet: break
    }
  }

  /// Who the device is, as far as it says so now.
  ///
  /// The serial number is the same on every phone; without it the System ID will do. The last
  /// resort is the receiver's own identifier, by which a second phone does not recognise the
  /// device.
  package var identity: DeviceIdentity {
    if let serialNumber {
      return DeviceIdentity(
        text: "serial:\(manufacturer ?? "")/\(model ?? "")/\(serialNumber)", id: serialNumber)
    }
    if let systemID {
      let digits = String(systemID.rawValue, radix: 16)
      return DeviceIdentity(text: "system-id:\(digits)", id: digits)
    }
    return DeviceIdentity(
      text: "peripheral:\(identifier.uuidString)", id: identifier.uuidString)
  }

  /// The device as a record names it.
  package func device(_ peripheral: DeviceModel, id: String, userSlot: Int?) -> SourceDevice {
    SourceDevice(
      id: id, manufacturer: manufacturer ?? peripheral.manufacturer,
      model: model ?? peripheral.model, serialNumber: serialNumber,
      systemID: systemID?.text, firmwareRevision: firmwareRevision, batteryPercent: batteryPercent,
      peripheralID: peripheral.id, userSlot: userSlot)
  }
}

/// By what a device is recognised when it is read again.
package struct DeviceIdentity: Hashable, Sendable, Codable {
  /// What the identifiers of its records are made of.
  package let text: String
  /// What its records call it.
  package let id: String

  package init(text: String, id: String) {
    self.text = text
    self.id = id
  }
}
