// SPDX-License-Identifier: Apache-2.0

/// What clients may do with a local attribute.
public struct CBAttributePermissions: OptionSet, Hashable, @unchecked Sendable {
  /// The bits of the set.
  public let rawValue: UInt

  /// A set of these bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Read.
  public static let readable = Self(rawValue: 0x01)
  /// Write.
  public static let writeable = Self(rawValue: 0x02)
  /// Read over an encrypted link only.
  public static let readEncryptionRequired = Self(rawValue: 0x04)
  /// Write over an encrypted link only.
  public static let writeEncryptionRequired = Self(rawValue: 0x08)
}
