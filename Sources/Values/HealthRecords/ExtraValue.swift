// SPDX-License-Identifier: Apache-2.0

/// A value that an app adds to a record under a name of its own.
public enum ExtraValue: Hashable, Sendable {
  /// A text.
  case text(String)
  /// A number; encoding a record with one that is not finite throws.
  case number(Double)
  /// True or false.
  case flag(Bool)
}

extension ExtraValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  /// Makes a text.
  ///
  /// - Parameter value: The text.
  public init(stringLiteral value: String) { self = .text(value) }

  /// Makes a number.
  ///
  /// - Parameter value: The number.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// Makes a number.
  ///
  /// - Parameter value: The number.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }

  /// Makes a flag.
  ///
  /// - Parameter value: True or false.
  public init(booleanLiteral value: Bool) { self = .flag(value) }
}
