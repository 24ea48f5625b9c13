// SPDX-License-Identifier: Apache-2.0

import SantorioSQLite

extension Outbox {
  /// Replaces a token that the server refused; the server is then asked about the new one.
  ///
  /// Does nothing when the session has ended, or no longer has the refused token.
  func replaceToken(
    of session: StoredSession, refused: String, with token: String
  ) throws(SessionError) {
    try transaction {
      guard let current = try currentSession(), current.id == session.id,
        try credentials.token(for: current.credential) == refused
      else { return }
      try credentials.save(token, for: current.credential)
      try database.prepare("UPDATE session SET validated = 0 WHERE id = ?")
        .run(.integer(current.id))
    }
  }
}
