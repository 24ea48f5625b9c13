// SPDX-License-Identifier: Apache-2.0

/// Why an export was not written.
public struct SyntheticHealthExportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public struct Code: Hashable, Sendable {
    private enum Value { case option, file }
    private let value: Value

    /// An option has a value that it cannot have.
    public static let invalidOption = Code(value: .option)
    /// A file or folder cannot be written.
    public static let unwritable = Code(value: .file)
  }

  /// What kind of failure it is.
  public let code: Code
  /// What was wrong, where, and what to do.
  public let message: String

  /// The message.
  public var description: String { message }

  static func option(_ message: String) -> Self { Self(code: .invalidOption, message: message) }

  static func file(_ path: String, _ cause: any Error) -> Self {
    Self(
      code: .unwritable, message: "\(path) cannot be written (\(cause)): choose another folder.")
  }
}
