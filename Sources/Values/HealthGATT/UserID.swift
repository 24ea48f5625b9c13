// SPDX-License-Identifier: Apache-2.0

/// User ID: the slot of a device's memory that a measurement belongs to.
///
/// Slots are counted from 0 by some manufacturers and from 1 by others, and a slot of one device is
/// not that of another.
public struct UserID: RawRepresentable, Hashable, Sendable {
  /// The byte.
  public let rawValue: UInt8

  /// Takes any byte.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The device does not know whose measurement it is (GATT Specification Supplement, User Index:
  /// 0xFF).
  public static let unknown = UserID(rawValue: 0xFF)
}
