// SPDX-License-Identifier: Apache-2.0

/// Why a text is not JSON, and where.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong, without the value found there.
  package let message: String
  /// The offset of the first unusable byte.
  package let offset: Int

  package init(_ message: String, offset: Int) {
    self.message = message
    self.offset = offset
  }

  /// The message and the offset.
  package var description: String { "\(message) (byte \(offset))" }
}
