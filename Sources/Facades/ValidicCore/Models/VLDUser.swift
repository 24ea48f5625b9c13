// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import SantorioCore

/// The user whose records are sent, and the user's token.
#if canImport(ObjectiveC)
  @objc(VLDUser) @objcMembers
#endif
public final class VLDUser: VLDModel {
  /// The server's identifier of the user.
  public let validicUserID: String
  /// The server's identifier of the user's organisation.
  public let organizationID: String
  /// The user's token: the "mobile token" of the Inform API, the "user access token" of the Legacy API.
  public let accessToken: String
  /// The user's token for the Marketplace; kept and given back, sent nowhere.
  public let marketplaceToken: String?

  /// Makes a user.
  ///
  /// - Parameters:
  ///   - validicUserID: The server's identifier of the user.
  ///   - organizationID: The server's identifier of the organisation.
  ///   - accessToken: The user's token.
  public convenience init(validicUserID: String, organizationID: String, accessToken: String) {
    self.init(
      validicUserID: validicUserID, organizationID: organizationID, accessToken: accessToken,
      marketplaceToken: nil)
  }

  /// Makes a user with a token for the Marketplace.
  ///
  /// - Parameters:
  ///   - validicUserID: The server's identifier of the user.
  ///   - organizationID: The server's identifier of the organisation.
  ///   - accessToken: The user's token.
  ///   - marketplaceToken: The user's token for the Marketplace.
  public init(
    validicUserID: String, organizationID: String, accessToken: String, marketplaceToken: String?
  ) {
    self.validicUserID = validicUserID
    self.organizationID = organizationID
    self.accessToken = accessToken
    self.marketplaceToken = marketplaceToken
    super.init()
  }

  package convenience init(_ user: SantorioUser) {
    self.init(
      validicUserID: user.userID, organizationID: user.organizationID,
      accessToken: user.accessToken, marketplaceToken: user.marketplaceToken)
  }

  package var user: SantorioUser {
    SantorioUser(
      userID: validicUserID, organizationID: organizationID, accessToken: accessToken,
      marketplaceToken: marketplaceToken)
  }

  /// A placeholder user for readings in the foreground; its records are kept and never sent.
  ///
  /// - Returns: The user.
  public static func defaultUser() -> VLDUser { VLDUser(.default) }

  // MARK: - Archives and comparison

  /// True: an archive is read with the class that it names only.
  public override class var supportsSecureCoding: Bool { true }

  /// Reads a user from an archive.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    guard let userID = coder.text(forKey: "validicUserID"),
      let organizationID = coder.text(forKey: "organizationID"),
      let accessToken = coder.text(forKey: "accessToken")
    else { return nil }
    validicUserID = userID
    self.organizationID = organizationID
    self.accessToken = accessToken
    marketplaceToken = coder.text(forKey: "marketplaceToken")
    super.init(coder: coder)
  }

  /// Writes the user with its tokens to an archive; protect it.
  ///
  /// - Parameter coder: The archive.
  public override func encode(with coder: NSCoder) {
    coder.encode(validicUserID as NSString, forKey: "validicUserID")
    coder.encode(organizationID as NSString, forKey: "organizationID")
    coder.encode(accessToken as NSString, forKey: "accessToken")
    coder.encode(marketplaceToken as NSString?, forKey: "marketplaceToken")
  }

  /// Whether another object is the same user with the same tokens.
  ///
  /// - Parameter object: The other object.
  /// - Returns: Whether it is equal.
  public override func isEqual(_ object: Any?) -> Bool { (object as? VLDUser)?.user == user }

  /// A hash of the user.
  public override var hash: Int { user.hashValue }

  /// Shows neither identifiers nor tokens.
  public override var description: String { "a user" }
}
