// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
  import Foundation
  import Security

  /// Stores tokens in the keychain of the device.
  ///
  /// They are readable after the first unlock and never copied to another device.
  public struct KeychainCredentials: CredentialStoring {
    private let service: String

    /// Stores tokens under a service's name.
    ///
    /// - Parameter service: The name, one for each folder of a session.
    public init(service: String) { self.service = service }

    private func query(_ name: String) -> [CFString: Any] {
      [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: name]
    }

    /// Stores a token.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - name: The token's name.
    /// - Throws: ``SessionError`` when the keychain refuses.
    public func save(_ token: String, for name: String) throws(SessionError) {
      let value: [CFString: Any] = [
        kSecValueData: Data(token.utf8),
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      let added = unsafe SecItemAdd(
        query(name).merging(value) { $1 } as CFDictionary, nil)
      let status =
        added == errSecDuplicateItem
        ? SecItemUpdate(query(name) as CFDictionary, value as CFDictionary) : added
      guard status == errSecSuccess else { throw Self.error(status) }
    }

    /// Reads a token.
    ///
    /// - Parameter name: The token's name.
    /// - Returns: The token.
    /// - Throws: ``SessionError`` when there is none or the device was not yet unlocked.
    public func token(for name: String) throws(SessionError) -> String {
      var item: CFTypeRef?
      let wanted = query(name).merging([kSecReturnData: true]) { $1 }
      let status = unsafe SecItemCopyMatching(wanted as CFDictionary, &item)
      guard status == errSecSuccess, let data = item as? Data else { throw Self.error(status) }
      return String(decoding: data, as: UTF8.self)
    }

    /// Removes a token.
    ///
    /// - Parameter name: The token's name.
    /// - Throws: ``SessionError`` when the keychain refuses.
    public func removeToken(for name: String) throws(SessionError) {
      let status = SecItemDelete(query(name) as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else {
        throw Self.error(status)
      }
    }

    private static func error(_ status: OSStatus) -> SessionError {
      SessionError(
        status == errSecItemNotFound ? .credentialsMissing : .credentialsUnavailable,
        "the keychain cannot be used now; unlock the device, or start the session again",
        systemCode: Int(status))
    }
  }
#endif
