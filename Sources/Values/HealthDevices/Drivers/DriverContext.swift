// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a driver knows before it begins.
public struct DriverContext: Sendable, CustomReflectable {
  /// What an operation is for.
  public enum Purpose: Hashable, Sendable {
    /// To make a bond and set the clock; what the device sends by itself is taken, too.
    case pair
    /// To take measurements.
    case read
  }

  /// What the operation is for.
  public var purpose: Purpose
  /// Those of the driver's attributes that the device has.
  public var attributes: Set<GATTAttribute>
  /// The device's name as advertised, where it is known.
  public var name: String?
  /// How far earlier transfers came.
  public var checkpoints: [SyncCheckpoint]
  /// The key of the checkpoints.
  public var checkpointKey = CheckpointKey()
  /// What was kept for this device.
  public var secrets: [DeviceSecret: [UInt8]]
  /// Who is measured; for scales that compute with it.
  public var user: DeviceUser?

  /// Describes what a driver knows.
  ///
  /// - Parameters:
  ///   - purpose: What the operation is for.
  ///   - attributes: Those of the driver's attributes that the device has.
  ///   - name: The device's name as advertised.
  ///   - checkpoints: How far earlier transfers came.
  ///   - secrets: What was kept for this device.
  ///   - user: Who is measured.
  public init(
    purpose: Purpose = .read, attributes: Set<GATTAttribute>, name: String? = nil,
    checkpoints: [SyncCheckpoint] = [], secrets: [DeviceSecret: [UInt8]] = [:],
    user: DeviceUser? = nil
  ) {
    self.purpose = purpose
    self.attributes = attributes
    self.name = name
    self.checkpoints = checkpoints
    self.secrets = secrets
    self.user = user
  }

  /// Shows nothing: a dump must not show secrets or the user.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  /// Whether the device has an attribute.
  public func has(_ attribute: GATTAttribute) -> Bool { attributes.contains(attribute) }

  /// The checkpoint of one memory.
  public func checkpoint(_ memory: String = "") -> SyncCheckpoint? {
    checkpoints.first { $0.memory == memory }
  }
}

/// The user of a scale: what the scale needs to compute body composition.
public struct DeviceUser: Hashable, Sendable, CustomReflectable {
  /// Sex, as the User Data Service (2A8C) counts it.
  public enum Sex: UInt8, Hashable, Sendable {
    /// Male.
    case male = 0
    /// Female.
    case female = 1
    /// Not known.
    case unspecified = 2
  }

  /// The year, month and day of birth in the Gregorian calendar; nothing else of it is used.
  public var dateOfBirth: DateComponents?
  /// Sex.
  public var sex: Sex
  /// Height in centimetres.
  public var heightCentimeters: Int?

  /// Describes a user.
  ///
  /// - Parameters:
  ///   - dateOfBirth: Year, month and day of birth, as HealthKit has them.
  ///   - sex: Sex.
  ///   - heightCentimeters: Height in centimetres.
  public init(
    dateOfBirth: DateComponents? = nil, sex: Sex = .unspecified, heightCentimeters: Int? = nil
  ) {
    self.dateOfBirth = dateOfBirth
    self.sex = sex
    self.heightCentimeters = heightCentimeters
  }

  /// Shows nothing: a dump must not show a person.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
