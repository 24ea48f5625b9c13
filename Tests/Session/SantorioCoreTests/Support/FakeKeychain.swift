// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency
import TestSupport

@testable import SantorioCore

/// A keychain in memory: like the device's it outlives apps, and can be locked.
final class FakeKeychain: KeychainItems {
  private struct State {
    var items: [KeychainItem: (value: [UInt8], origin: String)] = [:]
    var refusal: KeychainStatus?
  }

  private let state = Locked(State())

  /// What each call fails with.
  var refusal: KeychainStatus? {
    get { state.withLock { $0.refusal } }
    set { state.withLock { $0.refusal = newValue } }
  }

  /// The items that it has.
  var accounts: [String] { state.withLock { $0.items.keys.map(\.account).sorted() } }
  var services: Set<String> { state.withLock { Set($0.items.keys.map(\.service)) } }

  /// Loses everything, as when it is reset.
  func reset() { state.withLock { $0.items = [:] } }

  private func access<Value>(
    _ body: (inout State) throws(KeychainStatus) -> Value
  ) throws(KeychainStatus) -> Value {
    try state.withLock { state throws(KeychainStatus) in
      if let refusal = state.refusal { throw refusal }
      return try body(&state)
    }
  }

  func set(_ value: [UInt8], of item: KeychainItem, origin: String) throws(KeychainStatus) {
    try access { $0.items[item] = (value, origin) }
  }

  func value(of item: KeychainItem) throws(KeychainStatus) -> [UInt8] {
    try access { state throws(KeychainStatus) in
      guard let found = state.items[item] else { throw .notFound }
      return found.value
    }
  }

  func remove(_ item: KeychainItem) throws(KeychainStatus) {
    try access { state throws(KeychainStatus) in
      guard state.items.removeValue(forKey: item) != nil else { throw .notFound }
    }
  }

  func items(of origin: String) throws(KeychainStatus) -> [KeychainItem] {
    try access { state in state.items.filter { $0.value.origin == origin }.map(\.key) }
  }
}

extension FakeKeychain {
  /// The store of a session's folder in this keychain.
  func store(of folder: TemporaryFolder) -> KeychainStore {
    KeychainStore(keychain: self, naming: .folder(KeychainName(folder: folder.url)))
  }
}
