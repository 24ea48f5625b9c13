// SPDX-License-Identifier: Apache-2.0

/// Battery Level (2A19): how full a battery is.
///
/// ```
/// // 4B
/// // LV
/// ```
///
/// Source: GATT Specification Supplement, Battery Level. Values above 100 are reserved and refused.
public struct BatteryLevel: CharacteristicValue {
  /// The charge in percent, 0...100.
  public let percent: Int

  /// Creates a battery level.
  ///
  /// - Throws: `reservedValue` outside 0...100.
  public init(percent: Int) throws(PayloadError) {
    try self.init(percent: percent, at: nil)
  }

  /// Reads the byte.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    let offset = reader.offset
    try self.init(percent: Int(try reader.uint8(field: "Battery Level")), at: offset)
  }

  private init(percent: Int, at offset: Int?) throws(PayloadError) {
    guard (0...100).contains(percent) else {
      throw PayloadError(
        .reservedValue, field: "Battery Level", offset: offset,
        message: "It is 0...100. Take the level as unknown.")
    }
    self.percent = percent
  }

  /// Writes the byte.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint8(UInt8(percent))
  }
}
