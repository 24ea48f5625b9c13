// SPDX-License-Identifier: Apache-2.0

/// The operations on a keychain that a store of tokens needs.
///
/// Apple's is the one that apps use; tests have one in memory.
protocol KeychainItems: Sendable {
  /// Stores a value, in place of the one that the item has.
  func set(_ value: [UInt8], of item: KeychainItem, origin: String) throws(KeychainStatus)

  /// The value of an item.
  func value(of item: KeychainItem) throws(KeychainStatus) -> [UInt8]

  /// Removes an item.
  func remove(_ item: KeychainItem) throws(KeychainStatus)

  /// The items that were stored with an origin.
  func items(of origin: String) throws(KeychainStatus) -> [KeychainItem]
}

/// The name of an item in a keychain.
struct KeychainItem: Hashable, Sendable {
  let service: String
  let account: String
}

/// Why a keychain refuses: the result codes of Apple's Security framework (SecBase.h).
struct KeychainStatus: Error, Hashable, Sendable {
  let code: Int32

  /// errSecItemNotFound: there is no such item.
  static let notFound = KeychainStatus(code: -25300)
  /// errSecInteractionNotAllowed: the device has not been unlocked since it was started.
  static let locked = KeychainStatus(code: -25308)
  /// errSecNotAvailable: there is no keychain.
  static let notAvailable = KeychainStatus(code: -25291)
  /// errSecMissingEntitlement: the app is not signed for the keychain or the access group.
  static let missingEntitlement = KeychainStatus(code: -34018)
}

extension SessionError {
  /// Makes an error from a keychain's refusal.
  init(_ status: KeychainStatus) {
    let code = Int(status.code)
    switch status {
    case .notFound:
      self.init(
        .credentialsMissing, "the keychain has no such item; start the session again",
        systemCode: code)
    case .locked: self = .locked(systemCode: code)
    case .missingEntitlement:
      self.init(
        .credentialsUnavailable,
        "the app may not use this keychain: sign it with an application identifier and, for an access "
          + "group, with the entitlement keychain-access-groups", systemCode: code)
    case .notAvailable:
      self.init(
        .credentialsUnavailable, "the system has no keychain for this process", systemCode: code)
    default:
      self.init(
        .credentialsUnavailable,
        "the keychain refuses with status \(status.code) (SecBase.h); try again", systemCode: code)
    }
  }
}
