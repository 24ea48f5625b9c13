// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// State that belongs to no session, in a file like that of a session: each piece is encrypted and
/// authenticated, and of a damaged file all sound pieces are kept.
package final class StateFile: Sendable {
  private let outbox: Outbox

  /// The path of the file.
  package var path: String { Outbox.databasePath(in: outbox.folder) }

  /// Describes a file, which the first use opens or creates.
  ///
  /// - Parameters:
  ///   - folder: Its folder, which exists.
  ///   - credentials: The place of its key.
  ///   - now: The wall clock.
  package init(
    in folder: URL, credentials: any CredentialStoring, now: @escaping @Sendable () -> Date
  ) {
    outbox = Outbox(folder: folder, maximumBytes: .max, credentials: credentials, now: now)
  }

  /// True where a damaged file was set aside: pieces may be lost.
  package var wasDamaged: Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: outbox.folder.path)) ?? []
    return names.contains { $0.hasPrefix(OutboxReplacement.damagedPrefix) }
  }

  /// The state of a source; damaged pieces are left out.
  ///
  /// - Throws: ``SessionError`` when the file cannot be read.
  package func states(of source: String) throws(SessionError) -> [SourceState] {
    try outbox.wait { (outbox: isolated Outbox) throws(SessionError) in
      try outbox.states(of: source)
    }
  }

  /// Makes changes, all or none; they are on disk when this returns.
  ///
  /// - Throws: ``SessionError`` when nothing was changed.
  package func change(_ changes: [StateChange]) throws(SessionError) {
    try outbox.wait { (outbox: isolated Outbox) throws(SessionError) in
      try outbox.changeState(of: "", device: "") { _ in changes }
    }
  }

  /// Closes the file until the next use.
  package func close() {
    try? outbox.wait { (outbox: isolated Outbox) throws(SessionError) in outbox.close() }
  }
}
