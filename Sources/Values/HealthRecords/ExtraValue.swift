// SPDX-License-Identifier: Apache-2.0

/// A value that an app adds to a record under a name of its own: anything that JSON can say.
///
/// A record's extras have limits, so that every server takes them: ``maximumDepth``,
/// ``maximumCount`` and ``maximumBytes``. A record beyond one of them is refused with a
/// ``RecordError`` of code ``RecordError/Code/tooDeep`` or ``RecordError/Code/tooLarge``.
public enum ExtraValue: Hashable, Sendable {
  /// A text.
  case text(String)
  /// A number; encoding a record with one that is not finite throws.
  case number(Double)
  /// True or false.
  case flag(Bool)
  /// Nothing, said expressly.
  case null
  /// Values in an order.
  case list([ExtraValue])
  /// Values by name.
  case object([String: ExtraValue])
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

extension ExtraValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// Makes a list.
  ///
  /// - Parameter elements: The values.
  public init(arrayLiteral elements: ExtraValue...) { self = .list(elements) }

  /// Makes an object; of two values of one name the first counts.
  ///
  /// - Parameter elements: The names and their values.
  public init(dictionaryLiteral elements: (String, ExtraValue)...) {
    self = .object(Dictionary(elements) { first, _ in first })
  }
}
