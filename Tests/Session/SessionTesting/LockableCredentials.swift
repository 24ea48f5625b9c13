// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency
package import SantorioCore

/// A store of a device that can be locked as before its first unlock.
package final class LockableCredentials: CredentialStoring {
  private let store: any CredentialStoring
  private let locked = Locked(false)

  package init(_ store: any CredentialStoring, isLocked: Bool = false) {
    self.store = store
    self.isLocked = isLocked
  }

  package var isLocked: Bool {
    get { locked.withLock { $0 } }
    set { locked.withLock { $0 = newValue } }
  }

  private func check() throws(SessionError) {
    if isLocked { throw SessionError.locked() }
  }

  package func save(_ token: String, for name: String) throws(SessionError) {
    try check()
    try store.save(token, for: name)
  }

  package func token(for name: String) throws(SessionError) -> String {
    try check()
    return try store.token(for: name)
  }

  package func removeToken(for name: String) throws(SessionError) {
    try check()
    try store.removeToken(for: name)
  }
}
