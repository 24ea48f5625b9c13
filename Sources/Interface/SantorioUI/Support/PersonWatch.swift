// SPDX-License-Identifier: Apache-2.0

import SantorioCore

/// Notices that another person has signed in, to whom nothing of the person before is shown.
@MainActor final class PersonWatch {
  private typealias Person = (userID: String, organizationID: String)

  private let session: SantorioSession
  private let changed: @MainActor () -> Void
  /// Who was signed in last.
  private var last: Person?
  private var watch: SessionWatch?

  /// Watches from now on.
  ///
  /// - Parameters:
  ///   - session: Where people sign in.
  ///   - changed: Called when another person has signed in; not when the same one has again.
  init(_ session: SantorioSession, _ changed: @escaping @MainActor () -> Void) {
    (self.session, self.changed) = (session, changed)
    watch = session.watchSessions { [weak self] in
      Task { @MainActor [weak self] in await self?.look() }
    }
    Task { [weak self] in await self?.look() }
  }

  private func look() async {
    guard let current = try? await session.storedUser() else { return }
    let isAnother = last.map { $0 != current } ?? false
    last = current
    if isAnother { changed() }
  }
}
