// SPDX-License-Identifier: Apache-2.0

import SantorioCore

/// The user whose session a command started with.
struct SessionOwner: Sendable {
  private let session: SantorioSession
  private let account: (user: String, organization: String)

  /// Notes the user of the current session; nil when there is none.
  init?(_ session: SantorioSession) async throws(SessionError) {
    guard let user = try await session.storedUser() else { return nil }
    self.session = session
    account = (user.userID, user.organizationID)
  }

  /// Whether the user's session has ended: what is read now is not theirs.
  func hasEnded() async -> Bool {
    do throws(SessionError) {
      guard let user = try await session.storedUser() else { return true }
      return user != account
    } catch {
      return false
    }
  }

  /// What happened and what to do; it names no one, since it goes into journals.
  func endMessage() async -> String {
    let kept = await SessionFolder.archiveAdvice(session, of: account)
    let advice = kept.map { "\n\($0)" } ?? ""
    return
      "santorio: the session has ended, and nothing more is read for it; start again with a "
      + "user and token that the server knows.\(advice)"
  }
}
