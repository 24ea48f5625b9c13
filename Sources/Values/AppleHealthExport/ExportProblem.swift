// SPDX-License-Identifier: Apache-2.0

/// Something in a document that could not be read, while the rest was.
package struct ExportProblem: Hashable, Sendable, Codable, CustomStringConvertible {
  package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// An attribute that the element must have is not there.
    case missingAttribute
    /// A date is not one, or no calendar has it.
    case badDate
    /// A number is not one.
    case badNumber
    /// A tag is longer than 1 MiB.
    case tagTooLong
    /// A tag has no end, or a value has no closing quotation mark.
    case brokenTag
    /// An element has no end tag; it is taken as if it ended before the next one.
    case unclosedElement
    /// An element's content is larger than is kept; the rest of the content is dropped.
    case contentTooLarge
    /// The document has more different names than are kept.
    case tooManyStrings
    /// A text has bytes that are not UTF-8; `U+FFFD` stands for them, and the rest is as it was.
    case notUTF8
    /// The document ends within an element.
    case cut
  }

  package let kind: Kind
  /// The offset of the first byte of the tag in the document.
  package let offset: Int
  /// The name of the element, if it is one of the format's.
  package let element: String
  /// The name of the attribute, if one is to blame.
  package let attribute: String?

  /// What was wrong and where, without the value found there.
  package var description: String {
    let place = attribute.map { "\(element), \($0)" } ?? element
    return "\(kind.text): \(place) (byte \(offset))"
  }
}

extension ExportProblem.Kind {
  fileprivate var text: String {
    switch self {
    case .missingAttribute: "missing attribute"
    case .badDate: "not a date"
    case .badNumber: "not a number"
    case .tagTooLong: "tag too long"
    case .brokenTag: "tag or value without an end"
    case .unclosedElement: "element without an end"
    case .contentTooLarge: "content of an element too large"
    case .tooManyStrings: "too many different names"
    case .notUTF8: "bytes that are not UTF-8"
    case .cut: "the file is cut off"
    }
  }
}

/// The problems of a document: the first hundred, and how many there were of each kind.
package struct ExportProblems: Hashable, Sendable, Codable {
  private static let limit = 100

  package private(set) var first: [ExportProblem] = []
  package private(set) var counts: [ExportProblem.Kind: Int] = [:]

  package init() {}

  /// How many there were.
  package var count: Int { counts.values.reduce(0, +) }

  mutating func append(_ problem: ExportProblem) {
    counts[problem.kind, default: 0] += 1
    if first.count < Self.limit { first.append(problem) }
  }
}

/// Why a document cannot be read at all.
package struct HealthExportError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// The document is UTF-16 or UTF-32.
    case unsupportedEncoding
    /// The document's first element is not `HealthData`, or there is none.
    case notAHealthExport
  }

  package let code: Code
  /// What is wrong and what to do.
  package let message: String

  package var description: String { message }
}
