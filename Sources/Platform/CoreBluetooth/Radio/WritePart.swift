// SPDX-License-Identifier: Apache-2.0

/// One part of a write, from its offset on.
@_spi(Radio)
public struct WritePart: Hashable, Sendable {
  /// The characteristic that is written.
  public var characteristic: LocalAttribute
  /// Where the part begins.
  public var offset: Int
  /// The bytes of the part.
  public var value: Data

  /// A part.
  public init(characteristic: LocalAttribute, offset: Int, value: Data) {
    self.characteristic = characteristic
    self.offset = offset
    self.value = value
  }
}
