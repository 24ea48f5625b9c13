// SPDX-License-Identifier: Apache-2.0

/// What distinguishes one model of virtual blood pressure monitor from another.
public struct BloodPressureMonitorModel: Hashable, Sendable {
  /// The advertised name.
  public var advertisedName: String
  /// Manufacturer Name String (2A29).
  public var manufacturer: String
  /// Model Number String (2A24).
  public var model: String
  /// Serial Number String (2A25).
  public var serialNumber: String
  /// Firmware Revision String (2A26).
  public var firmwareRevision: String
  /// Battery Level (2A19) in per cent, 0...100.
  public var batteryPercent: UInt8
  /// Blood Pressure Feature (2A49).
  public var feature: [UInt8]
  /// Whether measurements and the clock are given to bonded peers only.
  public var demandsBond: Bool
  /// Whether there is a clock (2A08) within the Blood Pressure Service.
  public var hasClock: Bool
  /// Whether measurements are forgotten once they were sent; otherwise all are sent each time.
  public var forgetsWhatItSent: Bool

  /// The A&D UA-651BLE: bonds, has a clock, forgets what it sent.
  ///
  /// Services and properties as in the public capture of HEADS-project/ThingML-BLE,
  /// `Documentation/AND_Medical_UA651BLE.md`.
  ///
  /// - Parameter serialNumber: The serial number, whose last six digits end the advertised name.
  /// - Returns: The model.
  public static func ua651BLE(serialNumber: String = "5160400123") -> Self {
    Self(
      advertisedName: "A&D_UA-651BLE_\(serialNumber.suffix(6))", manufacturer: "A&D Medical",
      model: "UA-651BLE", serialNumber: serialNumber, firmwareRevision: "BLP008_d016",
      batteryPercent: 90, feature: [0x04, 0x00], demandsBond: true, hasClock: true,
      forgetsWhatItSent: true)
  }

  /// The Beurer BM54: no clock that can be set, sends its whole memory each time.
  ///
  /// - Parameter serialNumber: The serial number.
  /// - Returns: The model.
  public static func bm54(serialNumber: String = "BM54-000417") -> Self {
    Self(
      advertisedName: "BM54", manufacturer: "Beurer GmbH", model: "BM54",
      serialNumber: serialNumber, firmwareRevision: "V1.0", batteryPercent: 75,
      feature: [0x04, 0x00], demandsBond: true, hasClock: false, forgetsWhatItSent: false)
  }
}
