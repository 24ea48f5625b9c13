// SPDX-License-Identifier: Apache-2.0

/// Why a record, or its JSON form, was refused.
///
/// The description names the place and the fault, never the value found there.
public struct RecordError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong.
  public let code: Code
  /// The place in the record, for instance `metrics[0].value`; empty for the record as a whole.
  public let path: String
  /// What was wrong and what is right.
  public let message: String
  /// The offset of the first unusable byte of the JSON text, where there is one.
  public let offset: Int?

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: What was wrong.
  ///   - path: The place in the record.
  ///   - message: What was wrong and what is right.
  ///   - offset: The offset of the first unusable byte.
  public init(_ code: Code, at path: String = "", _ message: String, offset: Int? = nil) {
    self.code = code
    self.path = path
    self.message = message
    self.offset = offset
  }

  /// A form has no room for what is no reading.
  ///
  /// - Parameter kind: The kind of the record, which is no reading.
  /// - Returns: The error.
  static func noReading(_ kind: RecordKind) -> RecordError {
    let what =
      kind == .deviceStatus
      ? "a device's status is no reading, so it has no such form"
      : "a rejected reading is no measurement, so it has no such form"
    return RecordError(.invalidValue, at: "type", what)
  }

  /// A form names the patient, and it is not known whose a record is.
  package static let undecidedUser = RecordError(
    .invalidValue, at: "tags", "it is not known whose measurement this is; decide that first")

  /// A form cannot say that a record does not count.
  package static let enteredInError = RecordError(
    .invalidValue, at: "entered_in_error",
    "this form cannot say that a record was entered in error; delete it at the receiver instead")

  /// The code, the place and the message.
  public var description: String {
    let place = path.isEmpty ? "" : " at \(path)"
    let position = offset.map { " (byte \($0))" } ?? ""
    return "\(code.rawValue)\(place): \(message)\(position)"
  }

  /// What can be wrong with a record; an open set.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name on the wire.
    public let rawValue: String

    /// Makes a code from its name.
    ///
    /// - Parameter rawValue: The name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text is no JSON.
    public static let malformedJSON = Code(rawValue: "malformed_json")
    /// A key that must be there is not.
    public static let missing = Code(rawValue: "missing")
    /// A value has another type than the one expected.
    public static let wrongType = Code(rawValue: "wrong_type")
    /// A value is outside of what is allowed.
    public static let invalidValue = Code(rawValue: "invalid_value")
    /// A number is not finite.
    public static let notFinite = Code(rawValue: "not_finite")
    /// Lists and objects stand in one another deeper than is allowed.
    public static let tooDeep = Code(rawValue: "too_deep")
    /// There are more values, or there is more text, than is allowed.
    public static let tooLarge = Code(rawValue: "too_large")
  }
}
