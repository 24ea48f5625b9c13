// SPDX-License-Identifier: Apache-2.0

/// Stores tokens and the key of the records where other programs and users cannot read them.
///
/// The session names each token; a name is reused only for a token that replaces the old one.
public protocol CredentialStoring: Sendable {
  /// Stores a token durably, replacing the one of the same name.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - name: The token's name.
  /// - Throws: ``SessionError`` when it cannot be stored.
  func save(_ token: String, for name: String) throws(SessionError)

  /// Reads a token.
  ///
  /// - Parameter name: The token's name.
  /// - Returns: The token.
  /// - Throws: ``SessionError`` of code `credentialsMissing` when there certainly is none, of code
  ///   `storageLocked` when the device has not been unlocked since its start, of code
  ///   `credentialsUnavailable` when it cannot be read now for another reason, and of code
  ///   `credentialsExposed` when others can read it.
  func token(for name: String) throws(SessionError) -> String

  /// Removes a token; does nothing when there is none.
  ///
  /// - Parameter name: The token's name.
  /// - Throws: ``SessionError`` when it cannot be removed.
  func removeToken(for name: String) throws(SessionError)
}
