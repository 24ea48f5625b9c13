// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension SantorioSession {
  /// Looks for a session's queue, or for a queue or an archive that a session has left behind.
  ///
  /// - Parameter folder: The folder, which need not exist.
  /// - Returns: True if the folder holds one.
  package static func hasFiles(in folder: URL) -> Bool { !fileNames(in: folder).isEmpty }

  /// Returns the names of the session's files and subfolders in a folder, sorted.
  ///
  /// - Parameter folder: The folder, which need not exist. Files of other programs are left out.
  /// - Returns: The names; none if the folder holds no readings of a session.
  package static func fileNames(in folder: URL) -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    guard all.contains(where: SessionFileName.holdsReadings) else { return [] }
    return all.filter(SessionFileName.isOfSession).sorted()
  }
}

/// The names that files of a session have in its folder.
private enum SessionFileName {
  private static let subfolders = [ImageFiles.folderName, UploadFiles.folderName]
  private static let credentials = [
    OutboxKey.credential, OutboxRekey.credential, "session-", "device-",
  ]

  /// Returns true for the queue, for what is left of it, and for archives.
  static func holdsReadings(_ name: String) -> Bool {
    let isLock = OutboxSetAside.staying.contains { name == Outbox.fileName + $0 }
    return name.hasPrefix(Outbox.fileName) && !isLock || isArchive(name)
      || name.hasPrefix(OutboxSetAside.prefix)
  }

  static func isOfSession(_ name: String) -> Bool {
    holdsReadings(name) || name.hasPrefix(Outbox.fileName) || name == KeychainName.fileName
      || subfolders.contains(name) || isCredential(name)
  }

  private static func isArchive(_ name: String) -> Bool {
    name.hasPrefix("archive-") && name.hasSuffix(".records")
  }

  /// An operator may keep other tokens in the folder.
  private static func isCredential(_ name: String) -> Bool {
    name.hasSuffix(CredentialFiles.suffix) && credentials.contains { name.hasPrefix($0) }
  }
}
