// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension JSONReader {
  /// An instant in ISO 8601, in UTC or with an offset, with or without a fraction of a second.
  package func instant() throws(RecordError) -> Date {
    let text = try string()
    let whole = Date.ISO8601FormatStyle()
    let fraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    guard let date = (try? whole.parse(text)) ?? (try? fraction.parse(text)) else {
      throw invalid("must be an ISO 8601 time such as 2018-04-17T15:51:00Z")
    }
    return date
  }

  /// A local time without zone.
  package func localTime() throws(RecordError) -> LocalDateTime {
    guard let time = LocalDateTime(try string()) else {
      throw invalid("must be a local time such as 2018-04-17T15:51:00")
    }
    return time
  }
}

extension JSONWriter {
  /// Writes an instant in UTC, with milliseconds where they are not zero.
  package mutating func instant(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    let whole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
    let rounded = Date(timeIntervalSince1970: milliseconds / 1000)
    string(rounded.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !whole)))
  }

  /// Writes a member whose value is text, if there is one.
  package mutating func optional(_ name: String, _ value: String?) {
    guard let value else { return }
    key(name)
    string(value)
  }

  /// Writes a member whose value is a whole number, if there is one.
  package mutating func optional(_ name: String, _ value: Int?) {
    guard let value else { return }
    key(name)
    integer(value)
  }

  /// Writes a member whose value is an array.
  package mutating func list<Element>(
    _ name: String, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) {
    key(name)
    array { json in
      for element in elements { write(&json, element) }
    }
  }

  /// Writes an object of two texts.
  package mutating func pair(
    _ name: String, _ value: String, _ otherName: String, _ otherValue: String
  ) {
    object { json in
      json.key(name)
      json.string(value)
      json.key(otherName)
      json.string(otherValue)
    }
  }
}
