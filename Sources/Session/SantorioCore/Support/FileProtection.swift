// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the system does for files that hold records.
enum FileProtection {
  /// Whether an error of the system means that files cannot be read before the first unlock.
  static func isLocked(errno code: Int32) -> Bool {
    #if canImport(Darwin) && !os(macOS) && !targetEnvironment(macCatalyst)
      code == EPERM
    #else
      false
    #endif
  }

  /// The same for a result code of SQLite: SQLITE_AUTH.
  static func isLocked(sqlite code: Int32) -> Bool { code == 23 && isLocked(errno: EPERM) }

  /// Gives a folder and all that is in it the class that they need, and keeps it out of backups.
  ///
  /// Readings arrive while the device is locked, so the files are readable from the first unlock on.
  /// It is done at each opening: an app's entitlement, a restored folder or another program may have
  /// given them a class with which nothing can be read while the device is locked.
  ///
  /// - Parameter folder: The folder; files made in it later get its class.
  /// - Throws: What Foundation throws.
  static func apply(to folder: URL) throws {
    #if canImport(Darwin)
      var (excluded, values) = (folder, URLResourceValues())
      values.isExcludedFromBackup = true
      try excluded.setResourceValues(values)
      #if !os(macOS) && !targetEnvironment(macCatalyst)
        let manager = FileManager.default
        let names = manager.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        for path in [folder.path] + names.map({ folder.path + "/" + $0 }) {
          do {
            try manager.setAttributes(
              [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
              ofItemAtPath: path)
          } catch CocoaError.fileNoSuchFile {
            // Another process has removed it since.
          }
        }
      #endif
    #endif
  }
}
