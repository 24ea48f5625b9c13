// SPDX-License-Identifier: Apache-2.0

import HealthRecords

/// Whose records a session sends, and with which token.
public struct SantorioUser: Hashable, Sendable {
  /// The server's identifier of the user.
  public var userID: String
  /// The server's identifier of the user's organisation.
  public var organizationID: String
  /// The user's token, which the server issued when it provisioned the user.
  public var accessToken: String
  /// The user's token for Validic's Marketplace, the web page on which a user connects other
  /// sources.
  ///
  /// The session keeps it with the other token and gives it back; it sends it nowhere.
  public var marketplaceToken: String?

  /// Makes a user.
  ///
  /// - Parameters:
  ///   - userID: The server's identifier of the user.
  ///   - organizationID: The server's identifier of the organisation.
  ///   - accessToken: The user's token.
  ///   - marketplaceToken: The user's token for the Marketplace.
  public init(
    userID: String, organizationID: String, accessToken: String, marketplaceToken: String? = nil
  ) {
    self.userID = userID
    self.organizationID = organizationID
    self.accessToken = accessToken
    self.marketplaceToken = marketplaceToken
  }

  /// A placeholder user: for reading devices before the app has got a user from its server.
  ///
  /// Records of the default user are kept on the disk and never sent. They are handed out when the
  /// session ends, typically when one for a user of the server starts. Only what the app's user has
  /// just measured with a device can be submitted, `SourceType.bluetooth` and `SourceType.ocr`;
  /// background reading, other sources and everything that contacts the server need a user of the
  /// server, and fail with an error and a line in the log.
  public static let `default` = SantorioUser(
    userID: "default", organizationID: "default", accessToken: "none")

  /// Whether this is the default user.
  public var isDefault: Bool {
    userID == Self.default.userID && organizationID == Self.default.organizationID
  }

  /// Whether there are records that the default user may not submit.
  static func isNeeded(for records: [HealthRecord]) -> Bool {
    records.contains { ![.bluetooth, .ocr].contains($0.source.type) }
  }

  func isUser(of session: StoredSession) -> Bool {
    userID == session.userID && organizationID == session.organizationID
  }

  /// Checks that the identifiers can be part of a URL and the token part of a header.
  func validate() throws(SessionError) {
    guard Self.isIdentifier(userID), Self.isIdentifier(organizationID) else {
      throw SessionError(
        .invalidUser, "user and organisation must be 1...128 of A-Z, a-z, 0-9, \".\", \"_\", \"-\"")
    }
    guard Self.isToken(accessToken) else {
      throw SessionError(
        .invalidUser, "the token must be 1...4096 printable ASCII characters without spaces")
    }
    guard marketplaceToken.map(Self.isToken) ?? true else {
      throw SessionError(
        .invalidUser,
        "the Marketplace's token must be 1...4096 printable ASCII characters without spaces")
    }
  }

  private static func isToken(_ text: String) -> Bool {
    (1...4096).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  private static func isIdentifier(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count) && text != "." && text != ".."
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}

extension SantorioUser: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Shows neither identifiers nor tokens.
  public var description: String { "a user" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// Empty, so that a dump shows no token.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
