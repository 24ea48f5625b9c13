// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Stores tokens and keys in a keychain, under names that no other folder of a session has.
struct KeychainStore: CredentialStoring {
  /// The first part of the service's name of all items.
  static let prefix = "org.santorio."

  /// Where the service's name comes from.
  enum Naming: Sendable {
    /// The app's choice.
    case service(String)
    /// A file of the session's folder, so that it goes along when the folder is moved or renamed.
    case folder(KeychainName)
  }

  let keychain: any KeychainItems
  let naming: Naming

  func save(_ token: String, for name: String) throws(SessionError) {
    let service = try service(creating: true)
    do throws(KeychainStatus) {
      try keychain.set(
        Array(token.utf8), of: KeychainItem(service: service ?? "", account: name), origin: origin)
    } catch {
      throw SessionError(error)
    }
  }

  func token(for name: String) throws(SessionError) -> String {
    guard let service = try service() else { throw SessionError(KeychainStatus.notFound) }
    do throws(KeychainStatus) {
      let value = try keychain.value(of: KeychainItem(service: service, account: name))
      return String(decoding: value, as: UTF8.self)
    } catch {
      throw SessionError(error)
    }
  }

  func removeToken(for name: String) throws(SessionError) {
    guard let service = try service() else { return }
    do throws(KeychainStatus) {
      try keychain.remove(KeychainItem(service: service, account: name))
    } catch {
      guard error != .notFound else { return }
      throw SessionError(error)
    }
  }

  // MARK: - Names

  private var origin: String {
    switch naming {
    case .service(let service): service
    case .folder(let name): name.origin
    }
  }

  /// The service's name; nil when the folder has none yet.
  private func service(creating isCreating: Bool = false) throws(SessionError) -> String? {
    switch naming {
    case .service(let service): return service
    case .folder(let name):
      if let service = try name.read() { return service }
      guard isCreating else { return nil }
      let service = try name.create(Self.prefix + UUID().uuidString)
      removeStaleTokens(except: service)
      return service
    }
  }

  /// Removes the tokens that an earlier folder at this place has left: a keychain outlives its app.
  ///
  /// Keys stay. Alone they reveal nothing, and should the earlier folder have been moved and not
  /// removed, its records need theirs; a token can be given again.
  private func removeStaleTokens(except service: String) {
    let keys = [OutboxKey.credential, OutboxRekey.credential]
    let items = (try? keychain.items(of: origin)) ?? []
    for item in items where item.service != service && item.service.hasPrefix(Self.prefix) {
      guard !keys.contains(item.account) else { continue }
      try? keychain.remove(item)
    }
  }
}
