// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Something to say to a person, in no language yet.
///
/// View models hold phrases; ``Texts`` puts them into words.
public struct Phrase: Hashable, Sendable {
  /// What stands in the place of a placeholder.
  enum Argument: Hashable, Sendable {
    /// Said as it is.
    case verbatim(String)
    case count(Int)
    case date(Date)
    case phrase(Phrase)
  }

  /// The English text, with `%@` or `%1$@` where arguments stand.
  let key: String
  let arguments: [Argument]
  /// Whether the key is a text of this module, with placeholders to fill in.
  let isOwnText: Bool

  init(_ key: TextKey, _ arguments: Argument...) {
    (self.key, self.arguments, isOwnText) = (key.rawValue, arguments, true)
  }

  /// An English text of another module, or of the app; said as it is where there is no translation.
  ///
  /// - Parameter english: The text.
  public init(english: String) {
    (key, arguments, isOwnText) = (english, [], false)
  }
}

extension Phrase.Argument {
  static func text(_ key: TextKey) -> Self { .phrase(Phrase(key)) }
}
