// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
  public import Foundation
  import Security

  /// Stores tokens and the key of the records in the keychain of the device.
  ///
  /// They are readable from the first unlock on, and never copied to another device. On macOS it is
  /// the data-protection keychain, which an app can use that is signed with an application
  /// identifier.
  public struct KeychainCredentials: CredentialStoring {
    private let store: KeychainStore

    /// Stores the tokens of a session's folder, under a name that a file of the folder keeps.
    ///
    /// - Parameters:
    ///   - folder: The session's folder, see ``SantorioSession/Configuration/directory``.
    ///   - accessGroup: The keychain access group that the app shares with its extensions, if they use
    ///     the folder too; the app's own when nil.
    public init(folder: URL, accessGroup: String? = nil) {
      store = KeychainStore(
        keychain: SystemKeychain(accessGroup: accessGroup), naming: .folder(.init(folder: folder)))
    }

    /// Stores tokens under a service's name.
    ///
    /// - Parameters:
    ///   - service: The name, one for each folder of a session, and always the same.
    ///   - accessGroup: The keychain access group; the app's own when nil.
    public init(service: String, accessGroup: String? = nil) {
      store = KeychainStore(
        keychain: SystemKeychain(accessGroup: accessGroup), naming: .service(service))
    }

    /// Stores a token.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - name: The token's name.
    /// - Throws: ``SessionError``, of code `storageLocked` before the first unlock.
    public func save(_ token: String, for name: String) throws(SessionError) {
      try store.save(token, for: name)
    }

    /// Reads a token.
    ///
    /// - Parameter name: The token's name.
    /// - Returns: The token.
    /// - Throws: ``SessionError``, of code `credentialsMissing` when there is none, of code
    ///   `storageLocked` before the first unlock.
    public func token(for name: String) throws(SessionError) -> String {
      try store.token(for: name)
    }

    /// Removes a token.
    ///
    /// - Parameter name: The token's name.
    /// - Throws: ``SessionError`` when the keychain refuses.
    public func removeToken(for name: String) throws(SessionError) {
      try store.removeToken(for: name)
    }
  }

  /// Apple's keychain.
  private struct SystemKeychain: KeychainItems {
    let accessGroup: String?

    private var query: [CFString: Any] {
      var query = queryOfAllGroups
      query[kSecAttrAccessGroup] = accessGroup
      return query
    }

    private var queryOfAllGroups: [CFString: Any] {
      [kSecClass: kSecClassGenericPassword, kSecUseDataProtectionKeychain: true]
    }

    private func query(_ item: KeychainItem) -> [CFString: Any] {
      query.merging([kSecAttrService: item.service, kSecAttrAccount: item.account]) { $1 }
    }

    func set(
      _ value: [UInt8], of item: KeychainItem, origin: String
    ) throws(KeychainStatus) {
      let content: [CFString: Any] = [
        kSecValueData: Data(value), kSecAttrLabel: origin,
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      let added = unsafe SecItemAdd(query(item).merging(content) { $1 } as CFDictionary, nil)
      try check(
        added == errSecDuplicateItem
          ? SecItemUpdate(query(item) as CFDictionary, content as CFDictionary) : added)
    }

    func value(of item: KeychainItem) throws(KeychainStatus) -> [UInt8] {
      do throws(KeychainStatus) {
        return try storedValue(of: item)
      } catch {
        guard error == .notFound, accessGroup != nil, moveToGroup(item) else { throw error }
        return try storedValue(of: item)
      }
    }

    /// Moves an item that was stored before the app had this access group.
    private func moveToGroup(_ item: KeychainItem) -> Bool {
      let earlier = queryOfAllGroups.merging([
        kSecAttrService: item.service, kSecAttrAccount: item.account,
      ]) { $1 }
      let content: [CFString: Any] = [kSecAttrAccessGroup: accessGroup ?? ""]
      return SecItemUpdate(earlier as CFDictionary, content as CFDictionary) == errSecSuccess
    }

    private func storedValue(of item: KeychainItem) throws(KeychainStatus) -> [UInt8] {
      var found: CFTypeRef?
      let wanted = query(item).merging([kSecReturnData: true]) { $1 }
      try check(unsafe SecItemCopyMatching(wanted as CFDictionary, &found))
      guard let data = found as? Data else { throw .notFound }
      return Array(data)
    }

    func remove(_ item: KeychainItem) throws(KeychainStatus) {
      try check(SecItemDelete(query(item) as CFDictionary))
    }

    func items(of origin: String) throws(KeychainStatus) -> [KeychainItem] {
      var found: CFTypeRef?
      let wanted = query.merging([
        kSecAttrLabel: origin, kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
      ]) { $1 }
      let status = unsafe SecItemCopyMatching(wanted as CFDictionary, &found)
      guard status != errSecItemNotFound else { return [] }
      try check(status)
      return (found as? [[CFString: Any]] ?? []).compactMap { attributes in
        guard let service = attributes[kSecAttrService] as? String,
          let account = attributes[kSecAttrAccount] as? String
        else { return nil }
        return KeychainItem(service: service, account: account)
      }
    }

    private func check(_ status: OSStatus) throws(KeychainStatus) {
      if status != errSecSuccess { throw KeychainStatus(code: status) }
    }
  }
#endif
