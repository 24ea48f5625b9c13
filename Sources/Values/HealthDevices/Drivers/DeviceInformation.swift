// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// Something that a device reports about itself.
public enum DeviceInformation: Hashable, Sendable {
  case manufacturer(String)
  case model(String)
  case serialNumber(String)
  case firmwareRevision(String)
  case hardwareRevision(String)
  case softwareRevision(String)
  /// The System ID (2A23).
  case systemID(UInt64)
  /// Per cent, 0...100.
  case batteryPercent(Int)
  /// The battery is nearly empty; for devices that say no more.
  case batteryLow
  /// The device's clock minus the receiver's, in seconds.
  case clockDrift(seconds: Double)
  /// The device says that its clock was never set.
  case clockNotSet
  /// The device's clock was set right.
  case clockSet
}

extension DeviceInformation {
  /// The characteristics of Device Information (180A) and Battery (180F) that are facts.
  public static let attributes =
    identifying + [GATTAttribute("180A", "2A26"), GATTAttribute("180F", "2A19")]

  /// Those by which a device is recognised: serial number, manufacturer, model, and System ID.
  ///
  /// The serial number comes first, since it decides which of the others count.
  public static let identifying = [
    GATTAttribute("180A", "2A25"), GATTAttribute("180A", "2A29"), GATTAttribute("180A", "2A24"),
    GATTAttribute("180A", "2A23"),
  ]

  /// What a characteristic says; nil for another characteristic, for a value that cannot be read or
  /// is empty, and for a System ID that is no device's own.
  public init?(_ attribute: GATTAttribute, _ bytes: [UInt8]) {
    switch attribute.characteristic {
    case "2A19":
      guard let level = try? BatteryLevel(payload: bytes) else { return nil }
      self = .batteryPercent(level.percent)
    case "2A23":
      guard let systemID = try? SystemID(payload: bytes), systemID.isAssigned else { return nil }
      self = .systemID(systemID.rawValue)
    default:
      guard let text = (try? DeviceInformationString(payload: bytes))?.trimmedText, !text.isEmpty,
        let fact = Self.text(text, in: attribute.characteristic)
      else { return nil }
      self = fact
    }
  }

  private static func text(_ text: String, in characteristic: String) -> DeviceInformation? {
    switch characteristic {
    case "2A29": .manufacturer(text)
    case "2A24": .model(text)
    case "2A25": .serialNumber(text)
    case "2A26": .firmwareRevision(text)
    case "2A27": .hardwareRevision(text)
    case "2A28": .softwareRevision(text)
    default: nil
    }
  }
}
