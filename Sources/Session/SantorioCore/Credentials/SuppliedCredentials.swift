// SPDX-License-Identifier: Apache-2.0

/// Credentials that somebody else supplies, and a store for what they lack.
package struct SuppliedCredentials: CredentialStoring {
  /// What can be supplied.
  package enum Item: Hashable, Sendable {
    /// The token of the session's user.
    case token
    /// The key of the records, 32 bytes in Base64.
    case key
  }

  private let files: any CredentialStoring
  private let supply: @Sendable (Item) throws(SessionError) -> String?

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - files: Stores what is not supplied.
  ///   - supply: Reads what is supplied; nil for what is not.
  package init(
    files: any CredentialStoring,
    supply: @escaping @Sendable (Item) throws(SessionError) -> String?
  ) {
    self.files = files
    self.supply = supply
  }

  private func supplied(for name: String) throws(SessionError) -> String? {
    // A new key of the records is kept by the other store, as are the keys of devices.
    if name == OutboxKey.credential { return try supply(.key) }
    return StoredSession.isTokenCredential(name) ? try supply(.token) : nil
  }

  /// Stores a token in the other store, unless the same one is supplied.
  ///
  /// - Throws: ``SessionError`` when it cannot be stored.
  package func save(_ token: String, for name: String) throws(SessionError) {
    guard try supplied(for: name) != token else { return try files.removeToken(for: name) }
    try files.save(token, for: name)
  }

  /// Reads a token from the other store, or else the one that is supplied.
  ///
  /// - Throws: ``SessionError`` when there is none, or it cannot be read.
  package func token(for name: String) throws(SessionError) -> String {
    do throws(SessionError) {
      return try files.token(for: name)
    } catch {
      guard error.code == .credentialsMissing, let token = try supplied(for: name) else {
        throw error
      }
      return token
    }
  }

  /// Removes a token from the other store; what is supplied does not change.
  ///
  /// - Throws: ``SessionError`` when it cannot be removed.
  package func removeToken(for name: String) throws(SessionError) {
    try files.removeToken(for: name)
  }
}
