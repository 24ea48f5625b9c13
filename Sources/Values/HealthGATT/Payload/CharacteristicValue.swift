// SPDX-License-Identifier: Apache-2.0

/// A value that a characteristic carries in its payload.
///
/// Reading throws for impossible values; writing cannot fail, because a value that does not fit its
/// wire form cannot be made. Types whose layout is open at the end keep the bytes they do not know
/// and write them again; all others refuse them.
public protocol CharacteristicValue: Hashable, Sendable {
  /// Reads the value's fields, in the order of the specification.
  init(from reader: inout PayloadReader) throws(PayloadError)

  /// Writes the value's fields, in the order of the specification.
  func encode(to writer: inout PayloadWriter)
}

extension CharacteristicValue {
  /// Decodes a whole payload, as read, notified or indicated.
  ///
  /// - Parameter payload: The bytes of the characteristic value; `Data` and arrays will do.
  /// - Throws: Where and why the payload is not a value of this type.
  @inlinable
  public init(payload: some Collection<UInt8>) throws(PayloadError) {
    var reader = PayloadReader(payload)
    try self.init(from: &reader)
    try reader.finish()
  }

  /// The bytes of the value, as to be written, notified or indicated.
  public var payload: [UInt8] {
    var writer = PayloadWriter()
    encode(to: &writer)
    return writer.bytes
  }
}
