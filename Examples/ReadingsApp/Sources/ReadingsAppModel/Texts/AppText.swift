// SPDX-License-Identifier: Apache-2.0

/// Something that the app says: a key of its String Catalog, and what is put into the text.
///
/// What the screens of SantorioUI say is in the catalogue of that module.
public struct AppText: Hashable, Sendable {
  /// The text in English, with `%@`, or `%1$@`, in the place of each argument.
  public let key: Key
  /// What is put into the text.
  public let arguments: [String]

  /// A text.
  ///
  /// - Parameters:
  ///   - key: The text in English.
  ///   - arguments: What is put into it.
  public init(_ key: Key, _ arguments: String...) { (self.key, self.arguments) = (key, arguments) }
}
