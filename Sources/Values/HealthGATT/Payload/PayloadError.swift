// SPDX-License-Identifier: Apache-2.0

/// Why a payload could not be decoded, or a value not be encoded.
///
/// `description` names code, field and offset, never a measured value nor a byte of the payload.
public struct PayloadError: Error, Hashable, Sendable {
  /// What kind of failure this is; new kinds may be added.
  public struct Code: Hashable, Sendable {
    private enum Name: String {
      case truncated, trailingBytes, reservedValue, outOfRange, invalidText
      case unsupportedCharacteristic, checksumMismatch, keyRequired, authenticationFailed
    }

    private let name: Name

    /// The payload ends before a field that it must have.
    public static let truncated = Code(name: .truncated)
    /// Bytes follow the last field of a characteristic whose length is fixed.
    public static let trailingBytes = Code(name: .trailingBytes)
    /// A field holds a value that the specification reserves.
    public static let reservedValue = Code(name: .reservedValue)
    /// A number lies outside the range that its field can have.
    public static let outOfRange = Code(name: .outOfRange)
    /// A text is not well-formed UTF-8.
    public static let invalidText = Code(name: .invalidText)
    /// The bytes do not agree with the check that they carry.
    public static let checksumMismatch = Code(name: .checksumMismatch)
    /// The payload is encrypted, and its key is missing or malformed.
    public static let keyRequired = Code(name: .keyRequired)
    /// The payload is encrypted, and the key does not open it.
    public static let authenticationFailed = Code(name: .authenticationFailed)
    /// There is no codec for the characteristic.
    public static let unsupportedCharacteristic = Code(name: .unsupportedCharacteristic)
  }

  /// The kind of failure.
  public let code: Code
  /// The field by its name in the specification, for instance `Time Stamp`.
  public let field: String
  /// The offset of the first unusable byte; nil when a value was refused before it was encoded.
  public let offset: Int?
  /// What happened and what to do about it.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, field: String, offset: Int? = nil, message: String) {
    self.code = code
    self.field = field
    self.offset = offset
    self.message = message
  }
}

extension PayloadError: CustomStringConvertible {
  /// Code, field, offset and message.
  public var description: String {
    let place = offset.map { " at byte \($0)" } ?? ""
    return "\(code) in \"\(field)\"\(place): \(message)"
  }
}

extension PayloadError.Code: CustomStringConvertible {
  /// The name of the code, for instance `truncated`.
  public var description: String { name.rawValue }
}
