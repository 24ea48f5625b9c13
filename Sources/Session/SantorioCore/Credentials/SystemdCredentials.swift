// SPDX-License-Identifier: Apache-2.0

#if canImport(SantorioSystemd)
  public import Foundation
  import SantorioFiles
  import SantorioSystemd

  /// Credentials from systemd (`LoadCredentialEncrypted=`), and files for the rest.
  ///
  /// systemd decrypts them, with the machine's TPM where it has one, into a folder that only the
  /// service can read. Two names are used: `santorio.token`, the token of the session's user, and
  /// `santorio.outbox-key`, the key of the records (32 bytes in Base64). The other store keeps
  /// credentials that systemd does not supply, and a token that was refreshed since.
  ///
  /// ```
  /// [Service]
  /// LoadCredentialEncrypted=santorio.token:/etc/credstore.encrypted/santorio.token
  /// LoadCredentialEncrypted=santorio.outbox-key:/etc/credstore.encrypted/santorio.outbox-key
  /// ```
  public struct SystemdCredentials: CredentialStoring {
    /// The name of the token of the session's user.
    public static let tokenName = "santorio.token"
    /// The name of the key of the records.
    public static let keyName = "santorio.outbox-key"

    private let folder: SystemdCredentialFolder
    private let credentials: SuppliedCredentials

    /// Uses the folder that systemd made for this service; nil without systemd credentials.
    ///
    /// - Parameters:
    ///   - files: Stores what systemd does not supply.
    ///   - environment: The environment of the process.
    public init?(
      files: any CredentialStoring,
      environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
      guard let folder = SystemdCredentialFolder(environment: environment) else { return nil }
      self.folder = folder
      credentials = SuppliedCredentials(files: files) { item throws(SessionError) in
        try folder.supplied(item == .key ? Self.keyName : Self.tokenName)
      }
    }

    /// The token supplied by systemd, for starting a session.
    ///
    /// - Returns: The token; nil when the service has none.
    /// - Throws: ``SessionError`` when it cannot be read, or every user can read it.
    public func suppliedToken() throws(SessionError) -> String? {
      try folder.supplied(Self.tokenName)
    }

    /// Stores a token in the other store, unless systemd supplies the same one.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - name: The token's name.
    /// - Throws: ``SessionError`` when it cannot be stored.
    public func save(_ token: String, for name: String) throws(SessionError) {
      try credentials.save(token, for: name)
    }

    /// Reads a token from the other store, or else the one that systemd supplies.
    ///
    /// - Parameter name: The token's name.
    /// - Returns: The token.
    /// - Throws: ``SessionError`` when there is none, or it cannot be read.
    public func token(for name: String) throws(SessionError) -> String {
      try credentials.token(for: name)
    }

    /// Removes a token from the other store; credentials from systemd are not changed.
    ///
    /// - Parameter name: The token's name.
    /// - Throws: ``SessionError`` when it cannot be removed.
    public func removeToken(for name: String) throws(SessionError) {
      try credentials.removeToken(for: name)
    }
  }

  extension SystemdCredentialFolder {
    fileprivate func supplied(_ name: String) throws(SessionError) -> String? {
      do throws(SecretFile.Failure) {
        return try read(name).map { bytes in
          String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
      } catch {
        throw SessionError(error, reading: name)
      }
    }
  }
#endif
