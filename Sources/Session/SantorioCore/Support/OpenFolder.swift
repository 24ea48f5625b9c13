// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// A folder that one session of this process uses, for as long as this lives.
///
/// Two sessions on one folder in a process would tell each event twice and wake each other in vain.
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
