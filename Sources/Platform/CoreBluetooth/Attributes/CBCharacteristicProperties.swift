// SPDX-License-Identifier: Apache-2.0

/// What can be done with a characteristic.
public struct CBCharacteristicProperties: OptionSet, Hashable, @unchecked Sendable {
  /// The bits; those up to 0x80 as in the specification.
  public let rawValue: UInt

  /// A set of these bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Broadcast through the server's configuration; not for local characteristics.
  public static let broadcast = Self(rawValue: 0x01)
  /// Read.
  public static let read = Self(rawValue: 0x02)
  /// Write without a response.
  public static let writeWithoutResponse = Self(rawValue: 0x04)
  /// Write with a response.
  public static let write = Self(rawValue: 0x08)
  /// Notifications, which are not confirmed.
  public static let notify = Self(rawValue: 0x10)
  /// Indications, which the client confirms.
  public static let indicate = Self(rawValue: 0x20)
  /// Signed writes without a response.
  public static let authenticatedSignedWrites = Self(rawValue: 0x40)
  /// Has an extended properties descriptor; not for local characteristics.
  public static let extendedProperties = Self(rawValue: 0x80)
  /// Notifications for trusted clients only.
  public static let notifyEncryptionRequired = Self(rawValue: 0x100)
  /// Indications for trusted clients only.
  public static let indicateEncryptionRequired = Self(rawValue: 0x200)
}
