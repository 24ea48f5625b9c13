// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// Marks a folder as used by one session of this process, as long as this instance lives.
///
/// Two sessions on one folder would deliver each event twice and wake each other needlessly.
final class OpenFolder: Sendable {
  private static let paths = Locked<Set<String>>([])

  private let path: String

  init(_ folder: URL) throws(SessionError) {
    path = folder.resolvingSymlinksInPath().standardizedFileURL.path
    guard Self.paths.withLock({ [path] in $0.insert(path).inserted }) else {
      throw SessionError(
        .folderInUse, "another session of this process uses the folder; use that one")
    }
  }

  deinit { Self.paths.withLock { [path] in _ = $0.remove(path) } }
}
