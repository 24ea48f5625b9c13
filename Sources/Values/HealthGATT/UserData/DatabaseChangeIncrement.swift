// SPDX-License-Identifier: Apache-2.0

/// Database Change Increment (2A99): a counter that shows which side has the newer user data.
///
/// A client that changes the data of a user writes the next number after all other fields.
///
/// ```
/// // 01000000
/// // INCREMNT
/// ```
///
/// Source: User Data Service, Database Change Increment.
public struct DatabaseChangeIncrement: CharacteristicValue {
  /// The counter.
  public var count: UInt32

  /// Creates a value.
  public init(_ count: UInt32) {
    self.count = count
  }

  /// Reads the four bytes.
  public init(from reader: inout PayloadReader) throws(PayloadError) {
    count = try reader.uint32(field: "Database Change Increment")
  }

  /// Writes the four bytes.
  public func encode(to writer: inout PayloadWriter) {
    writer.uint32(count)
  }

  /// The number after this one; it starts again at 0.
  public var next: DatabaseChangeIncrement { DatabaseChangeIncrement(count &+ 1) }
}
