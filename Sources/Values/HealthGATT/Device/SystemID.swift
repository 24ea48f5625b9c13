// SPDX-License-Identifier: Apache-2.0

/// System ID (2A23): a number that identifies a device, usually made of its Bluetooth address.
///
/// ```
/// // AABBCCDDEE  112233
/// // MANUFACT ID OUI
/// ```
///
/// Source: GATT Specification Supplement, System ID.
public struct SystemID: RawRepresentable, CharacteristicValue {
  /// The whole identifier, which is the EUI-64.
  public let rawValue: UInt64

  /// Takes any 64 bits.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Reads the eight bytes.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    rawValue = try reader.uint64(field: "System ID")
  }

  /// Writes the eight bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint64(rawValue)
  }

  /// The identifier as HL7's guide for personal health devices writes it, most significant byte
  /// first: `00-4D-FF-FE-12-34-56-78`.
  public var text: String {
    stride(from: 56, through: 0, by: -8).map { shift in
      let digits = String(rawValue >> UInt64(shift) & 0xFF, radix: 16, uppercase: true)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: "-")
  }

  /// Whether it identifies a device: not where a manufacturer left zeros, ones, or the example of
  /// the specification (System ID: the address 12:34:56:9A:BC:DE).
  public var isAssigned: Bool { ![0, .max, 0x1234_56FF_FE9A_BCDE].contains(rawValue) }

  /// Manufacturer-defined Identifier: the low 40 bits.
  public var manufacturerDefinedIdentifier: UInt64 { rawValue & 0xFF_FFFF_FFFF }
  /// Organizationally Unique Identifier: the high 24 bits, assigned by the IEEE.
  public var organizationallyUniqueIdentifier: UInt32 { UInt32(rawValue >> 40) }
}
