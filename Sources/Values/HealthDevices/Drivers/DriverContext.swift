// SPDX-License-Identifier: Apache-2.0

public import HealthGATT

/// What a driver knows before it begins.
package struct DriverContext: Sendable {
  package enum Purpose: Hashable, Sendable {
    /// To make a bond and set the clock; what the device sends by itself is taken, too.
    case pair
    /// To take measurements.
    case read
  }

  package var purpose: Purpose
  /// Those of the driver's attributes that the device has.
  package var attributes: Set<Attribute>
  /// The device's name as advertised, where it is known.
  package var name: String?
  /// How far earlier transfers came.
  package var checkpoints: [SyncCheckpoint]
  /// The key of the checkpoints.
  package var checkpointKey = CheckpointKey()
  /// What was kept for this device.
  package var secrets: [DeviceSecret: [UInt8]]
  /// Who is measured; for scales that compute with it.
  package var user: DeviceUser?
  /// What the manufacturer's licensees have, for devices that need it.
  package var cryptography: (any VendorCryptography)?

  package init(
    purpose: Purpose = .read, attributes: Set<Attribute>, name: String? = nil,
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

  package func has(_ attribute: Attribute) -> Bool { attributes.contains(attribute) }

  /// The checkpoint of one memory.
  package func checkpoint(_ memory: String = "") -> SyncCheckpoint? {
    checkpoints.first { $0.memory == memory }
  }
}

/// The person that stands on a scale, as far as the scale computes with it.
public struct DeviceUser: Hashable, Sendable {
  /// Sex, as the User Data Service (2A8C) counts it.
  public enum Sex: UInt8, Hashable, Sendable {
    /// Male.
    case male = 0
    /// Female.
    case female = 1
    /// Not told.
    case unspecified = 2
  }

  /// The date of birth; the time of day does not count.
  public var dateOfBirth: DateTime?
  /// Sex.
  public var sex: Sex
  /// Height in centimetres.
  public var heightCentimeters: Int?

  /// Describes a person.
  ///
  /// - Parameters:
  ///   - dateOfBirth: The date of birth.
  ///   - sex: Sex.
  ///   - heightCentimeters: Height in centimetres.
  public init(dateOfBirth: DateTime? = nil, sex: Sex = .unspecified, heightCentimeters: Int? = nil)
  {
    self.dateOfBirth = dateOfBirth
    self.sex = sex
    self.heightCentimeters = heightCentimeters
  }
}
