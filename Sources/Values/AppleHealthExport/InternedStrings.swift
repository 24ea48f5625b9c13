// SPDX-License-Identifier: Apache-2.0

/// A small number for a string that repeats; equal strings of one reader have the same number.
package struct InternedString: Hashable, Sendable {
  /// 0 for the empty string, then in the order of appearance.
  package let index: Int32

  package init(index: Int32) { self.index = index }

  /// The empty string.
  package static let empty = Self(index: 0)
}

/// The strings of one reader by their numbers.
package struct InternedStrings: Sendable {
  private(set) var texts: [String] = [""]

  /// How many there are; all numbers are below it.
  package var count: Int { texts.count }

  /// The string with a number, with entities replaced and invalid UTF-8 repaired.
  package subscript(_ string: InternedString) -> String {
    let index = Int(string.index)
    return texts.indices.contains(index) ? texts[index] : ""
  }

  mutating func append(_ text: String) -> InternedString {
    texts.append(text)
    return InternedString(index: Int32(truncatingIfNeeded: texts.count - 1))
  }
}
