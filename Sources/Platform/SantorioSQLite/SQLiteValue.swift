// SPDX-License-Identifier: Apache-2.0

/// One value bound to a placeholder or read from a column.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
  ExpressibleByFloatLiteral, ExpressibleByNilLiteral
{
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(stringLiteral value: String) { self = .text(value) }
  package init(floatLiteral value: Double) { self = .real(value) }
  package init(nilLiteral: ()) { self = .null }
}

extension SQLiteValue {
  /// An integer, or NULL when there is none.
  package init(_ value: Int64?) { self = value.map(SQLiteValue.integer) ?? .null }
  /// An integer, or NULL when there is none.
  package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  /// A text, or NULL when there is none.
  package init(_ value: String?) { self = value.map(SQLiteValue.text) ?? .null }
  /// A real number, or NULL when there is none.
  package init(_ value: Double?) { self = value.map(SQLiteValue.real) ?? .null }
  /// Bytes, or NULL when there are none.
  package init(_ value: [UInt8]?) { self = value.map(SQLiteValue.blob) ?? .null }
}
