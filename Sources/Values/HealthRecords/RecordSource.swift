// SPDX-License-Identifier: Apache-2.0

/// What a record was captured from.
public struct RecordSource: Hashable, Sendable {
  /// The way it came.
  public var type: SourceType
  /// The device that measured, where it is known.
  public var device: SourceDevice?
  /// The sensors of a continuous glucose monitor, by the identifier that its readings name.
  public var devices: [String: SourceDevice]

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - type: The way the record came.
  ///   - device: The device that measured.
  ///   - devices: The sensors of a continuous glucose monitor, by identifier.
  public init(
    type: SourceType, device: SourceDevice? = nil, devices: [String: SourceDevice] = [:]
  ) {
    self.type = type
    self.device = device
    self.devices = devices
  }
}

/// The way a record came; an open set, whose names are those of the Inform API.
public struct SourceType: RawRepresentable, Hashable, Sendable {
  /// The name on the wire.
  public let rawValue: String

  /// Makes a source type from its name on the wire.
  ///
  /// - Parameter rawValue: The name, for instance `bluetooth`.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A Bluetooth Low Energy device.
  public static let bluetooth = SourceType(rawValue: "bluetooth")
  /// Apple's HealthKit.
  public static let appleHealth = SourceType(rawValue: "apple_health")
  /// A display that a camera has read; the name is ours.
  public static let ocr = SourceType(rawValue: "ocr")
}

/// The device that measured.
public struct SourceDevice: Hashable, Sendable {
  /// The identity that ``RecordIdentity`` uses: the serial number where it is known.
  public var id: String?
  /// The manufacturer's name.
  public var manufacturer: String?
  /// The model's name or number.
  public var model: String?
  /// The serial number.
  public var serialNumber: String?
  /// The System ID: the EUI-64, most significant byte first, as `00-4D-FF-FE-12-34-56-78`.
  public var systemID: String?
  /// The revision of the firmware.
  public var firmwareRevision: String?
  /// The charge of the battery in per cent, 0...100.
  public var batteryPercent: Int?
  /// The identifier of the device in the catalogue of supported peripherals.
  public var peripheralID: Int?
  /// The number of the user on a device that knows several, as the device counts.
  public var userSlot: Int?

  /// Makes a device.
  ///
  /// - Parameters:
  ///   - id: The device's identity.
  ///   - manufacturer: The manufacturer's name.
  ///   - model: The model's name or number.
  ///   - serialNumber: The serial number.
  ///   - systemID: The System ID, as `00-4D-FF-FE-12-34-56-78`.
  ///   - firmwareRevision: The revision of the firmware.
  ///   - batteryPercent: The charge of the battery in per cent.
  ///   - peripheralID: The identifier in the catalogue.
  ///   - userSlot: The number of the user on the device.
  public init(
    id: String? = nil, manufacturer: String? = nil, model: String? = nil,
    serialNumber: String? = nil, systemID: String? = nil, firmwareRevision: String? = nil,
    batteryPercent: Int? = nil, peripheralID: Int? = nil, userSlot: Int? = nil
  ) {
    self.id = id
    self.manufacturer = manufacturer
    self.model = model
    self.serialNumber = serialNumber
    self.systemID = systemID
    self.firmwareRevision = firmwareRevision
    self.batteryPercent = batteryPercent
    self.peripheralID = peripheralID
    self.userSlot = userSlot
  }
}
