// SPDX-License-Identifier: Apache-2.0

/// One part of a write, from its offset on.
package struct WritePart: Hashable, Sendable {
  /// The characteristic that is written.
  package var characteristic: LocalAttribute
  /// Where the part begins.
  package var offset: Int
  /// The bytes of the part.
  package var value: Data

  /// A part.
  package init(characteristic: LocalAttribute, offset: Int, value: Data) {
    self.characteristic = characteristic
    self.offset = offset
    self.value = value
  }
}
