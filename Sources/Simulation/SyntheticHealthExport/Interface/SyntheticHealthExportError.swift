// SPDX-License-Identifier: Apache-2.0

import Foundation

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
      code: .unwritable,
      message: "\(path) cannot be written\(reason(cause)): choose another folder.")
  }

  /// The system's reason, where Foundation has kept it.
  private static func reason(_ cause: any Error) -> String {
    let error = cause as NSError
    let system = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    guard system.domain == NSPOSIXErrorDomain else { return "" }
    return unsafe " (\(String(cString: strerror(Int32(system.code)))))"
  }
}
